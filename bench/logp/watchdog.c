#include "bench/logp/watchdog.h"

#include "core/parts.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

/* Seconds until the deadline, and from a feeding to the deadline: what a handler may touch. */
static volatile sig_atomic_t left_s, deadline_whole_s;

static void on_tick(int number)
{
    static const char text[] = "logpb: no message within --deadline: the partner hangs or is gone; "
                               "what it had measured by the last --checkpoint is beside --output\n";
    (void)number;
    left_s = left_s - 1;
    if (left_s > 0)
        return;
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(1);
}

static void set_timer(time_t period_s)
{
    const struct itimerval timer = {.it_interval.tv_sec = period_s, .it_value.tv_sec = period_s};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void ct_watchdog_start(double deadline_s)
{
    if (CT_SIMULATED) /* how long a simulation takes says nothing about its messages */
        return;
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    deadline_whole_s = (sig_atomic_t)fmax(2, ceil(deadline_s));
    ct_watchdog_feed();
    sigaction(SIGALRM, &action, NULL);
    set_timer(1);
}

void ct_watchdog_feed(void)
{
    left_s = deadline_whole_s;
}

void ct_watchdog_stop(void)
{
    if (!CT_SIMULATED)
        set_timer(0);
}
