#include "CSQLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static penstock_sqlite table;
static char message[512];
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(message, sizeof message, "SQLite's library is missing: %s", dlerror());
    return;
  }
  struct { const char *name; void **place; } symbols[] = {
#define SYMBOL(name) { "sqlite3_" #name, (void **)&table.name }
    SYMBOL(open_v2), SYMBOL(close_v2), SYMBOL(exec), SYMBOL(prepare_v2), SYMBOL(step),
    SYMBOL(reset), SYMBOL(finalize), SYMBOL(bind_blob), SYMBOL(bind_text), SYMBOL(bind_int64),
    SYMBOL(bind_null), SYMBOL(column_blob), SYMBOL(column_text), SYMBOL(column_bytes),
    SYMBOL(column_int64), SYMBOL(column_type), SYMBOL(errmsg), SYMBOL(extended_errcode),
    SYMBOL(busy_timeout),
#undef SYMBOL
  };
  for (unsigned i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    *symbols[i].place = dlsym(library, symbols[i].name);
    if (!*symbols[i].place) {
      snprintf(message, sizeof message, "libsqlite3.so.0 has no function %s", symbols[i].name);
      return;
    }
  }
  is_loaded = 1;
}

const penstock_sqlite *penstock_sqlite_load(const char **error) {
  pthread_once(&once, load);
  if (is_loaded) return &table;
  *error = message;
  return 0;
}
