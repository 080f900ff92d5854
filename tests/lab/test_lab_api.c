/* The lab as the campaign uses it, through its library. */
/* cmocka.h needs the four before it. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "lab/lab.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct ct_lab *lab;
static struct ct_error err;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static size_t count_processes(void)
{
    struct ct_lab_process *list;
    size_t n;
    assert_int_equal(ct_lab_processes(lab, &list, &n, &err), CT_OK);
    free(list);
    return n;
}

static void test_handle(void **state)
{
    (void)state;
    struct ct_lab_spec spec = ct_lab_spec_of(lab);
    assert_string_equal(ct_lab_id(lab), "api");
    assert_int_equal(spec.n_hosts, 2);
    assert_true(ct_lab_alive(lab));
    struct ct_lab *other;
    assert_int_equal(ct_lab_open("another", &other, &err), CT_ENOENT);
    assert_int_equal(ct_lab_open("../x", &other, &err), CT_EINVAL);
}

static void test_counters(void **state)
{
    (void)state;
    static struct ct_lab_counters before, after;
    assert_int_equal(ct_lab_counters_read(lab, &before, &err), CT_OK);
    nap();
    assert_int_equal(ct_lab_counters_read(lab, &after, &err), CT_OK);
    assert_int_equal(after.n_ports, 2);
    struct ct_lab_load load = ct_lab_load(lab, &before, &after, 1);
    assert_true(load.interval_s > 0);
    assert_true(load.tx_busy_frac == 0 && load.rx_busy_frac == 0);
    after.port[1].tx.bytes += 1000000;
    after.time_s = before.time_s + 1;
    load = ct_lab_load(lab, &before, &after, 1);
    assert_true(fabs(load.tx_busy_frac - 8e6 / 50e6) < 1e-12);
    assert_true(isnan(ct_lab_load(lab, &before, &before, 0).tx_busy_frac));
}

static pid_t start_sleeper(void)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        char *const argv[] = {(char *)"sleep", (char *)"60", NULL};
        struct ct_lab_exec exec = {.host = "h1", .argv = argv};
        int code = 1;
        _exit(ct_lab_exec(lab, &exec, &code, NULL) == CT_OK ? code : 99);
    }
    assert_true(pid > 0);
    return pid;
}

static void test_kill_all(void **state)
{
    (void)state;
    assert_int_equal(count_processes(), 0);
    pid_t pid = start_sleeper();
    for (int i = 0; i < 250 && count_processes() < 3; i++)
        nap();
    assert_true(count_processes() >= 3);
    assert_int_equal(ct_lab_kill_all(lab, &err), CT_OK);
    assert_int_equal(count_processes(), 0);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 128 + SIGKILL);
    assert_true(ct_lab_alive(lab));
}

static void test_command(void **state)
{
    (void)state;
    char *const program[] = {(char *)"impactb", (char *)"--time", (char *)"1s", NULL};
    struct ct_lab_launch launch = {.n_ranks = 4,
                                   .ranks_per_host = 2,
                                   .hosts = "h1,h2",
                                   .mpi = CT_MPI_OPENMPI,
                                   .mpiexec = "/opt/mpiexec",
                                   .deadline_s = 60,
                                   .grace_s = 5,
                                   .program = program};
    static const char *const expected[] = {"/bin/crosstalk",
                                           "lab",
                                           "mpiexec",
                                           "--id",
                                           "api",
                                           "--quiet",
                                           "--ranks",
                                           "4",
                                           "--ppn",
                                           "2",
                                           "--hosts-used",
                                           "h1,h2",
                                           "--mpi",
                                           "openmpi",
                                           "--mpiexec",
                                           "/opt/mpiexec",
                                           "--deadline",
                                           "60.000000s",
                                           "--grace",
                                           "5.000000s",
                                           "--",
                                           "impactb",
                                           "--time",
                                           "1s"};
    char **argv;
    assert_int_equal(ct_lab_command(lab, &launch, "/bin/crosstalk", &argv, &err), CT_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(argv[i], expected[i]);
    assert_null(argv[sizeof expected / sizeof *expected]);
    free(argv);
}

int main(void)
{
    char folder[] = "/tmp/crosstalk-lab-api-XXXXXX";
    struct ct_lab_spec spec = CT_LAB_SPEC_DEFAULT;
    spec.n_hosts = 2;
    if (!mkdtemp(folder) || setenv(CT_LAB_DIR_VARIABLE, folder, 1) != 0)
        return 1;
    enum ct_status status = ct_lab_up("api", &spec, NULL, &err);
    if (status == CT_OK)
        status = ct_lab_open("api", &lab, &err);
    if (status != CT_OK) {
        printf("%s: %s\n", status == CT_EUNSUPPORTED ? "skipped" : "failed", err.text);
        rmdir(folder);
        return status == CT_EUNSUPPORTED ? 77 : 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handle), cmocka_unit_test(test_counters),
        cmocka_unit_test(test_kill_all), cmocka_unit_test(test_command)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    ct_lab_close(lab);
    if (ct_lab_down("api", NULL, &err) != CT_OK)
        failures++;
    rmdir(folder);
    return failures > 0;
}
