// A disk that is slow, full or fails: preloaded into the processes of a system, it acts in the router alone,
// as the file says that PENSTOCK_DISK names. Tests/Faults/disk.py writes it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile struct {
  uint32_t delay_milliseconds;
  uint32_t is_full;
  // So many syncs fail.
  uint32_t failing_syncs;
} *disk;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("PENSTOCK_DISK");
  if (!path || strcmp(program_invocation_short_name, "penstock-router")) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) disk = page;
}

static int is_full(int file) {
  struct stat status;
  return disk && disk->is_full && !fstat(file, &status) && S_ISREG(status.st_mode);
}

static int syncs(const char *name, int file) {
  if (disk && disk->delay_milliseconds) usleep(disk->delay_milliseconds * 1000);
  if (disk && disk->failing_syncs) {
    disk->failing_syncs--;
    errno = EIO;
    return -1;
  }
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return next(file);
}

int fsync(int file) { return syncs("fsync", file); }
int fdatasync(int file) { return syncs("fdatasync", file); }

#define WRITING(name, parameters, arguments)                                        \
  ssize_t name parameters {                                                         \
    static ssize_t(*next) parameters;                                               \
    if (is_full(file)) {                                                            \
      errno = ENOSPC;                                                               \
      return -1;                                                                    \
    }                                                                               \
    if (!next) next = (ssize_t(*) parameters)dlsym(RTLD_NEXT, #name);               \
    return next arguments;                                                          \
  }

WRITING(write, (int file, const void *bytes, size_t size), (file, bytes, size))
WRITING(pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
WRITING(pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at))
