/*
 * crosstalk-try KIND N: reads files whose names are in its standard input, behind the first N, and
 * crashes instead of the program that started it. See trial.h.
 * crosstalk-try otf2 ANCHOR: reads an archive of traces, likewise.
 */
#include "results/arrays.h"
#include "results/schema.h"
#include "results/trial.h"
#include "trace/otf2/untried.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TRIAL_S = 1 /* of processor time, for what takes milliseconds */ };

/* The limit counts from the start of the process, in whole seconds. */
static void limit_processor_time(void)
{
    struct rusage used;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    limit.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 + TRIAL_S);
    setrlimit(RLIMIT_CPU, &limit);
}

/* Whatever the program that started this one blocks or prints. */
static void be_quiet(void)
{
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
    const struct rlimit no_core = {0, 0};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
}

static void read_run(const char *path)
{
    struct ct_source source;
    if (ct_source_open_untried(path, &source, NULL) == CT_OK) {
        ct_source_touch(&source);
        ct_source_close(&source);
    }
}

static void read_arrays(const char *path)
{
    struct ct_arrays file;
    if (ct_arrays_read_untried(path, NULL, &file, NULL) == CT_OK)
        ct_arrays_free(&file);
}

static bool write_answer(char answer)
{
    ssize_t n;
    do
        n = write(STDOUT_FILENO, &answer, 1);
    while (n < 0 && errno == EINTR);
    return n == 1;
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = CT_TRIAL_KIND_NAMES;
    char *path = NULL;
    size_t size = 0;
    if (argc != 3) {
        fputs("crosstalk-try: for 'crosstalk' and its library only\n", stderr);
        return 2;
    }
    if (strcmp(argv[1], "otf2") == 0) {
        be_quiet();
        ct_otf2_try(argv[2]);
        _exit(0);
    }
    bool are_arrays = strcmp(argv[1], kinds[CT_TRIAL_ARRAYS]) == 0;
    unsigned long n_before = strtoul(argv[2], NULL, 10);
    be_quiet();
    if (!write_answer(CT_TRIAL_READY))
        _exit(1);
    for (unsigned long i = 0; getdelim(&path, &size, '\0', stdin) > 0; i++) {
        if (i < n_before)
            continue;
        limit_processor_time();
        if (are_arrays)
            read_arrays(path);
        else
            read_run(path);
        if (!write_answer(CT_TRIAL_TRIED))
            _exit(1);
    }
    _exit(0);
}
