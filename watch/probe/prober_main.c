/* crosstalk-prober: the probes of a watch on one host, and with --store the collector of all. */
#include "core/clock.h"
#include "core/log.h"
#include "core/option_rows.h"
#include "topology/read.h"
#include "watch/probe/key.h"
#include "watch/probe/sockets.h"
#include "watch/probe/store_summary.h"
#include "watch/store_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

struct values {
    const char *key, *listen, *join, *name, *store, *topology, *summary;
    double interval_s, link_bit_per_s, link_frac, cpu_frac, time_s;
    size_t small_bytes, train_bytes, store_bytes;
    uint64_t seed;
    struct ct_view view;
};

static const struct ct_option options[] = {
    {CT_OPTION(STRING, "key", struct values, key), .argument = "FILE",
     .help =
         "the key that all hosts of the watch share: 64 hexadecimal digits, in a file that only "
         "its owner can read. The collector draws one where there is no such file"},
    {CT_OPTION(STRING, "listen", struct values, listen), .argument = "ADDRESS:PORT",
     .initial = "*:7437",
     .help = "where datagrams arrive; port 0: any, which is printed; fd:N: a socket that is open"},
    {CT_OPTION(STRING, "join", struct values, join), .argument = "ADDRESS:PORT[,...]",
     .help = "the collector, under one or several addresses. Without this option this process is "
             "the collector"},
    {CT_OPTION(STRING, "name", struct values, name), .argument = "NAME",
     .help = "of this host, as the topology calls it. Without this option that of the system"},
    {CT_OPTION(STRING, "store", struct values, store), .argument = "DIR",
     .help = "collector: the folder of the watch, which is made if it is not there"},
    {CT_OPTION(SIZE, "store-size", struct values, store_bytes), .initial = "2GiB",
     CT_RANGE(1 << 20, 1e15),
     .help =
         "most that the samples of the last day take; beyond it hours become histograms sooner"},
    {CT_OPTION(STRING, "topology", struct values, topology), .argument = "TOPOLOGY",
     .help = "collector: switches and links, as crosstalk-topology(1) takes them: half of the "
             "probes then go between pairs of hosts that pass every link"},
    {CT_OPTION(DURATION, "interval", struct values, interval_s), .initial = "100ms",
     CT_RANGE(1e-3, 1e4), .help = "mean time between the probes of a host; they are due at random"},
    {CT_OPTION(SIZE, "message-size", struct values, small_bytes), .initial = "128B",
     CT_RANGE(CT_PROBE_FRAME_BYTES + 24, CT_PROBE_MESSAGE_MAX),
     .help = "size of a probe and of its answer"},
    {CT_OPTION(SIZE, "train-size", struct values, train_bytes), .initial = "32KiB",
     CT_RANGE(2 * CT_PROBE_MESSAGE_MAX, 1 << 20),
     .help = "size of a train of datagrams, which shows the rate of a path; half of the probes "
             "at most"},
    {CT_OPTION(RATE, "link-rate", struct values, link_bit_per_s), .initial = "1gbit",
     CT_RANGE(1e3, 1e13), .help = "of the link of this host"},
    {CT_OPTION(FRACTION, "link-share", struct values, link_frac), .initial = "0.1%",
     CT_RANGE(1e-6, 0.1), .help = "most of --link-rate that this host sends, on average"},
    {CT_OPTION(FRACTION, "core-share", struct values, cpu_frac), .initial = "0.5%",
     CT_RANGE(1e-5, 1), .help = "most of a core that this process takes, on average"},
    {CT_OPTION(DURATION, "time", struct values, time_s), CT_RANGE(1e-3, 1e9),
     .help = "end after this time; without it, at SIGINT or SIGTERM"},
    {CT_OPTION(STRING, "summary", struct values, summary), .argument = "DIR",
     .help = "print what the folder of a watch has, and do nothing else"},
    CT_ROW_SEED(struct values, seed, "of the times and partners of probes"),
    CT_ROW_QUIET_NO_ANSWER(struct values, view.quiet),
    {0}};

static const struct ct_option_group groups[] = {{"Options", options, 0}, {0}};

static const char *const examples[] = {"crosstalk-prober --key watch.key --store watch",
                                       "the collector, on the first host",
                                       "crosstalk-prober --key watch.key --join n1:7437",
                                       "each other host",
                                       "crosstalk-prober --summary watch",
                                       "hosts, samples and gaps of that watch",
                                       NULL};
static const char *const see_also[] = {"impactb(1)", "crosstalk-topology(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk-prober",
    .summary = "probe the network between hosts for days, without MPI",
    .description =
        "Each host asks other hosts at random times by a small message of UDP, and now and then by "
        "a train of large ones, and reports to the collector what it saw: round trips, times one "
        "way, losses. Clocks of the hosts need not agree: their offsets and drifts are estimated "
        "from the probes.\n\n"
        "Hosts may join and leave at any time; a host that is silent for 10 s is dropped until it "
        "joins again. While the collector is away, the others go on, and keep 4096 results "
        "each.\n\n"
        "Messages are sealed with a shared key (BLAKE2b). A message with another key, or one that "
        "was recorded, gets no answer, and no answer is longer than what it answers. The key does "
        "not hide what the messages say.\n\n"
        "A host sends at most --link-share of its link and takes at most --core-share of a core; "
        "probes beyond that are not sent, and counted as skipped.\n\n"
        "SIGINT or SIGTERM ends the program; what was collected is written.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* What a handler may touch. */
static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    (void)number;
    signalled = 1;
}

