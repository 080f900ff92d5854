/* crosstalk watch: which link of a watched network is sick. */
#include "cli/cli.h"
#include "cli/watch_page.h"
#include "core/clock.h"
#include "core/option_rows.h"
#include "topology/read.h"
#include "watch/find/finder.h"
#include "watch/store.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SAMPLES_AT_ONCE = 1024, WHERE_MAX = 256 };

struct settings {
    const char *topology;
    double learn_s, false_alarms_per_day;
    bool follow;
    struct ct_watch_page_settings page;
    int format;
    struct ct_view view;
};

static const struct ct_option input_options[] = {
    {CT_OPTION(STRING, "topology", struct settings, topology), .argument = "TOPOLOGY",
     .required = true, .help = "switches and links, as crosstalk-topology(1) takes them"},
    {CT_OPTION(DURATION, "learn", struct settings, learn_s), .initial = "10min", CT_RANGE(2, 86400),
     .help = "what is healthy is learned from the first samples for this time; "
             "loads that are usual are to be in it"},
    {CT_OPTION(DOUBLE, "false-alarms", struct settings, false_alarms_per_day), .initial = "0.1",
     CT_RANGE(1e-6, 1000), .help = "a day, of a network that is healthy, at most on average"},
    {CT_OPTION(FLAG, "follow", struct settings, follow),
     .help = "go on with what the probers write, and print alarms as they come, until a signal"},
    {0}};

static const struct ct_option page_options[] = {
    {CT_OPTION(STRING, "serve", struct settings, page.address), .argument = "[ADDRESS:]PORT",
     .help = "follow, and show it on a page: at http://localhost:PORT/ for this machine alone, or "
             "where others reach ADDRESS; the token goes unencrypted"},
    {CT_OPTION(STRING, "token", struct settings, page.token_file), .argument = "FILE",
     .help = "what the page asks for: 64 hexadecimal digits, drawn where there is no such file, "
             "which only its owner may read; without it: page.token in DIR"},
    {0}};

static const struct ct_option output_options[] = {
    CT_ROW_FORMAT(struct settings, format, "of the answer"),
    CT_ROWS_VIEW(struct settings, view),
    {0}};

static const struct ct_option_group groups[] = {
    {"Input", input_options, 0}, {"Page", page_options, 0}, {"Output", output_options, 0}, {0}};

static const char *const examples[] = {
    "crosstalk watch watch --topology tree:4x4,2",
    "what impactb --watch watch has seen: which link is sick, since when, how sure",
    "crosstalk watch watch --topology ib.txt --follow",
    "the same while it is watched, a line for each alarm",
    "crosstalk watch watch --topology ib.txt --serve 7438",
    "a page of it at http://localhost:7438/, as it comes; the token is in watch/page.token",
    "crosstalk watch watch --topology ib.txt --format json -q",
    "for scripts",
    NULL};

static const char *const see_also[] = {"impactb(1)", "crosstalk-prober(1)", "crosstalk-topology(1)",
                                       NULL};

static const struct ct_command command = {
    .name = "crosstalk watch",
    .operands = "DIR",
    .min_operands = 1,
    .summary = "which link of a watched network is sick",
    .description =
        "Reads the folder that impactb --watch or crosstalk-prober(1) writes. For the time of "
        "--learn it learns what messages take on paths of each length, and how many are slow "
        "beside the loads that there are. Then each direction of a link, each way to a host and "
        "each host has a sequential test (an e-detector), so that all of them together raise at "
        "most --false-alarms on average, as long as no load leaves less than a third of the fast "
        "messages of the worst window of learning.\n\n"
        "An alarm names the direction that explains what became slow or was lost, or the "
        "directions that the probes do not tell apart, at most four: a lower rate, a longer delay, "
        "lost messages, a link that is down again and again, a slow host, another way than the "
        "topology has.\n\n"
        "It does not see what adaptive routing spreads over other links, nor queues of another "
        "traffic class: probes are UDP.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    (void)number;
    signalled = 1;
}

/* ---- words ---- */

