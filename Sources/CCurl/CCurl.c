#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The numbers of libcurl's options and codes are part of its stable binary interface. */
enum {
  OPTION_TIMEOUT_MS = 155,
  OPTION_CONNECTTIMEOUT_MS = 156,
  OPTION_NOPROGRESS = 43,
  OPTION_FOLLOWLOCATION = 52,
  OPTION_MAXREDIRS = 68,
  OPTION_NOSIGNAL = 99,
  OPTION_PROTOCOLS = 181,
  OPTION_REDIR_PROTOCOLS = 182,
  OPTION_WRITEDATA = 10001,
  OPTION_URL = 10002,
  OPTION_ERRORBUFFER = 10010,
  OPTION_USERAGENT = 10018,
  OPTION_XFERINFODATA = 10057,
  OPTION_WRITEFUNCTION = 20011,
  OPTION_XFERINFOFUNCTION = 20219,
  INFO_RESPONSE_CODE = 0x200002,
  CODE_OK = 0,
  CODE_TIMED_OUT = 28,
  CODE_ABORTED = 42,
  GLOBAL_ALL = 3,
  PROTOCOLS_HTTP = 3,
  ERROR_SIZE = 256,
};

static struct {
  int (*global_init)(long);
  void *(*easy_init)(void);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_perform)(void *);
  int (*easy_getinfo)(void *, int, ...);
  void (*easy_cleanup)(void *);
  const char *(*easy_strerror)(int);
} curl;

static char message[512];
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(message, sizeof message, "libcurl is missing: %s", dlerror());
    return;
  }
  struct { const char *name; void **place; } symbols[] = {
#define SYMBOL(name) { "curl_" #name, (void **)&curl.name }
    SYMBOL(global_init), SYMBOL(easy_init), SYMBOL(easy_setopt), SYMBOL(easy_perform),
    SYMBOL(easy_getinfo), SYMBOL(easy_cleanup), SYMBOL(easy_strerror),
#undef SYMBOL
  };
  for (unsigned i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    *symbols[i].place = dlsym(library, symbols[i].name);
    if (!*symbols[i].place) {
      snprintf(message, sizeof message, "libcurl has no function %s", symbols[i].name);
      return;
    }
  }
  if (curl.global_init(GLOBAL_ALL) != CODE_OK) {
    snprintf(message, sizeof message, "libcurl could not be initialised");
    return;
  }
  is_loaded = 1;
}

int penstock_http_available(const char **error) {
  pthread_once(&once, load);
  *error = message;
  return is_loaded;
}

static size_t receive(char *data, size_t size, size_t count, void *context) {
  penstock_http_result *result = context;
  size_t length = size * count;
  result->body_size += (int64_t)length;
  size_t room = result->body_capacity - result->body_length;
  size_t kept = length < room ? length : room;
  if (kept) memcpy(result->body + result->body_length, data, kept);
  result->body_length += kept;
  return length;
}

static int progress(void *context, int64_t a, int64_t b, int64_t c, int64_t d) {
  (void)a, (void)b, (void)c, (void)d;
  return __atomic_load_n((const int *)context, __ATOMIC_RELAXED) != 0;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

void penstock_http_get(
  const char *url, long timeout_milliseconds, const int *cancel, penstock_http_result *result) {
  result->status = 0;
  result->microseconds = 0;
  result->body_size = 0;
  result->body_length = 0;
  result->error[0] = 0;
  const char *error;
  if (!penstock_http_available(&error)) {
    result->outcome = PENSTOCK_HTTP_UNSUPPORTED;
    snprintf(result->error, sizeof result->error, "%s", error);
    return;
  }
  void *handle = curl.easy_init();
  if (!handle) {
    result->outcome = PENSTOCK_HTTP_FAILED;
    snprintf(result->error, sizeof result->error, "libcurl gave no handle");
    return;
  }
  char detail[ERROR_SIZE] = "";
  curl.easy_setopt(handle, OPTION_URL, url);
  curl.easy_setopt(handle, OPTION_NOSIGNAL, 1L);
  curl.easy_setopt(handle, OPTION_TIMEOUT_MS, timeout_milliseconds);
  curl.easy_setopt(handle, OPTION_CONNECTTIMEOUT_MS, timeout_milliseconds);
  curl.easy_setopt(handle, OPTION_FOLLOWLOCATION, 1L);
  curl.easy_setopt(handle, OPTION_MAXREDIRS, 5L);
  curl.easy_setopt(handle, OPTION_PROTOCOLS, (long)PROTOCOLS_HTTP);
  curl.easy_setopt(handle, OPTION_REDIR_PROTOCOLS, (long)PROTOCOLS_HTTP);
  curl.easy_setopt(handle, OPTION_USERAGENT, "penstock");
  curl.easy_setopt(handle, OPTION_ERRORBUFFER, detail);
  curl.easy_setopt(handle, OPTION_WRITEFUNCTION, receive);
  curl.easy_setopt(handle, OPTION_WRITEDATA, result);
  if (cancel) {
    curl.easy_setopt(handle, OPTION_NOPROGRESS, 0L);
    curl.easy_setopt(handle, OPTION_XFERINFOFUNCTION, progress);
    curl.easy_setopt(handle, OPTION_XFERINFODATA, (void *)cancel);
  }
  int64_t start = now();
  int code = curl.easy_perform(handle);
  result->microseconds = now() - start;
  long status = 0;
  curl.easy_getinfo(handle, INFO_RESPONSE_CODE, &status);
  result->status = (int)status;
  switch (code) {
    case CODE_OK: result->outcome = PENSTOCK_HTTP_ANSWERED; break;
    case CODE_TIMED_OUT: result->outcome = PENSTOCK_HTTP_TIMED_OUT; break;
    case CODE_ABORTED: result->outcome = PENSTOCK_HTTP_CANCELLED; break;
    default: result->outcome = PENSTOCK_HTTP_FAILED;
  }
  if (code != CODE_OK) {
    snprintf(result->error, sizeof result->error, "%s",
      detail[0] ? detail : curl.easy_strerror(code));
  }
  curl.easy_cleanup(handle);
}
