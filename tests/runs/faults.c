/* Loaded before the C library: a machine whose clock jumps, or whose file systems have no locks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

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
