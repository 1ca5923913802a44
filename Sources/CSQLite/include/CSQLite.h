#pragma once
#include <stdint.h>

/* SQLite, opened when first used: a process that keeps no journal never maps it. Only what the
   journal calls is declared; these parts of SQLite's interface have been stable since 3.7. */

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

#define PENSTOCK_SQLITE_OK 0
#define PENSTOCK_SQLITE_BUSY 5
#define PENSTOCK_SQLITE_IOERR 10
#define PENSTOCK_SQLITE_CORRUPT 11
#define PENSTOCK_SQLITE_FULL 13
#define PENSTOCK_SQLITE_NOTADB 26
#define PENSTOCK_SQLITE_ROW 100
#define PENSTOCK_SQLITE_DONE 101
#define PENSTOCK_SQLITE_NULL 5
#define PENSTOCK_SQLITE_OPEN_READONLY 0x1
#define PENSTOCK_SQLITE_OPEN_READWRITE 0x2
#define PENSTOCK_SQLITE_OPEN_CREATE 0x4
#define PENSTOCK_SQLITE_OPEN_URI 0x40
#define PENSTOCK_SQLITE_OPEN_NOMUTEX 0x8000

typedef struct penstock_sqlite {
  int (*open_v2)(const char *, sqlite3 **, int, const char *);
  int (*close_v2)(sqlite3 *);
  int (*exec)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
  int (*prepare_v2)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
  int (*step)(sqlite3_stmt *);
  int (*reset)(sqlite3_stmt *);
  int (*finalize)(sqlite3_stmt *);
  int (*bind_blob)(sqlite3_stmt *, int, const void *, int, void (*)(void *));
  int (*bind_text)(sqlite3_stmt *, int, const char *, int, void (*)(void *));
  int (*bind_int64)(sqlite3_stmt *, int, int64_t);
  int (*bind_null)(sqlite3_stmt *, int);
  const void *(*column_blob)(sqlite3_stmt *, int);
  const unsigned char *(*column_text)(sqlite3_stmt *, int);
  int (*column_bytes)(sqlite3_stmt *, int);
  int64_t (*column_int64)(sqlite3_stmt *, int);
  int (*column_type)(sqlite3_stmt *, int);
  const char *(*errmsg)(sqlite3 *);
  int (*extended_errcode)(sqlite3 *);
  int (*busy_timeout)(sqlite3 *, int);
} penstock_sqlite;

/* The functions; NULL when the library is missing or lacks one, and `*error` says which. */
const penstock_sqlite *penstock_sqlite_load(const char **error);
