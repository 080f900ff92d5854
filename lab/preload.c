/*
 * Preloaded into the ranks of a lab (libcrosstalk-lab.so). What a machine with fewer cores than
 * ranks needs:
 *
 * 1. Waiting ranks sleep. MPI libraries spin: MPICH's UCX and Open MPI's libevent (set to use
 * epoll, see launch.c) ask their sockets with epoll_wait(..., timeout 0) without end, and with more
 * ranks than cores a rank that waits burns the time slices of the one it waits for. After a few
 * empty questions in a row the question is put with a timeout, so that the rank sleeps and is woken
 * by the packet. The timeout doubles from one empty question to the next, up to a limit: a program
 *    that waits for a time of day by polling MPI is late by no more than it has waited, and no more
 *    than the limit.
 *
 * 2. MPI_Finalize ends. UCX 1.13 over TCP often hangs in the flush before a disconnect (openucx/ucx
 *    issue 8738). After a barrier at the start of MPI_Finalize nothing is left to flush, so
 *    disconnecting is said to be complete at once, and the end of the process closes the sockets.
 *    For MPICH only.
 *
 * 3. Open MPI's mpiexec, into which it is loaded as well, does not warn that setpgid() failed for a
 *    child that was faster than its parent, which happens in every second start and means nothing.
 *
 * 4. Where a lab imitates a machine (lab/like.h), a message costs its sender, and its receiver, as
 *    much time as that machine's overhead says: UCX is asked to send that much later, less what it
 *    takes itself, and MPICH learns that much later that a receive has ended. It is no time of the
 *    processor, which may serve other ranks.
 *
 * No MPI header: the library is loaded into programs that may bring any MPI, or none.
 */
#include "core/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Empty questions in a row before the first sleep: an answer that is on its way comes without one.
   16 ranks that wait cost 0.44 of a core with a limit of 200 us, 0.15 with 1000 us. */
enum { PATIENCE = 4, SLEEP_FIRST_US = 100, SLEEP_LIMIT_US = 1000 };
/* A longer time between two questions means that the program did something else. */
static const double in_a_row_s = 50e-6;

/* MPI_COMM_WORLD in MPICH's ABI. */
static const int mpich_comm_world = 0x44000000;

typedef int mpi_no_argument_fn(void);
typedef int mpi_comm_fn(int);
typedef int mpi_version_fn(char *, int *);

int MPI_Finalize(void);
int PMPI_Finalize(void);
void *ucp_disconnect_nb(void *endpoint);

static void *find_next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* ---- waiting ---- */

/* A limit above the usual one is for programs that do nothing between their messages: they sleep
   that long at once, so that ranks wake for messages only. */
static long first_us(long limit_us)
{
    return limit_us > SLEEP_LIMIT_US ? limit_us : SLEEP_FIRST_US;
}

/* A preloaded library has no main that could own its state: this is all of it. */
static _Thread_local struct {
    int fd;
    int empty_in_a_row;
    long sleep_us; /* the next one */
    double last_s; /* when the last question was answered */
} asked;

static long limit_us(void)
{
    static long limit = -1; /* the same for every thread that computes it */
    if (limit < 0) {
        const char *text = getenv("CROSSTALK_LAB_POLL_US");
        long wanted = text ? strtol(text, NULL, 10) : SLEEP_LIMIT_US;
        limit = wanted < 0 || wanted > 1000000 ? SLEEP_LIMIT_US : wanted;
    }
    return limit;
}

static int wait_ms(int fd, struct epoll_event *events, int max_events, int timeout_ms)
{
    return (int)syscall(SYS_epoll_pwait, fd, events, max_events, timeout_ms, NULL, (size_t)8);
}

static int wait_us(int fd, struct epoll_event *events, int max_events, long timeout_us)
{
    struct timespec timeout = {.tv_nsec = timeout_us % 1000000 * 1000,
                               .tv_sec = timeout_us / 1000000};
    int n = (int)syscall(SYS_epoll_pwait2, fd, events, max_events, &timeout, NULL, (size_t)8);
    if (n < 0 && errno == ENOSYS) /* before Linux 5.11 */
        return wait_ms(fd, events, max_events, 0);
    if (n < 0 && errno == EINTR) /* cannot happen to a caller that does not wait */
        return 0;
    return n;
}

