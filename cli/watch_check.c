/* crosstalk watch check: what a node health checker asks. */
#include "cli/cli.h"
#include "cli/watch_commands.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/option_rows.h"
#include "watch/tell/status_file.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

struct settings {
    const char *host;
    double age_max_s, limit_s;
    bool strict;
    int code; /* of what was found */
};

static const struct ct_option options[] = {
    {CT_OPTION(STRING, "host", struct settings, host), .argument = "NAME",
     .help = "a host and its links, as the topology calls it; without it all hosts and links"},
    {CT_OPTION(DURATION, "max-age", struct settings, age_max_s), .initial = "1min",
     CT_RANGE(1, 86400), .help = "if the newest probe is older, nothing is known"},
    {CT_OPTION(DURATION, "time-limit", struct settings, limit_s), .initial = "5s",
     CT_RANGE(0.1, 600), .help = "if the file cannot be read in this time, nothing is known"},
    {CT_OPTION(FLAG, "strict", struct settings, strict),
     .help = "exit code 1 also where it is not known whether anything is sick"},
    {0}};

static const struct ct_option_group groups[] = {{"Options", options, 0}, {0}};

static const char *const examples[] = {
    "crosstalk watch watch --topology ib.txt --follow --status /shared/watch.json",
    "on one host: write what the check reads",
    "crosstalk watch check /shared/watch.json --host \"$(hostname -s)\"",
    "on each node, by a health checker such as Slurm's HealthCheckProgram or NHC", NULL};

static const char *const see_also[] = {"crosstalk-watch(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk watch check",
    .operands = "FILE.json",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "whether a host and its links are healthy, for health checkers",
    .description =
        "Reads what crosstalk watch --follow --status writes, and prints one line: OK, FAULT or "
        "UNKNOWN, why, and how many false alarms a day the watch raises at most on average, of the "
        "whole network.\n\n"
        "The exit code is 1 for a fault. It is 0 where nothing is known, for example since the "
        "watch has ended: a health checker would else take all nodes out of service. --strict "
        "changes that.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

static volatile sig_atomic_t late_code; /* for the handler */

static void on_limit(int number)
{
    static const char text[] = "UNKNOWN: the file cannot be read in the time that --time-limit "
                               "gives\n";
    (void)number;
    ssize_t n = write(STDOUT_FILENO, text, sizeof text - 1);
    (void)n;
    _exit(late_code);
}

static void limit_time(double limit_s)
{
    const struct sigaction action = {.sa_handler = on_limit};
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)limit_s,
                     .tv_usec = (suseconds_t)(1e6 * (limit_s - (double)(time_t)limit_s))}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static enum ct_status check_file(void *values, const struct ct_arguments *args,
                                 struct ct_error *err)
{
    static const char *const names[CT_WATCH_N_VERDICTS] = {"OK", "FAULT", "UNKNOWN"};
    struct settings *settings = values;
    struct ct_watch_health health = {.verdict = CT_WATCH_UNSURE};
    struct ct_text file = {0};
    late_code = settings->strict;
    limit_time(settings->limit_s);
    if (settings->host && !*settings->host) /* a variable that is not set */
        snprintf(health.text, sizeof health.text,
                 "--host: empty; give the name of a host, such as \"$(hostname -s)\"");
    else if (ct_file_read(args->operands[0], &file, err) == CT_OK)
        ct_watch_health_read(file.text, file.size, settings->host,
                             1e-9 * (double)ct_clock_unix_ns(), settings->age_max_s, &health);
    else
        snprintf(health.text, sizeof health.text, "%s", err->text);
    free(file.text);
    printf("%s: %s\n", names[health.verdict], health.text);
    settings->code =
        health.verdict == CT_WATCH_SICK || (health.verdict == CT_WATCH_UNSURE && settings->strict);
    return CT_OK;
}

int ct_watch_check(int argc, char **argv)
{
    struct settings settings = {0};
    int code = ct_command_main(&command, argc, argv, &settings, check_file);
    return code != 0 ? code : settings.code;
}
