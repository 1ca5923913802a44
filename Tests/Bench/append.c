/* Bare appends to a SQLite file with a write-ahead log, each batch a transaction that is synced. What
   Deploy/bench compares the journal with; compiled by it:

     cc -O2 -ISources/CSQLite/include -o append Tests/Bench/append.c Sources/CSQLite/CSQLite.c
     ./append FILE --records 100000 --batch 100 */
#include <CSQLite.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 100 };

static const penstock_sqlite *sqlite;
static sqlite3 *database;

static void check(int code, const char *what) {
  if (code == PENSTOCK_SQLITE_OK || code == PENSTOCK_SQLITE_DONE) return;
  fprintf(stderr, "append: %s: %s\n", what, sqlite->errmsg(database));
  exit(1);
}

static void execute(const char *text) { check(sqlite->exec(database, text, NULL, NULL, NULL), text); }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

int main(int count, char **arguments) {
  long records = 100000, batch = 100;
  for (int i = 2; i < count; i++) {
    long *value = !strcmp(arguments[i], "--records") ? &records
      : !strcmp(arguments[i], "--batch")             ? &batch
                                                     : NULL;
    if (!value || ++i == count || (*value = atol(arguments[i])) < 1) count = 0;
  }
  if (count < 2) {
    fprintf(stderr, "usage: append FILE [--records N] [--batch N]\n"
      "  prints one JSON object: records a second, and the median of a batch in microseconds\n");
    return 2;
  }
  const char *error;
  if (!(sqlite = penstock_sqlite_load(&error))) {
    fprintf(stderr, "append: %s\n", error);
    return 1;
  }
  int flags = PENSTOCK_SQLITE_OPEN_READWRITE | PENSTOCK_SQLITE_OPEN_CREATE;
  check(sqlite->open_v2(arguments[1], &database, flags, NULL), "open");
  execute("PRAGMA journal_mode=WAL");
  execute("PRAGMA synchronous=FULL");
  execute("CREATE TABLE entries(position INTEGER PRIMARY KEY, payload BLOB)");
  sqlite3_stmt *insert;
  check(sqlite->prepare_v2(database, "INSERT INTO entries VALUES(NULL, ?)", -1, &insert, NULL),
    "prepare");
  char payload[BYTES];
  memset(payload, 'x', sizeof payload);
  long batches = (records + batch - 1) / batch;
  double *times = malloc(sizeof *times * (size_t)batches);
  if (!times) return 1;
  double start = now();
  for (long i = 0; i < batches; i++) {
    double begin = now();
    execute("BEGIN IMMEDIATE");
    for (long j = 0; j < batch; j++) {
      check(sqlite->bind_blob(insert, 1, payload, sizeof payload, NULL), "bind");
      check(sqlite->step(insert), "insert");
      sqlite->reset(insert);
    }
    execute("COMMIT");
    times[i] = now() - begin;
  }
  double seconds = now() - start;
  qsort(times, (size_t)batches, sizeof *times, compare);
  printf("{\"batch\":%ld,\"perSecond\":%.0f,\"p50\":%.1f}\n", batch,
    (double)(batches * batch) / seconds, times[batches / 2] * 1e6);
  sqlite->finalize(insert);
  sqlite->close_v2(database);
  return 0;
}