/* The C library's parameters have reserved names, so ours differ. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
EXPORT int epoll_wait(int fd, struct epoll_event *events, int max_events, int timeout_ms)
{
    if (timeout_ms != 0)
        return wait_ms(fd, events, max_events, timeout_ms);
    if (asked.fd != fd || ct_clock_now_s() - asked.last_s > in_a_row_s)
        asked.empty_in_a_row = 0;
    asked.fd = fd;
    int n;
    if (asked.empty_in_a_row < PATIENCE || limit_us() == 0) {
        n = wait_ms(fd, events, max_events, 0);
        asked.sleep_us = first_us(limit_us());
    } else {
        long sleep_us = asked.sleep_us < limit_us() ? asked.sleep_us : limit_us();
        n = wait_us(fd, events, max_events, sleep_us);
        asked.sleep_us = 2 * sleep_us;
    }
    if (n != 0)
        asked.empty_in_a_row = 0;
    else if (asked.empty_in_a_row < PATIENCE)
        asked.empty_in_a_row++;
    asked.last_s = ct_clock_now_s();
    return n;
}

/* ---- overheads ---- */

static double overhead_s(void)
{
    static double overhead = -1; /* the same for every thread that computes it */
    if (overhead < 0) {
        const char *text = getenv("CROSSTALK_LAB_OVERHEAD_NS");
        double wanted_ns = text ? strtod(text, NULL) : 0;
        overhead = wanted_ns > 0 && wanted_ns < 1e9 ? 1e-9 * wanted_ns : 0;
    }
    return overhead;
}

static _Thread_local struct {
    bool is_set;
    double own_s; /* what the call before took */
} filled;

/* Sleep for what the call that comes will not take itself. */
static double fill_overhead(void)
{
    if (!filled.is_set)
        (void)prctl(PR_SET_TIMERSLACK, 1);
    filled.is_set = true;
    double until_s = ct_clock_now_s() + overhead_s() - filled.own_s;
    struct timespec until = {.tv_sec = (time_t)until_s};
    until.tv_nsec = (long)(1e9 * (until_s - (double)until.tv_sec));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
    return ct_clock_now_s();
}

static void note_own(double from_s)
{
    double own_s = ct_clock_now_s() - from_s;
    filled.own_s = own_s < overhead_s() / 2 ? own_s : overhead_s() / 2;
}

/* Where a receive ends: in a call of UCX's progress, one after another. */
static void fill_receive(void)
{
    filled.own_s = 0;
    (void)fill_overhead();
}

/* As much of ucp_request_param_t as is needed; of UCX from 1.10 on. */
struct ucp_parameters {
    uint32_t mask, flags;
    void *request;
    void *callback;
};
enum { HAS_CALLBACK = 1 << 1 };

typedef void ucp_received_fn(void *, int, const void *, void *);
typedef void *ucp_message_fn(void *, void *, size_t, uint64_t, const void *);
typedef void *ucp_receive_fn(void *, void *, size_t, uint64_t, uint64_t, const void *);

ucp_message_fn ucp_tag_send_nbx, ucp_tag_send_sync_nbx, ucp_tag_msg_recv_nbx;
ucp_receive_fn ucp_tag_recv_nbx;

/* An MPI has one or two functions that are called where a receive has ended; ours, in front of
   each, do not change any more once they are used. */
enum { RECEIVED_MAX = 4 };
static ucp_received_fn *received[RECEIVED_MAX];

#define RECEIVED(n_)                                                                               \
    static void received_##n_(void *request, int status, const void *about, void *data)            \
    {                                                                                              \
        if (status == 0)                                                                           \
            fill_receive();                                                                        \
        received[n_](request, status, about, data);                                                \
    }
RECEIVED(0)
RECEIVED(1)
RECEIVED(2)
RECEIVED(3)
static ucp_received_fn *const in_front[RECEIVED_MAX] = {received_0, received_1, received_2,
                                                        received_3};

/* NULL: too many. */
static ucp_received_fn *put_in_front(ucp_received_fn *theirs)
{
    for (size_t i = 0; i < RECEIVED_MAX; i++) {
        ucp_received_fn *none = NULL;
        if (__atomic_compare_exchange_n(&received[i], &none, theirs, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST) ||
            none == theirs)
            return in_front[i];
    }
    return NULL;
}

/* With our function in the parameters, which belong to the caller and are read during the call. */
static ucp_received_fn *take_callback(const void *parameters)
{
    struct ucp_parameters *theirs = (struct ucp_parameters *)parameters;
    if (!(theirs->mask & HAS_CALLBACK))
        return NULL;
    ucp_received_fn *callback = (ucp_received_fn *)theirs->callback;
    ucp_received_fn *ours = put_in_front(callback);
    if (!ours)
        return NULL;
    theirs->callback = (void *)ours;
    return callback;
}