static void write_time(int64_t unix_ns, char text[CT_UTC_MAX])
{
    time_t seconds = (time_t)(unix_ns / 1000000000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(text, CT_UTC_MAX, "%Y-%m-%d %H:%M:%S UTC", &parts);
}

static const char *end_name(const struct ct_topology *topology, uint32_t direction, bool far)
{
    return ct_topology_name(topology,
                            topology->links[direction / 2].end[(direction % 2 == 0) == far]);
}

/* "leaf0 to spine0 or spine0 to leaf2" */
static void write_where(const struct ct_watch_state *now, const struct ct_watch_alarm *alarm,
                        char text[WHERE_MAX])
{
    size_t used = 0;
    if (alarm->host != UINT32_MAX) {
        snprintf(text, WHERE_MAX, "%s", now->hosts[alarm->host].name);
        return;
    }
    snprintf(text, WHERE_MAX, "more than %d links", CT_WATCH_SUSPECTS_MAX);
    for (uint32_t i = 0; i < alarm->n_suspects && used < WHERE_MAX; i++)
        used += (size_t)snprintf(text + used, WHERE_MAX - used, "%s%s to %s", i > 0 ? " or " : "",
                                 end_name(now->topology, alarm->suspects[i], false),
                                 end_name(now->topology, alarm->suspects[i], true));
}

static void write_size(const struct ct_watch_alarm *alarm, char text[64])
{
    bool is_time = alarm->kind == CT_WATCH_DELAY || alarm->kind == CT_WATCH_ROUTE;
    double unit = is_time ? 1e-6 : 0.01;
    if (isnan(alarm->size))
        snprintf(text, 64, "not known");
    else
        snprintf(text, 64, "%.3g%s [%.3g, %.3g]", alarm->size / unit, is_time ? " us" : " %",
                 alarm->low / unit, alarm->high / unit);
}

static const char *const words[] = {
    [CT_WATCH_RATE] = "carries less than it did, by %s",
    [CT_WATCH_DELAY] = "takes longer than it did, by %s",
    [CT_WATCH_LOSS] = "loses messages: %s",
    [CT_WATCH_FLAP] = "is down for moments",
    [CT_WATCH_HOST] = "sends and answers late: the host is slow, not its link",
    [CT_WATCH_ROUTE] = ("is passed by messages to one host that take longer by %s: is it another "
                        "way than the topology has?")};

/* "leaf0 to spine0 loses messages: 1.2 % [0.6, 2.2]" */
static void write_alarm(const struct ct_watch_state *now, const struct ct_watch_alarm *alarm,
                        char *text, size_t room)
{
    char where[WHERE_MAX], size[64], what[160];
    const char *form = words[alarm->kind], *at = strstr(form, "%s");
    write_where(now, alarm, where);
    write_size(alarm, size);
    if (at)
        snprintf(what, sizeof what, "%.*s%s%s", (int)(at - form), form, size, at + 2);
    else
        snprintf(what, sizeof what, "%s", form);
    snprintf(text, room, "%s %s", where, what);
}

/* ---- the answer ---- */

static void fill_alarms(struct ct_tables *tables, const struct ct_watch_state *now)
{
    static const struct ct_column columns[] = {
        {"id", "alarm", CT_UNIT_COUNT},   {"kind", "kind", CT_UNIT_NONE},
        {"where", "where", CT_UNIT_NONE}, {"size", "size, 90 %", CT_UNIT_NONE},
        {"since", "since", CT_UNIT_NONE}, {"raised_after_s", "raised after", CT_UNIT_LONG_SECONDS},
        {"ended", "ended", CT_UNIT_NONE}};
    char where[WHERE_MAX], text[CT_UTC_MAX], size[64];
    CT_TABLES_BEGIN(tables, "alarms", NULL, columns);
    for (size_t i = 0; i < now->n_alarms; i++) {
        const struct ct_watch_alarm *alarm = &now->alarms[i];
        ct_tables_cell_number(tables, (double)alarm->id);
        ct_tables_cell_text(tables, ct_watch_kind_names[alarm->kind]);
        write_where(now, alarm, where);
        ct_tables_cell_text(tables, where);
        write_size(alarm, size);
        ct_tables_cell_text(tables, size);
        write_time(alarm->since_unix_ns, text);
        ct_tables_cell_text(tables, text);
        ct_tables_cell_number(tables,
                              1e-9 * (double)(alarm->raised_unix_ns - alarm->since_unix_ns));
        if (alarm->ended_unix_ns > 0)
            write_time(alarm->ended_unix_ns, text);
        ct_tables_cell_text(tables, alarm->ended_unix_ns > 0 ? text : "lasts");
    }
}

static void fill_classes(struct ct_tables *tables, const struct ct_watch_state *now)
{
    static const struct ct_column columns[] = {{"way", "way", CT_UNIT_NONE},
                                               {"switches", "switches", CT_UNIT_COUNT},
                                               {"bytes", "size", CT_UNIT_BYTES},
                                               {"probes", "probes", CT_UNIT_COUNT},
                                               {"median_s", "median", CT_UNIT_SECONDS},
                                               {"p99_s", "99 %", CT_UNIT_SECONDS},
                                               {"healthy_s", "healthy", CT_UNIT_SECONDS},
                                               {"healthy_p99_s", "99 %", CT_UNIT_SECONDS}};
    CT_TABLES_BEGIN(tables, "classes", "small messages of the last minute", columns);
    for (size_t i = 0; i < now->n_classes; i++) {
        const struct ct_watch_class *class = &now->classes[i];
        if (class->n == 0)
            continue;
        ct_tables_cell_text(tables, class->is_round ? "round trip" : "one way");
        CT_CELL_NUMBERS(tables, class->switches, class->bytes, (double)class->n, class->median_s,
                        class->p99_s, class->healthy_s, class->healthy_p99_s);
    }
}

static void fill_answer(struct ct_tables *tables, const struct ct_watch_state *now,
                        uint64_t n_samples)
{
    char text[512], since[CT_UTC_MAX];
    size_t n_lasting = 0;
    for (size_t i = 0; i < now->n_unknown; i++)
        ct_tables_note(tables, "Not known: %s.", now->unknown[i]);
    for (size_t i = 0; i < now->n_alarms; i++) {
        if (now->alarms[i].ended_unix_ns > 0)
            continue;
        n_lasting++;
        write_alarm(now, &now->alarms[i], text, sizeof text);
        write_time(now->alarms[i].since_unix_ns, since);
        ct_tables_answer(tables, "%s, since %s.", text, since);
    }
    write_time(now->unix_ns, since);
    if (now->n_unknown > 0 && now->n_classes == 0)
        ct_tables_answer(tables, "%llu probes of %zu hosts are too few to say anything.",
                         (unsigned long long)n_samples, now->n_hosts);
    else if (n_lasting == 0)
        ct_tables_answer(tables,
                         "Nothing is sick at %s, by %llu probes of %zu hosts, at %g false alarms a "
                         "day%s.",
                         since, (unsigned long long)n_samples, now->n_hosts,
                         now->false_alarms_per_day, now->n_alarms > 0 ? "; what was is over" : "");
}

/* ---- the watch ---- */

struct watch {
    const struct settings *settings;
    struct ct_log log;
    struct ct_topology topology;
    struct ct_watch_reader *reader;
    struct ct_watch_finder *finder;
    struct ct_watch_page *page; /* NULL: none */
    uint64_t n_samples, n_said; /* alarms that were printed */
    struct ct_watch_sample samples[SAMPLES_AT_ONCE];
};

static void say_alarms(struct watch *watch)
{
    const struct ct_watch_state *now = ct_watch_finder_state(watch->finder);
    char text[512];
    for (size_t i = now->n_alarms; i-- > 0;)
        if (now->alarms[i].id > watch->n_said) {
            write_alarm(now, &now->alarms[i], text, sizeof text);
            ct_log_warn(&watch->log, "%s", text);
            watch->n_said = now->alarms[i].id;
        }
}

/* What has come since. */
static enum ct_status take_samples(struct watch *watch, struct ct_error *err)
{
    for (size_t n = 1; n > 0 && !signalled;) {
        size_t n_hosts;
        enum ct_status status =
            ct_watch_reader_next(watch->reader, watch->samples, SAMPLES_AT_ONCE, &n, err);
        if (status == CT_EFORMAT) { /* the reader goes on behind it */
            ct_log_warn(&watch->log, "%s", err->text);
            continue;
        }
        if (status != CT_OK)
            return status;
        const struct ct_watch_host *hosts = ct_watch_reader_hosts(watch->reader, &n_hosts);
        status = ct_watch_finder_hosts(watch->finder, hosts, n_hosts, err);
        if (status == CT_OK)
            status = ct_watch_finder_take(watch->finder, watch->samples, n, err);
        if (status != CT_OK)
            return status;
        watch->n_samples += n;
        if (watch->page && n > 0)
            ct_watch_page_note(watch->page, watch->finder, watch->samples[n - 1].unix_ns);
    }
    return CT_OK;
}

static enum ct_status print_answer(struct watch *watch, struct ct_error *err)
{
    const struct ct_watch_state *now = ct_watch_finder_state(watch->finder);
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)watch->settings->format);
    if (!tables)
        return ct_no_memory(err, "tables");
    ct_tables_parameters(tables, &command, watch->settings);
    CT_TABLES_NUMBER(tables, "probes", "probes", COUNT, (double)watch->n_samples);
    CT_TABLES_NUMBER(tables, "hosts", "hosts", COUNT, (double)now->n_hosts);
    fill_classes(tables, now);
    if (now->n_alarms > 0 || watch->settings->format != CT_FORMAT_TABLE)
        fill_alarms(tables, now);
    fill_answer(tables, now, watch->n_samples);
    enum ct_status status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

