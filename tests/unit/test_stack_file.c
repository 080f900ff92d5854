/* Files of parameters, and the times of ranks added up. */
#include "simulate/rank_times.h"
#include "simulate/stack.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(const char *key, const char *value, void *data)
{
    char *text = data;
    size_t n = strlen(text);
    snprintf(text + n, 1000 - n, "%s: %s\n", key, value);
}

static void assert_same(const struct ct_stack_parameters *a, const struct ct_stack_parameters *b)
{
    char texts[2][1000] = {"", ""};
    ct_stack_visit(a, show, texts[0]);
    ct_stack_visit(b, show, texts[1]);
    assert_string_equal(texts[0], texts[1]);
}

static void test_defaults(void **state)
{
    (void)state;
    const struct ct_stack_parameters defaults = ct_stack_defaults();
    struct ct_stack_parameters read;
    assert_int_equal(ct_stack_parse("", "x", NULL, NULL, &read, NULL), CT_OK);
    assert_same(&read, &defaults);
    assert_near(read.injection_bytes_per_s, 13.04e9, 1);
    assert_near(read.pin_s, 5.43e-6, 1e-15);
    assert_int_equal(read.credits, 0);
}

static void test_all_keys(void **state)
{
    (void)state;
    struct ct_stack_parameters read;
    assert_int_equal(ct_stack_parse("--- # a file\n"
                                    "injection-bandwidth: 8GB/s\r\n"
                                    "link-bandwidth:80gbit\n"
                                    "  memory-bandwidth: 15GB/s   # copies\n"
                                    "post-header: 100ns\n\n"
                                    "post-rdma: 2us\npin: 1us\npin-page: 1ns\nhop: 0ns\n"
                                    "page: 64KiB\nmailbox-max: 0B\neager-max: 8kB\n"
                                    "mailbox-credits: 7\nprogress: in-call",
                                    "x", NULL, NULL, &read, NULL),
                     CT_OK);
    assert_near(read.injection_bytes_per_s, 8e9, 0);
    assert_near(read.link_bytes_per_s, 10e9, 0);
    assert_near(read.memory_bytes_per_s, 15e9, 0);
    assert_near(read.header_s, 100e-9, 1e-20);
    assert_near(read.rdma_s, 2e-6, 1e-20);
    assert_near(read.pin_s, 1e-6, 1e-20);
    assert_near(read.pin_page_s, 1e-9, 1e-20);
    assert_near(read.hop_s, 0, 0);
    assert_int_equal(read.page_bytes, 65536);
    assert_int_equal(read.mailbox_max_bytes, 0);
    assert_int_equal(read.eager_max_bytes, 8000);
    assert_int_equal(read.credits, 7);
    assert_int_equal(read.progress, CT_PROGRESS_IN_CALL);
}

/* What is shown is read as what it was. */
static void test_shown_is_read(void **state)
{
    (void)state;
    char text[1000] = "";
    struct ct_stack_parameters read, again;
    assert_int_equal(ct_stack_parse("pin: 1.5us\nmailbox-credits: 3\nprogress: in-call\n", "x",
                                    NULL, NULL, &read, NULL),
                     CT_OK);
    ct_stack_visit(&read, show, text);
    assert_int_equal(ct_stack_parse(text, "x", NULL, NULL, &again, NULL), CT_OK);
    assert_same(&read, &again);
    assert_non_null(strstr(text, "pin: 1.5us\n"));
    assert_int_equal(again.credits, 3);
}