/* Everything of the process. */
struct prober {
    struct ct_log log;
    int fd;
    struct ct_probe_agent *agent;
    struct ct_watch_writer *writer; /* NULL: no store */
    uint64_t n_samples, n_dropped;
    bool is_failing; /* as was said */
    double flush_s, hosts_s, failed_s;
};

/* ---- the place of the agent ---- */

static int64_t read_clock(void *state)
{
    (void)state;
    return (int64_t)ct_clock_now_ns();
}

static int64_t read_date(void *state)
{
    (void)state;
    return (int64_t)ct_clock_unix_ns();
}

static int64_t read_processor(void *state)
{
    (void)state;
    return (int64_t)ct_clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static void send_datagram(void *state, const struct ct_probe_address *to, const void *bytes,
                          size_t n, size_t each)
{
    ct_probe_socket_send(((struct prober *)state)->fd, to, bytes, n, each);
}

static void print_line(void *state, bool is_warning, const char *text)
{
    struct prober *prober = state;
    (is_warning ? ct_log_warn : ct_log_info)(&prober->log, "%s", text);
}

static void take_sample(void *state, const struct ct_watch_sample *sample)
{
    struct prober *prober = state;
    prober->n_samples++;
    if (prober->writer && !ct_watch_writer_add(prober->writer, sample))
        prober->n_dropped++;
}

/* ---- the store ---- */

/* A full disk does not end a watch: it is said once a minute, until there is room again. */
static bool report_failure(struct prober *prober, enum ct_status status, const struct ct_error *err,
                           double now_s)
{
    static const double said_s = 60;
    if (status == CT_OK || now_s - prober->failed_s < said_s)
        return false;
    prober->failed_s = now_s;
    ct_log_error(&prober->log, err);
    return true;
}

static void report_success(struct prober *prober)
{
    if (prober->is_failing)
        ct_log_warn(&prober->log, "samples are written again: %" PRIu64 " were dropped so far",
                    prober->n_dropped);
    prober->is_failing = false;
}

static void write_store(struct prober *prober, bool is_last)
{
    static const double flush_s = 1, hosts_s = 10;
    struct ct_error err;
    double now_s = ct_clock_now_s();
    if (!prober->writer || (!is_last && now_s < prober->flush_s))
        return;
    prober->flush_s = now_s + flush_s;
    enum ct_status status = ct_watch_writer_flush(prober->writer, &err);
    prober->is_failing |= report_failure(prober, status, &err, now_s);
    if (status == CT_OK)
        report_success(prober);
    if (!is_last && now_s < prober->hosts_s)
        return;
    prober->hosts_s = now_s + hosts_s;
    size_t n;
    const struct ct_watch_host *hosts = ct_probe_agent_hosts(prober->agent, &n);
    report_failure(prober, ct_watch_writer_save_hosts(prober->writer, hosts, n, &err), &err, now_s);
}

/* ---- the loop ---- */

enum { TAKEN_MAX = 256 /* datagrams before what is due is done */ };

static void take_datagrams(struct prober *prober)
{
    unsigned char bytes[CT_PROBE_MESSAGE_MAX + 1];
    struct ct_probe_address from;
    int64_t arrived_ns;
    ssize_t n;
    for (int i = 0; i < TAKEN_MAX && (n = ct_probe_socket_receive(prober->fd, &from, bytes,
                                                                  sizeof bytes, &arrived_ns)) >= 0;
         i++)
        ct_probe_agent_receive(prober->agent, &from, bytes, (size_t)n, arrived_ns);
}

static void probe_until(struct prober *prober, double end_s)
{
    while (!signalled && ct_clock_now_s() < end_s) {
        int64_t next_ns = ct_probe_agent_step(prober->agent);
        write_store(prober, false);
        int64_t wait_ns = next_ns - (int64_t)ct_clock_now_ns();
        const int64_t longest_ns = 1000000000;
        wait_ns = wait_ns < 0 ? 0 : wait_ns > longest_ns ? longest_ns : wait_ns;
        struct pollfd arrival = {.fd = prober->fd, .events = POLLIN};
        const struct timespec wait = {.tv_sec = wait_ns / longest_ns,
                                      .tv_nsec = wait_ns % longest_ns};
        if (ppoll(&arrival, 1, &wait, NULL) > 0)
            take_datagrams(prober);
    }
}

/* ---- beginning and end ---- */

static enum ct_status fill_settings(const struct values *values, struct ct_probe_settings *settings,
                                    struct ct_error *err)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    const char *given = values->name ? values->name : name;
    if (strlen(given) >= sizeof settings->name || *given == '\0' || strpbrk(given, " \t\n"))
        return ct_fail(err, CT_EINVAL,
                       "the name '%s': 1 to 63 characters without blanks, by --name", given);
    *settings =
        (struct ct_probe_settings){.seed = values->seed,
                                   .interval_s = values->interval_s,
                                   .small_bytes = values->small_bytes,
                                   .train_bytes = values->train_bytes,
                                   .bytes_per_s = values->link_frac * values->link_bit_per_s / 8,
                                   .cpu_frac = values->cpu_frac};
    memcpy(settings->name, given, strlen(given) + 1);
    if (!values->key)
        return ct_fail(err, CT_EUSAGE, "--key is missing: a file with the key of the watch");
    if (values->join && values->store)
        return ct_fail(err, CT_EUSAGE, "--store is of the collector, which has no --join");
    CT_TRY(ct_probe_key_read(values->key, !values->join, settings->key, err));
    if (values->join)
        CT_TRY(ct_probe_addresses_parse(values->join, settings->join, &settings->n_join, err));
    randombytes_buf(&settings->session, sizeof settings->session);
    return CT_OK;
}