static enum ct_status open_watch(struct watch *watch, const char *folder, struct ct_error *err)
{
    const struct settings *settings = watch->settings;
    const struct ct_topology_settings plain = ct_topology_defaults();
    const struct ct_watch_rules rules = {settings->false_alarms_per_day, settings->learn_s};
    enum ct_status status = ct_topology_open(settings->topology, &plain, &watch->topology, err);
    if (status == CT_OK)
        status = ct_watch_reader_open(folder, 0, &watch->reader, err);
    if (status == CT_OK)
        status = ct_watch_finder_new(&watch->topology, &rules, &watch->finder, err);
    if (status == CT_OK && settings->page.address)
        status = ct_watch_page_open(&settings->page, folder, &watch->log, &watch->page, err);
    return status;
}

static enum ct_status watch_folder(void *values, const struct ct_arguments *args,
                                   struct ct_error *err)
{
    const struct settings *settings = values;
    struct watch watch = {.settings = settings,
                          .log = ct_log_open(command.name, settings->view.quiet)};
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    enum ct_status status = open_watch(&watch, args->operands[0], err);
    if (status == CT_OK)
        status = take_samples(&watch, err);
    bool follows = settings->follow || settings->page.address;
    while (status == CT_OK && follows && !signalled) {
        double next_s = ct_clock_now_s() + 1;
        say_alarms(&watch);
        if (watch.page)
            status = ct_watch_page_show(watch.page, ct_watch_finder_state(watch.finder), err);
        if (status != CT_OK)
            break;
        if (watch.page)
            ct_watch_page_run(watch.page, next_s);
        else
            ct_clock_sleep_until(next_s);
        status = take_samples(&watch, err);
    }
    if (status == CT_OK)
        status = print_answer(&watch, err);
    ct_watch_page_close(watch.page);
    ct_watch_finder_free(watch.finder);
    ct_watch_reader_close(watch.reader);
    ct_topology_free(&watch.topology);
    return status;
}

int ct_cmd_watch(int argc, char **argv)
{
    struct settings settings = {0};
    return ct_command_main(&command, argc, argv, &settings, watch_folder);
}
