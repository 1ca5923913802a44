#pragma once
#include <stddef.h>
#include <stdint.h>

/* One HTTP request through libcurl, which is opened when the first one is made. */

typedef enum penstock_http_outcome {
  /* An answer came; `status` holds its code. */
  PENSTOCK_HTTP_ANSWERED = 0,
  PENSTOCK_HTTP_TIMED_OUT = 1,
  PENSTOCK_HTTP_CANCELLED = 2,
  /* No answer: name, connection, TLS, protocol. */
  PENSTOCK_HTTP_FAILED = 3,
  /* libcurl is not installed, or not usable. */
  PENSTOCK_HTTP_UNSUPPORTED = 4,
} penstock_http_outcome;

typedef struct penstock_http_result {
  penstock_http_outcome outcome;
  int status;
  int64_t microseconds;
  /* Bytes of the answer's body, all of them; `body` holds the first ones. */
  int64_t body_size;
  size_t body_length;
  char *body;
  size_t body_capacity;
  char error[256];
} penstock_http_result;

/* A GET that blocks the calling thread until the answer is there, the time is over or `*cancel` is
   not zero (looked at several times a second and with every piece of data; NULL is "never").
   Follows at most five redirects, http and https only, certificates checked. The caller provides
   `body` and `body_capacity`. */
void penstock_http_get(
  const char *url, long timeout_milliseconds, const int *cancel, penstock_http_result *result);

/* 1 when libcurl could be opened; otherwise `*error` says why not. */
int penstock_http_available(const char **error);