/* LogGPS and queues, in place of the costs of RDMA. */
static void test_loggps(void **state)
{
    (void)state;
    char shown[1000] = "";
    struct ct_stack_parameters read, again;
    struct ct_simulate_network_setup network = {.queues = {.packet_bytes = 7}};
    struct ct_error err = {.text = ""};
    assert_int_equal(ct_stack_parse("protocols: loggps\nL: 50us\no: 5us\nG: 0.16us\nqueue: fifo\n"
                                    "burst: 1600B\nahead: 30kB\n",
                                    "x", NULL, NULL, &read, &err),
                     CT_OK);
    assert_int_equal(ct_stack_check(&read, NULL), CT_OK);
    ct_stack_visit(&read, show, shown);
    assert_null(strstr(shown, "pin"));
    assert_non_null(strstr(shown, "L: 50us\n"));
    assert_int_equal(ct_stack_parse(shown, "x", NULL, NULL, &again, NULL), CT_OK);
    assert_same(&read, &again);
    ct_stack_set_network(&read, &network);
    assert_near(network.latency_ns, 50e3, 1e-6);
    assert_near(network.injection_ns_per_byte, 160, 1e-9);
    assert_int_equal(network.queues.order, CT_PORT_FIFO);
    assert_near(network.queues.ahead_bytes, 30e3, 0);
    assert_near(network.window_bytes, 30e3, 0);
    assert_near(network.queues.burst_bytes, 1600, 0);
    assert_near(network.queues.packet_bytes, 7, 0);
    const struct ct_stack stack = ct_stack_of(&read);
    assert_near(ct_stack_work_ns(&stack, CT_WORK_SEND, 100), 5e3, 1e-9);
    assert_int_equal(stack.protocols[0].max_bytes, 262144);
    assert_int_equal(ct_stack_parse("protocols: sockets\nL: 50us\no: 5us\nG: 1ns\nS: 8KiB", "x",
                                    NULL, NULL, &read, NULL),
                     CT_OK);
    const struct ct_stack sockets = ct_stack_of(&read);
    assert_int_equal(sockets.protocols[0].max_bytes, 8192);
    assert_int_equal(sockets.protocols[1].n_steps, 6);
    assert_int_equal(
        ct_stack_parse("protocols: loggps\nL: 50us\nG: 1ns", "x", NULL, NULL, &read, NULL), CT_OK);
    assert_int_equal(ct_stack_check(&read, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "'o' of LogGPS is missing"));
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"pin 1us", "x:1: 'pin 1us' is no 'key: value'"},
        {"\npins: 1us", "x:2: 'pins' is no parameter"},
        {"pin: 1us\npin: 1us", "x:2: 'pin' is in line 1, too"},
        {"---\npin: 1us\n---\npin-page: 1us", "x:3: a second document"},
        {"pin: 1", "x:1: pin: "},
        {"pin:", "x:1: pin: "},
        {"pin: 2000s", "x:1: pin '2000s': not from 0s to 1000s"},
        {"link-bandwidth: 0GB/s", "link-bandwidth '0GB/s': not from"},
        {"link-bandwidth: 12", "link-bandwidth: "},
        {"link-bandwidth: x/s", "link-bandwidth: "},
        {"page: 0B", "page '0B': not from 1"},
        {"mailbox-credits: -1", "mailbox-credits: "},
        {"progress: now", "progress: 'now': async or in-call"},
        {"queue: lifo", "queue: 'lifo': round-robin, fifo or shared"},
        {"protocols: tcp", "protocols: 'tcp': rdma, loggps or sockets"},
        {"pin: 1us\nL: 5us", "x:2: 'L' is of the protocols loggps, and these are rdma"},
        {"pin: 1us\nprotocols: loggps", "x:1: 'pin' is of the protocols rdma, and these are"},
        {"protocols: loggps\nG: 0ns", "G '0ns': not from"},
        {"mailbox-max: 8KiB\neager-max: 4KiB", "eager-max, 4096 B, is below mailbox-max, 8192 B"},
    };
    const struct ct_stack_parameters defaults = ct_stack_defaults();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_stack_parameters read = defaults;
        struct ct_error err = {.text = ""};
        if (ct_stack_parse(cases[i].text, "x", NULL, NULL, &read, &err) != CT_EFORMAT ||
            !strstr(err.text, cases[i].message))
            fail_msg("%s: %s", cases[i].text, err.text);
        assert_same(&read, &defaults);
    }
    char line[400];
    struct ct_stack_parameters read;
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\0';
    assert_int_equal(ct_stack_parse(line, "x", NULL, NULL, &read, NULL), CT_EFORMAT);
    assert_int_equal(ct_stack_read("/nowhere/parameters", NULL, NULL, &read, NULL), CT_ENOENT);
    struct ct_error err;
    char path[] = "/tmp/stack_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, "{\"L\": \"1us\"}\n", 14) == 14 && close(fd) == 0);
    assert_int_equal(ct_stack_read(path, NULL, NULL, &read, &err), CT_EFORMAT);
    assert_non_null(
        strstr(err.text, "a JSON file, which is not read; lines 'key: value' are read"));
    unlink(path);
}

