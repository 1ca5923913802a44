#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

int penstock_event_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void penstock_event_signal(int fd) {
  uint64_t one = 1;
  while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {}
}

void penstock_event_clear(int fd) {
  uint64_t count;
  while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {}
}

int penstock_signals_open(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int penstock_signals_next(int fd) {
  struct signalfd_siginfo info;
  ssize_t size;
  do size = read(fd, &info, sizeof info);
  while (size < 0 && errno == EINTR);
  return size == sizeof info ? (int)info.ssi_signo : 0;
}

void penstock_signals_unblock(void) {
  sigset_t set;
  sigemptyset(&set);
  pthread_sigmask(SIG_SETMASK, &set, NULL);
}

void penstock_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

int penstock_die_with_parent(int number, int expected_parent) {
  if (prctl(PR_SET_PDEATHSIG, number) != 0) return -1;
  if (getppid() != expected_parent) {
    errno = ESRCH;
    return -1;
  }
  return 0;
}

int penstock_lock(int fd) {
  int result;
  do result = flock(fd, LOCK_EX | LOCK_NB);
  while (result < 0 && errno == EINTR);
  return result;
}

static int64_t microseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t penstock_monotonic_microseconds(void) { return microseconds(CLOCK_MONOTONIC); }
int64_t penstock_elapsed_microseconds(void) { return microseconds(CLOCK_BOOTTIME); }
int64_t penstock_wall_microseconds(void) { return microseconds(CLOCK_REALTIME); }

void *penstock_map_page(int fd) {
  long size = sysconf(_SC_PAGESIZE);
  if (ftruncate(fd, size) != 0) return NULL;
  void *page = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return page == MAP_FAILED ? NULL : page;
}

void penstock_page_store(void *page, int index, uint64_t value) {
  __atomic_store_n((uint64_t *)page + index, value, __ATOMIC_RELAXED);
}

uint64_t penstock_page_load(const void *page, int index) {
  return __atomic_load_n((const uint64_t *)page + index, __ATOMIC_RELAXED);
}

int64_t penstock_raise_open_files(int64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  rlim_t target = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
  if (limit.rlim_cur < target) {
    limit.rlim_cur = target;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  }
  return (int64_t)limit.rlim_cur;
}

int penstock_socket_is_served(const char *path) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  int result = connect(fd, (struct sockaddr *)&address, sizeof address);
  int error = errno;
  close(fd);
  if (result == 0 || error == EAGAIN || error == EINPROGRESS) return 1;
  errno = error;
  return error == ECONNREFUSED || error == ENOENT ? 0 : -1;
}

void penstock_bound_heap(void) {
  mallopt(M_ARENA_MAX, 1);
  // Given values, these don't grow with the largest block that was freed.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 128 << 10);
}

static int release_segments(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  // The kernel's own; and code that relocations wrote to is no longer what its file holds.
  if (strncmp(object->dlpi_name, "linux-vdso", 10) == 0) return 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return 0;
      if (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL) return 0;
    }
  }
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & -page;
    uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz) & -page;
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void penstock_release_memory(void) {
  malloc_trim(0);
  dl_iterate_phdr(release_segments, NULL);
}

int64_t penstock_resident_kilobytes(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return -1;
  long total = 0, resident = 0;
  int fields = fscanf(file, "%ld %ld", &total, &resident);
  fclose(file);
  return fields == 2 ? (int64_t)resident * (sysconf(_SC_PAGESIZE) / 1024) : -1;
}

uint64_t penstock_random(void) {
  uint64_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {}
  return value;
}

static uint64_t mixed(uint64_t value, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) value = (value ^ bytes[i]) * 0x100000001B3u;
  return value;
}

/* The program itself comes first; its note of type 3 of "GNU" is the linker's id. */
static int find_build_id(struct dl_phdr_info *info, size_t size, void *result) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_NOTE) continue;
    const unsigned char *at = (const unsigned char *)(info->dlpi_addr + segment->p_vaddr);
    const unsigned char *end = at + segment->p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const ElfW(Nhdr) *note = (const void *)at;
      const unsigned char *name = at + sizeof *note;
      const unsigned char *body = name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == 3 && note->n_namesz == 4 && !memcmp(name, "GNU", 4)
          && body + note->n_descsz <= end)
        *(uint64_t *)result = mixed(0xCBF29CE484222325u, body, note->n_descsz);
      at = body + ((note->n_descsz + 3) & ~3u);
    }
  }
  return 1;
}

uint64_t penstock_build_id(void) {
  uint64_t id = 0;
  dl_iterate_phdr(find_build_id, &id);
  if (id) return id;
  FILE *file = fopen("/proc/self/exe", "re");
  if (!file) return 0;
  unsigned char buffer[1 << 14];
  size_t count;
  id = 0xCBF29CE484222325u;
  while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) id = mixed(id, buffer, count);
  fclose(file);
  return id;
}

void penstock_name_thread(const char *name) {
  char kept[16];
  snprintf(kept, sizeof kept, "%s", name);
  pthread_setname_np(pthread_self(), kept);
}

void penstock_print_thread(const char *rest) {
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  (void)!write(2, name, strlen(name));
  (void)!write(2, rest, strlen(rest));
}
