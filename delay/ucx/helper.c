#include "delay/ucx/helper.h"

#include "core/clock.h"
#include "delay/ucx/messages.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* How long the helper sleeps between two looks at a program that is in MPI: a message that arrives
 * in the first such time of a computation is noted that much late, at most. */
enum { NAP_SHARE = 8 };
static const int64_t nap_least_ns = 50000, nap_most_ns = 250000;

static bool is_ending(struct ct_delay_worker *worker)
{
    return atomic_load_explicit(&worker->ending, memory_order_acquire);
}

static unsigned beats_of(struct ct_delay_worker *worker)
{
    return atomic_load_explicit(&worker->beats, memory_order_relaxed);
}

/* Until something happens or the time has passed. @param wait_ns  [in] < 0: no limit */
static void wait_for(struct ct_delay_worker *worker, bool for_messages, int64_t wait_ns)
{
    struct pollfd fds[] = {{.fd = worker->wake_fd, .events = POLLIN},
                           {.fd = worker->fd, .events = POLLIN}};
    struct timespec time = {.tv_sec = wait_ns / 1000000000, .tv_nsec = wait_ns % 1000000000};
    ppoll(fds, for_messages ? 2 : 1, wait_ns < 0 ? NULL : &time, NULL);
}

/* One round for a program that computes, cut short when it calls. @return whether UCX will report
 * the next packet */
static bool look_after(struct ct_delay_worker *worker, unsigned beats)
{
    ct_ucx_enter();
    while (ct_ucx.ucp_worker_progress(worker->ucx) > 0 && beats == beats_of(worker))
        ;
    ct_delay_drain(worker);
    ct_delay_grant(worker);
    bool is_armed = ct_ucx.ucp_worker_arm(worker->ucx) == UCS_OK;
    ct_ucx_leave();
    return is_armed;
}

static int64_t until_next_grant_ns(struct ct_delay_worker *worker)
{
    ct_ucx_enter();
    int64_t due_ns = ct_due_first_ns(&worker->grants);
    ct_ucx_leave();
    if (due_ns == INT64_MAX)
        return -1;
    int64_t now_ns = ct_delay_now_ns();
    return due_ns > now_ns ? due_ns - now_ns : 0;
}

static void *run_helper(void *data)
{
    struct ct_delay_worker *worker = data;
    prctl(PR_SET_NAME, "crosstalk-delay");
    prctl(PR_SET_TIMERSLACK, 1UL);
    while (!is_ending(worker)) {
        unsigned beats = beats_of(worker);
        wait_for(worker, false, worker->nap_ns);
        while (beats == beats_of(worker) && !is_ending(worker))
            if (look_after(worker, beats))
                wait_for(worker, true, until_next_grant_ns(worker));
    }
    return NULL;
}

static int64_t nap_ns(int64_t latency_ns)
{
    int64_t ns = latency_ns / NAP_SHARE;
    return ns < nap_least_ns ? nap_least_ns : ns > nap_most_ns ? nap_most_ns : ns;
}

/* A program that exits without MPI_Finalize: UCX must not be used while it is taken down. */
static pid_t process;
static void end_all(void)
{
    if (getpid() != process)
        return; /* a child without the thread */
    for (struct ct_delay_worker *worker = ct_delay_workers; worker; worker = worker->next)
        ct_delay_helper_end(worker);
}

bool ct_delay_helper_start(struct ct_delay_worker *worker)
{
    sigset_t all, before;
    if (ct_ucx.ucp_worker_get_efd(worker->ucx, &worker->fd) != UCS_OK) {
        ct_delay_say("UCX cannot wait for messages with these transports; choose others by "
                     "UCX_TLS, such as tcp,self");
        return false;
    }
    if (!process)
        atexit(end_all);
    process = getpid();
    worker->nap_ns = nap_ns(ct_delay_latency_least_ns(&ct_delay_settings.latency));
    worker->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure =
        worker->wake_fd < 0 ? errno : pthread_create(&worker->helper, NULL, run_helper, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure == 0)
        return true;
    ct_delay_say("cannot start a thread: %s", strerror(failure));
    if (worker->wake_fd >= 0)
        close(worker->wake_fd);
    return false;
}

void ct_delay_helper_end(struct ct_delay_worker *worker)
{
    uint64_t one = 1;
    struct timespec deadline;
    if (atomic_exchange(&worker->ending, true))
        return;
    if (write(worker->wake_fd, &one, sizeof one) < 0)
        ct_delay_say("cannot wake the helper: %s", strerror(errno));
    /* It may want the lock that this thread holds if UCX itself has ended the program. */
    deadline = (struct timespec){.tv_sec = (time_t)(ct_clock_unix_ns() / 1000000000) + 2};
    pthread_timedjoin_np(worker->helper, NULL, &deadline);
    close(worker->wake_fd);
}