static void tell(const struct ct_observer *observer, uint32_t rank, enum ct_time_part part,
                 double begin_ns, double ns)
{
    const struct ct_time_span span = {
        .rank = rank, .part = part, .begin_ns = begin_ns, .end_ns = begin_ns + ns};
    observer->span(observer->context, &span);
}

static void end_pass(const struct ct_observer *observer, uint32_t rank, double ns)
{
    const struct ct_observed_rank ended = {.rank = rank, .begin_ns = 5, .end_ns = 5 + ns};
    observer->rank(observer->context, &ended);
}

/* Means over passes that have ended, sums over ranks. */
static void test_rank_times(void **state)
{
    (void)state;
    const uint32_t n_ranks[] = {2};
    struct ct_rank_times *times;
    assert_int_equal(ct_rank_times_new(n_ranks, 1, &times, NULL), CT_OK);
    const struct ct_observer observer = ct_rank_times_observer(times);
    tell(&observer, 0, CT_TIME_STACK, 100, 7); /* of a simulation that ended before the pass */
    tell(&observer, 0, CT_TIME_COMPUTE, 5, 10);
    tell(&observer, 0, CT_TIME_NETWORK, 15, 6);
    end_pass(&observer, 0, 16);
    tell(&observer, 0, CT_TIME_COMPUTE, 5, 20);
    end_pass(&observer, 0, 20);
    tell(&observer, 0, CT_TIME_SYNC, 25, 1000);
    tell(&observer, 1, CT_TIME_STACK, 5, 4);
    end_pass(&observer, 1, 4);
    struct ct_time_shares shares = ct_rank_times_of(times, 0, 0);
    assert_near(shares.part_ns[CT_TIME_COMPUTE], 15, 0);
    assert_near(shares.part_ns[CT_TIME_NETWORK], 3, 0);
    assert_near(shares.part_ns[CT_TIME_SYNC], 0, 0);
    assert_near(shares.part_ns[CT_TIME_STACK], 0, 0);
    assert_near(shares.runtime_ns, 18, 0);
    shares = ct_rank_times_sum(times, 0);
    assert_near(shares.part_ns[CT_TIME_STACK], 4, 0);
    assert_near(shares.runtime_ns, 22, 0);
    ct_rank_times_free(times);
}

static enum ct_bound bound_of(double compute_ns, double stack_ns, double sync_ns, double network_ns)
{
    struct ct_time_shares shares = {.runtime_ns = compute_ns + stack_ns + sync_ns + network_ns};
    shares.part_ns[CT_TIME_COMPUTE] = compute_ns;
    shares.part_ns[CT_TIME_STACK] = stack_ns;
    shares.part_ns[CT_TIME_SYNC] = sync_ns;
    shares.part_ns[CT_TIME_NETWORK] = network_ns;
    return ct_time_bound(&shares);
}

static void test_bound(void **state)
{
    (void)state;
    assert_int_equal(bound_of(96, 1, 2, 1), CT_BOUND_COMPUTE);
    assert_int_equal(bound_of(76, 1, 11, 13), CT_BOUND_COMPUTE);
    assert_int_equal(bound_of(10, 10, 20, 60), CT_BOUND_NETWORK);
    assert_int_equal(bound_of(40, 1, 56, 3), CT_BOUND_IMBALANCE);
    assert_int_equal(bound_of(1, 6, 1, 3), CT_BOUND_STACK);
    assert_int_equal(bound_of(50, 10, 20, 20), CT_BOUND_NONE);
    assert_int_equal(bound_of(0, 0, 0, 0), CT_BOUND_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),      cmocka_unit_test(test_all_keys),
        cmocka_unit_test(test_shown_is_read), cmocka_unit_test(test_bad),
        cmocka_unit_test(test_loggps),        cmocka_unit_test(test_rank_times),
        cmocka_unit_test(test_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