static enum ct_status begin_probes(struct prober *prober, const struct values *values,
                                   const struct ct_probe_settings *settings, struct ct_error *err)
{
    const struct ct_probe_place place = {.state = prober,
                                         .now_ns = read_clock,
                                         .unix_ns = read_date,
                                         .cpu_ns = read_processor,
                                         .send = send_datagram,
                                         .say = print_line,
                                         .take = take_sample};
    enum ct_status status = ct_probe_socket_open(values->listen, &prober->fd, err);
    if (status == CT_OK && values->store)
        status = ct_watch_writer_open(values->store, values->store_bytes, &prober->writer, err);
    size_t n = 0;
    const struct ct_watch_host *hosts =
        prober->writer ? ct_watch_writer_hosts(prober->writer, &n) : NULL;
    if (status == CT_OK)
        status = ct_probe_agent_new(settings, &place, hosts, n, &prober->agent, err);
    if (status == CT_OK)
        ct_log_info(&prober->log, "%s listens at port %u%s%s", settings->name,
                    ct_probe_socket_port(prober->fd), values->join ? ", to join " : ": collector",
                    values->join ? values->join : "");
    return status;
}

static enum ct_status end_probes(struct prober *prober, enum ct_status status, struct ct_error *err)
{
    struct ct_error later;
    if (prober->agent) {
        ct_probe_agent_leave(prober->agent);
        write_store(prober, true);
        struct ct_probe_counts counts = ct_probe_agent_counts(prober->agent);
        ct_log_info(&prober->log,
                    "%" PRIu64 " asked, %" PRIu64 " skipped, %" PRIu64 " samples, %" PRIu64
                    " B sent, %zu B of memory, %.2f s of processor time",
                    counts.asked, counts.skipped, prober->n_samples, counts.sent_bytes,
                    counts.memory_bytes, 1e-9 * (double)read_processor(NULL));
        ct_probe_agent_free(prober->agent);
    }
    if (prober->writer) {
        enum ct_status closed =
            ct_watch_writer_close(prober->writer, status == CT_OK ? err : &later);
        status = status == CT_OK ? closed : status;
    }
    if (prober->fd >= 0)
        close(prober->fd);
    return status;
}

static enum ct_status run_prober(struct prober *prober, const struct values *values,
                                 struct ct_error *err)
{
    struct ct_probe_settings settings;
    struct ct_topology topology = {0};
    const struct ct_topology_settings plain = {0};
    enum ct_status status = fill_settings(values, &settings, err);
    const char *of_lab = getenv(CT_LAB_TOPOLOGY_VARIABLE);
    const char *text = values->topology ? values->topology : of_lab && *of_lab ? of_lab : NULL;
    if (status == CT_OK && text && !values->join) {
        status = ct_topology_open(text, &plain, &topology, err);
        settings.topology = status == CT_OK ? &topology : NULL;
        settings.places = of_lab && *of_lab ? CT_PLACES_OF_LAB : CT_PLACES_IN_ORDER;
    }
    if (status == CT_OK)
        status = begin_probes(prober, values, &settings, err);
    if (status == CT_OK)
        probe_until(prober, values->time_s > 0 ? ct_clock_now_s() + values->time_s : 1e18);
    status = end_probes(prober, status, err);
    ct_topology_free(&topology);
    return status;
}

int main(int argc, char **argv)
{
    struct values values = {0};
    struct ct_arguments arguments;
    struct ct_error err;
    enum ct_status status =
        ct_command_parse(&command, argc, argv, &values, &arguments, stdout, &err);
    struct prober prober = {.log = ct_log_open(command.name, values.view.quiet), .fd = -1};
    prober.failed_s = -1e9;
    if (status == CT_OK && !arguments.finished) {
        struct sigaction action = {.sa_handler = on_signal};
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
        /* The kernel's default lets it wake sleepers up to 50 us late. */
        prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
        status = values.summary ? ct_probe_summary_print(values.summary, stdout, &err)
                                : run_prober(&prober, &values, &err);
    }
    if (status != CT_OK)
        ct_log_error(&prober.log, &err);
    return ct_exit_code(status);
}
