/* The time of day as a test wants it: loaded before the C library (LD_PRELOAD), it adds the seconds that stand in the
   file ARENA_TEST_CLOCK to every answer. Clocks that only count (monotonic ones) go on as they are, as they do when
   somebody sets a machine's clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *offset;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("ARENA_TEST_CLOCK");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    void *mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED)
        offset = mapped;
    close(file);
}

static int64_t shift(void) { return offset == NULL ? 0 : *offset; }

int clock_gettime(clockid_t which, struct timespec *time)
{
    int answer = (int)syscall(SYS_clock_gettime, which, time);
    if (answer == 0 && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
        time->tv_sec += shift();
    return answer;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL)
        *result = now.tv_sec;
    return now.tv_sec;
}
