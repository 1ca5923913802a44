#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What Swift's Glibc module does not show, or shows under two meanings. -1 is failure, errno says
   why, unless a comment says otherwise. */

/* Wakes a poller from another thread. Close on exec, never blocks. */
int penstock_event_open(void);
void penstock_event_signal(int fd);
void penstock_event_clear(int fd);

/* Blocks the signals in the calling thread (and in threads it makes later) and delivers them through
   the returned descriptor instead. */
int penstock_signals_open(const int *signals, int count);
/* The next signal that waits; 0 when there is none. */
int penstock_signals_next(int fd);
/* Unblocks every signal; for a child before it runs another program. */
void penstock_signals_unblock(void);
void penstock_ignore_broken_pipes(void);

/* Sends `signal` to this process when its parent's thread ends; fails with ESRCH when the parent is
   gone already. */
int penstock_die_with_parent(int signal, int expected_parent);

/* An exclusive lock on an open file; EWOULDBLOCK when another process holds it. */
int penstock_lock(int fd);

int64_t penstock_monotonic_microseconds(void);
/* Goes on while the machine is suspended. */
int64_t penstock_elapsed_microseconds(void);
int64_t penstock_wall_microseconds(void);

/* One page of the file, shared and writable; NULL on failure. */
void *penstock_map_page(int fd);
void penstock_page_store(void *page, int index, uint64_t value);
uint64_t penstock_page_load(const void *page, int index);

/* The limit on open files after raising the soft limit to the hard one, `wanted` at most. */
int64_t penstock_raise_open_files(int64_t wanted);

/* 1 when somebody accepts connections at the path, 0 when nobody does, -1 when that can't be told. */
int penstock_socket_is_served(const char *path);

/* Makes malloc give back what is freed: one heap for all threads, and large blocks mapped one by one.
   Call it before any thread begins. */
void penstock_bound_heap(void);
/* Gives back free pages of the heap, and unmaps the clean pages of the executable and its libraries
   (most were needed for the start only); those that are needed again come from the page cache. */
void penstock_release_memory(void);
/* Resident memory of this process in kB. */
int64_t penstock_resident_kilobytes(void);

/* Bytes that the kernel's random generator gave. */
uint64_t penstock_random(void);

/* Which build of a program this process runs: a number made of the id that the linker gave it, or of the
   program's bytes when it gave none; 0 when neither can be read. */
uint64_t penstock_build_id(void);

/* Names the calling thread, for debuggers and `ps -L`; 15 bytes are kept. */
void penstock_name_thread(const char *name);

/* Writes the calling thread's name and then the text to standard error; safe in a signal's handler. */
void penstock_print_thread(const char *rest);