/* A receive that has ended at once has no callback; nor one that asks for itself. */
static void *end_post(void *request, const void *parameters, ucp_received_fn *callback)
{
    if (callback)
        ((struct ucp_parameters *)parameters)->callback = (void *)callback;
    if (!request || !callback)
        fill_receive();
    return request;
}

/* Each of these has its function of the next library, which does not change. */
#define FIND_NEXT(type_, name_)                                                                    \
    static type_ *next;                                                                            \
    if (!next)                                                                                     \
        next = (type_ *)find_next(name_);                                                          \
    if (!next)                                                                                     \
    abort()

static void *send_filled(ucp_message_fn *next, void *endpoint, void *buffer, size_t n, uint64_t tag,
                         const void *parameters)
{
    if (overhead_s() == 0)
        return next(endpoint, buffer, n, tag, parameters);
    double from_s = fill_overhead();
    void *request = next(endpoint, buffer, n, tag, parameters);
    note_own(from_s);
    return request;
}

EXPORT void *ucp_tag_send_nbx(void *endpoint, void *buffer, size_t n, uint64_t tag,
                              const void *parameters)
{
    FIND_NEXT(ucp_message_fn, "ucp_tag_send_nbx");
    return send_filled(next, endpoint, buffer, n, tag, parameters);
}

EXPORT void *ucp_tag_send_sync_nbx(void *endpoint, void *buffer, size_t n, uint64_t tag,
                                   const void *parameters)
{
    FIND_NEXT(ucp_message_fn, "ucp_tag_send_sync_nbx");
    return send_filled(next, endpoint, buffer, n, tag, parameters);
}

EXPORT void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t n, uint64_t tag, uint64_t mask,
                              const void *parameters)
{
    FIND_NEXT(ucp_receive_fn, "ucp_tag_recv_nbx");
    if (overhead_s() == 0)
        return next(worker, buffer, n, tag, mask, parameters);
    ucp_received_fn *callback = take_callback(parameters);
    return end_post(next(worker, buffer, n, tag, mask, parameters), parameters, callback);
}

/* Of a message that a probe has found. */
EXPORT void *ucp_tag_msg_recv_nbx(void *worker, void *buffer, size_t n, uint64_t message,
                                  const void *parameters)
{
    FIND_NEXT(ucp_message_fn, "ucp_tag_msg_recv_nbx");
    if (overhead_s() == 0)
        return next(worker, buffer, n, message, parameters);
    ucp_received_fn *callback = take_callback(parameters);
    return end_post(next(worker, buffer, n, message, parameters), parameters, callback);
}

/* ---- starting ---- */

/* EACCES: the child runs another program already. It has made its group itself before that. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
EXPORT int setpgid(pid_t process, pid_t group)
{
    int before = errno;
    long result = syscall(SYS_setpgid, process, group);
    if (result == 0 || errno != EACCES)
        return (int)result;
    errno = before;
    return 0;
}

/* ---- finalizing ---- */

static bool finalizing;

static bool is_mpich(void)
{
    mpi_version_fn *get_version = (mpi_version_fn *)find_next("MPI_Get_library_version");
    char text[8192] = "";
    int length = 0;
    return get_version && get_version(text, &length) == 0 && strncmp(text, "MPICH", 5) == 0;
}

/* Not find_next(): this barrier is no call of the program, which is what a tracer in between
 * records. */
static mpi_comm_fn *barrier_of_library(void)
{
    Dl_info info;
    void *of_library = find_next("MPI_Get_library_version");
    void *library = of_library && dladdr(of_library, &info)
                        ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                        : NULL;
    return library ? (mpi_comm_fn *)dlsym(library, "PMPI_Barrier") : NULL;
}

static int finalize_by(const char *name)
{
    mpi_no_argument_fn *finalize = (mpi_no_argument_fn *)find_next(name);
    mpi_comm_fn *barrier = barrier_of_library();
    if (!finalize)
        abort();
    if (barrier && is_mpich() && barrier(mpich_comm_world) == 0)
        finalizing = true;
    return finalize();
}

EXPORT int MPI_Finalize(void)
{
    return finalize_by("MPI_Finalize");
}

/* What Fortran's module mpi_f08 calls. */
EXPORT int PMPI_Finalize(void)
{
    return finalize_by("PMPI_Finalize");
}

EXPORT void *ucp_disconnect_nb(void *endpoint)
{
    void *(*disconnect)(void *) = (void *(*)(void *))find_next("ucp_disconnect_nb");
    if (finalizing || !disconnect)
        return NULL;
    return disconnect(endpoint);
}
