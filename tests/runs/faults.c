/* Loaded before the C library: a machine whose clock jumps, whose file systems have no locks, whose disk is full, or
   that dies at a given moment. The last two count what is done to files in a folder. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int has_fault(const char* name) {
  const char* faults = getenv("NASHGAP_TEST_FAULTS");
  return faults != NULL && strstr(faults, name) != NULL;
}

static long jump(void) { /* of days, to and fro */
  static unsigned calls;
  return has_fault("clock") ? ((long)(++calls * 2654435761u % 2001) - 1000) * 86400 : 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  int (*real)(clockid_t, struct timespec*) = dlsym(RTLD_NEXT, "clock_gettime");
  int status = real(clock, now);
  if (status == 0 && clock == CLOCK_REALTIME) now->tv_sec += jump();
  return status;
}

int gettimeofday(struct timeval* now, void* zone) {
  int (*real)(struct timeval*, void*) = dlsym(RTLD_NEXT, "gettimeofday");
  int status = real(now, zone);
  if (status == 0) now->tv_sec += jump();
  return status;
}

int flock(int file, int operation) {
  int (*real)(int, int) = dlsym(RTLD_NEXT, "flock");
  if (has_fault("flock")) return errno = ENOLCK, -1;
  return real(file, operation);
}

static int lock_or_control(const char* name, int file, int command, void* argument) {
  int (*real)(int, int, ...) = dlsym(RTLD_NEXT, name);
  if (has_fault("fcntl") && (command == F_SETLK || command == F_SETLKW || command == F_GETLK)) return errno = ENOLCK, -1;
  return real(file, command, argument);
}

int fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return lock_or_control("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return lock_or_control("fcntl64", file, command, argument);
}

/* Set in the process itself: after so many more changes of files in the folder it is killed, or its disk is full. */
char nashgap_test_folder[PATH_MAX];
long nashgap_test_deadline = LONG_MAX;
long nashgap_test_room = LONG_MAX;

static int is_watched(const char* path) {
  return *nashgap_test_folder && path != NULL && strncmp(path, nashgap_test_folder, strlen(nashgap_test_folder)) == 0;
}

static int is_file_watched(int file) {
  char link[64], path[PATH_MAX];
  if (!*nashgap_test_folder) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_watched(path);
}

static void change(int watched) {
  if (watched && nashgap_test_deadline-- == 0) kill(getpid(), SIGKILL);
}

static int is_full(int watched) {
  if (!watched) return 0;
  if (nashgap_test_room > 0) return --nashgap_test_room, 0;
  return errno = ENOSPC, 1;
}

#define REAL(name, ...) ((__typeof__(name)*)dlsym(RTLD_NEXT, #name))(__VA_ARGS__)
#define WRITING(name, arguments, ...)         \
  ssize_t name arguments {                    \
    int watched = is_file_watched(file);      \
    change(watched);                          \
    return is_full(watched) ? -1 : REAL(name, __VA_ARGS__); \
  }
#define CHANGING(name, watched, arguments, ...) \
  int name arguments {                          \
    change(watched);                            \
    return REAL(name, __VA_ARGS__);             \
  }
#define OPENING(name)                                             \
  int name(const char* path, int flags, ...) {                    \
    va_list arguments;                                            \
    va_start(arguments, flags);                                   \
    mode_t mode = va_arg(arguments, mode_t);                      \
    va_end(arguments);                                            \
    int watched = (flags & O_CREAT) && is_watched(path);          \
    change(watched);                                              \
    return is_full(watched) ? -1 : REAL(name, path, flags, mode); \
  }

OPENING(open)
OPENING(open64)
WRITING(write, (int file, const void* data, size_t size), file, data, size)
WRITING(pwrite, (int file, const void* data, size_t size, off_t place), file, data, size, place)
WRITING(pwrite64, (int file, const void* data, size_t size, off64_t place), file, data, size, place)
CHANGING(ftruncate, is_file_watched(file), (int file, off_t size), file, size)
CHANGING(ftruncate64, is_file_watched(file), (int file, off64_t size), file, size)
CHANGING(fsync, is_file_watched(file), (int file), file)
CHANGING(fdatasync, is_file_watched(file), (int file), file)
CHANGING(rename, is_watched(from), (const char* from, const char* to), from, to)
CHANGING(unlink, is_watched(path), (const char* path), path)
CHANGING(mkdir, is_watched(path), (const char* path, mode_t mode), path, mode)
