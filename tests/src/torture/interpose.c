/* Stands between a server and its machine, and does what a file of orders says: a wall clock that is off by some seconds, and a disk
 * on which nothing grows any more. Time that only passes, and what standard output and standard error take, stay as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct orders {
    volatile int64_t obeyed, seconds, full;
};

static struct orders none;
static struct orders *orders = &none;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("INTERPOSE_ORDERS");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0)
        return;
    void *memory = mmap(NULL, sizeof(struct orders), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return;
    orders = memory;
    orders->obeyed = 1;
}

/* The function of the machine that one of these stands before. */
#define REAL(result, name, ...)                                                                                                        \
    static result (*real)(__VA_ARGS__);                                                                                                \
    if (!real)                                                                                                                         \
    real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(int, "clock_gettime", clockid_t, struct timespec *);
    int failed = real(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += orders->seconds;
    return failed;
}

/* Whether a write is refused: it would make a file longer. */
static int refused(int file, off_t end) {
    struct stat status;
    if (!orders->full || file <= STDERR_FILENO || fstat(file, &status) || !S_ISREG(status.st_mode) || end <= status.st_size)
        return 0;
    errno = ENOSPC;
    return 1;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    return refused(file, at + (off_t)length) ? -1 : real(file, bytes, length, at);
}

ssize_t write(int file, const void *bytes, size_t length) {
    REAL(ssize_t, "write", int, const void *, size_t);
    return orders->full && refused(file, lseek(file, 0, SEEK_CUR) + (off_t)length) ? -1 : real(file, bytes, length);
}
