/* crosstalk watch: which link of a watched network is sick. */
#include "cli/cli.h"
#include "cli/watch_commands.h"
#include "cli/watch_page.h"
#include "cli/watch_prices.h"
#include "cli/watch_tell.h"
#include "core/array.h"
#include "core/cancel.h"
#include "core/clock.h"
#include "core/option_rows.h"
#include "study/watch_load.h"
#include "watch/find/finder.h"
#include "watch/store.h"
#include "watch/tell/events.h"
#include "watch/tell/words.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES_AT_ONCE = 1024 };

struct settings {
    double learn_s, false_alarms_per_day;
    bool follow;
    struct ct_watch_price_settings price;
    struct ct_watch_tell_settings tell;
    struct ct_watch_page_settings page;
    int format;
    struct ct_view view;
};

static const struct ct_option input_options[] = {
    {CT_OPTION(STRING, "topology", struct settings, price.fabric.topology), .argument = "TOPOLOGY",
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
    {"Input", input_options, 0},
    {"Network", ct_watch_network_options, offsetof(struct settings, price)},
    {"Price", ct_watch_price_options, offsetof(struct settings, price)},
    {"Model (LogGPS)", ct_model_options, offsetof(struct settings, price.model)},
    {"Alarms and metrics", ct_watch_tell_options, offsetof(struct settings, tell)},
    {"Page", page_options, 0},
    {"Output", output_options, 0},
    {0}};

static const char *const examples[] = {
    "crosstalk watch watch --topology tree:4x4,2",
    "what impactb --watch watch has seen: which link is sick, since when, how sure",
    "crosstalk watch watch --topology ib.txt --follow",
    "the same while it is watched, a line for each alarm",
    "crosstalk watch watch --topology ib.txt --serve 7438",
    "a page of it at http://localhost:7438/, as it comes; the token is in watch/page.token",
    "crosstalk watch watch --topology ib.txt --format json -q",
    "for scripts",
    "crosstalk watch watch --topology ib.txt --rate 100gbit --applications traces --logp logp.h5",
    "also what each fault costs the applications in the folder traces",
    ("crosstalk watch --fault 'leaf3 to spine1 at 80%' --topology tree:4x4,2 --rate 100gbit "
     "--applications traces --logp logp.h5"),
    "what a fault would cost them",
    NULL};

static const char *const see_also[] = {"impactb(1)",
                                       "crosstalk-prober(1)",
                                       "crosstalk-simulate(1)",
                                       "crosstalk-topology(1)",
                                       "crosstalk-trace(1)",
                                       "crosstalk-watch-check(1)",
                                       "crosstalk-watch-script(1)",
                                       "crosstalk-watch-start(1)",
                                       NULL};

static const struct ct_command command = {
    .name = "crosstalk watch",
    .operands = "[DIR]",
    .max_operands = 1,
    .summary = "which link of a watched network is sick",
    .description =
        "Reads the folder that 'crosstalk watch start', impactb --watch or crosstalk-prober(1) "
        "writes. 'crosstalk watch script' prints a batch script of Slurm that probes, 'crosstalk "
        "watch check' asks about one host; each has --help. For the time of --learn it learns what "
        "messages take on paths of each length, and how many are slow "
        "beside the loads that there are. Then each direction of a link, each way to a host and "
        "each host has a sequential test (an e-detector), so that all of them together raise at "
        "most --false-alarms on average, as long as no load leaves less than a third of the fast "
        "messages of the worst window of learning.\n\n"
        "An alarm names the direction that explains what became slow or was lost, or the "
        "directions that the probes do not tell apart, at most four: a lower rate, a longer delay, "
        "lost messages, a link that is down again and again, a slow host, another way than the "
        "topology has.\n\n"
        "With --applications each fault has a price: how much longer each application takes with "
        "it, by simulations of its packets, or by T(L, G) where these are too many. The interval "
        "comes from that of the fault's size. Lost messages have a price with --retransmit "
        "only.\n\n"
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

/* ---- the answer ---- */

static const double busy_noted = 0.05, load_every_s = 10;

enum { SUSPECTS_MAX = CT_WATCH_SUSPECTS_MAX * sizeof "4294967295, " };

/* Rows of "loads". */
static void write_suspects(const struct ct_watch_alarm *alarm, char text[SUSPECTS_MAX])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < alarm->n_suspects; i++)
        used += (size_t)snprintf(text + used, SUSPECTS_MAX - used, "%s%u", i > 0 ? ", " : "",
                                 alarm->suspects[i]);
}

static void fill_alarms(struct ct_tables *tables, const struct ct_watch_state *now)
{
    static const struct ct_column columns[] = {
        {"id", "alarm", CT_UNIT_COUNT},   {"kind", "kind", CT_UNIT_NONE},
        {"where", "where", CT_UNIT_NONE}, {"size", "size, 90 %", CT_UNIT_NONE},
        {"since", "since", CT_UNIT_NONE}, {"raised_after_s", "raised after", CT_UNIT_LONG_SECONDS},
        {"ended", "ended", CT_UNIT_NONE}, {"sentence", NULL, CT_UNIT_NONE},
        {"reason", NULL, CT_UNIT_NONE},   {"suspects[]", NULL, CT_UNIT_NONE}};
    char where[CT_WATCH_PLACE_MAX], text[CT_UTC_MAX], size[CT_WATCH_SIZE_MAX], sentence[512],
        suspects[SUSPECTS_MAX];
    CT_TABLES_BEGIN(tables, "alarms", NULL, columns);
    for (size_t i = 0; i < now->n_alarms; i++) {
        const struct ct_watch_alarm *alarm = &now->alarms[i];
        ct_tables_cell_number(tables, (double)alarm->id);
        ct_tables_cell_text(tables, ct_watch_kind_names[alarm->kind]);
        ct_watch_place(now, alarm, where);
        ct_tables_cell_text(tables, where);
        ct_watch_size(alarm, size);
        ct_tables_cell_text(tables, size);
        write_time(alarm->since_unix_ns, text);
        ct_tables_cell_text(tables, text);
        ct_tables_cell_number(tables,
                              1e-9 * (double)(alarm->raised_unix_ns - alarm->since_unix_ns));
        if (alarm->ended_unix_ns > 0)
            write_time(alarm->ended_unix_ns, text);
        ct_tables_cell_text(tables, alarm->ended_unix_ns > 0 ? text : "lasts");
        ct_watch_sentence(now, alarm, sentence, sizeof sentence);
        ct_tables_cell_text(tables, sentence);
        ct_tables_cell_text(tables, alarm->reason);
        write_suspects(alarm, suspects);
        ct_tables_cell_list(tables, suspects);
    }
}

static double unix_s(int64_t unix_ns)
{
    return unix_ns > 0 ? 1e-9 * (double)unix_ns : NAN;
}

/* For programs. */
static void fill_hosts(struct ct_tables *tables, const struct ct_watch_state *now,
                       const struct ct_watch_finder *finder)
{
    static const struct ct_column columns[] = {{"host", "host", CT_UNIT_NONE},
                                               {"node", "node", CT_UNIT_NONE},
                                               {"present", "present", CT_UNIT_COUNT},
                                               {"answered", "answered", CT_UNIT_COUNT},
                                               {"lost", "lost", CT_UNIT_COUNT},
                                               {"skipped", "skipped", CT_UNIT_COUNT},
                                               {"clock_offset_s", "clock", CT_UNIT_SECONDS},
                                               {"seen_unix_s", "seen", CT_UNIT_COUNT}};
    CT_TABLES_BEGIN(tables, "hosts_seen", NULL, columns);
    for (size_t i = 0; i < now->n_hosts; i++) {
        const struct ct_watch_host *host = &now->hosts[i];
        ct_tables_cell_text(tables, host->name);
        ct_tables_cell_text(tables, ct_watch_finder_node(finder, i));
        CT_CELL_NUMBERS(tables, host->is_present, (double)host->answered, (double)host->lost,
                        (double)host->skipped, host->offset_s, unix_s(host->seen_unix_ns));
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

/* For programs. */
static void fill_loads(struct ct_tables *tables, const struct ct_watch_state *now)
{
    static const struct ct_column columns[] = {{"from", "from", CT_UNIT_NONE},
                                               {"to", "to", CT_UNIT_NONE},
                                               {"busy", "busy", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "loads", NULL, columns);
    for (uint32_t d = 0; d < 2 * now->topology->n_links; d++) {
        const struct ct_link *link = &now->topology->links[d / 2];
        ct_tables_cell_text(tables, ct_topology_name(now->topology, link->end[d % 2]));
        ct_tables_cell_text(tables, ct_topology_name(now->topology, link->end[1 - d % 2]));
        ct_tables_cell_number(tables, now->load ? now->load[d] : NAN);
    }
}

static void say_busiest(struct ct_tables *tables, const struct ct_watch_state *now)
{
    uint32_t busiest = 0;
    char share[CT_UNITS_TEXT_MAX];
    for (uint32_t d = 1; d < 2 * now->topology->n_links; d++)
        if (now->load[d] > now->load[busiest] || isnan(now->load[busiest]))
            busiest = d;
    const struct ct_link *link = &now->topology->links[busiest / 2];
    if (now->load[busiest] < busy_noted)
        ct_tables_answer(tables, "No link was busy for more than %g %% of the last minute.",
                         100 * busy_noted);
    else {
        ct_format_share(now->load[busiest], share);
        ct_tables_answer(tables, "The busiest link of the last minute was %s to %s: %s of it.",
                         ct_topology_name(now->topology, link->end[busiest % 2]),
                         ct_topology_name(now->topology, link->end[1 - busiest % 2]), share);
    }
}

static void fill_answer(struct ct_tables *tables, const struct ct_watch_state *now,
                        uint64_t n_samples)
{
    char text[1024], since[CT_UTC_MAX];
    size_t n_lasting = 0;
    for (size_t i = 0; i < now->n_unknown; i++)
        ct_tables_note(tables, "Not known: %s.", now->unknown[i]);
    if (!now->load)
        ct_tables_note(tables, "Not known: how busy links are: times one way are not known, or "
                               "nothing was probed in the last minute.");
    for (size_t i = 0; i < now->n_alarms; i++) {
        if (now->alarms[i].ended_unix_ns > 0)
            continue;
        n_lasting++;
        ct_watch_sentence(now, &now->alarms[i], text, sizeof text);
        write_time(now->alarms[i].since_unix_ns, since);
        ct_tables_answer(tables, "%s, since %s.", text, since);
        if (ct_watch_prices_write(now, now->alarms[i].id, text, sizeof text))
            ct_tables_answer(tables, "It costs %s.", text);
    }
    write_time(now->unix_ns, since);
    if (!now->has_learned)
        ct_tables_answer(tables, "Nothing can be said yet, by %llu probes of %zu host%s.",
                         (unsigned long long)n_samples, now->n_hosts, now->n_hosts == 1 ? "" : "s");
    else if (n_lasting == 0)
        ct_tables_answer(tables,
                         "Nothing is sick at %s, by %llu probes of %zu hosts, at %g false alarms a "
                         "day%s.",
                         since, (unsigned long long)n_samples, now->n_hosts,
                         now->false_alarms_per_day, now->n_alarms > 0 ? "; what was is over" : "");
    if (now->load)
        say_busiest(tables, now);
}

/* ---- the watch ---- */

struct watch {
    const struct settings *settings;
    struct ct_log log;
    struct ct_watch_prices *prices; /* with the topology */
    struct ct_watch_reader *reader;
    struct ct_watch_finder *finder;
    struct ct_watch_teller *teller;
    struct ct_watch_page *page; /* NULL: none */
    bool has_said_learning, has_said_learned;
    struct ct_watch_events said;  /* with --follow */
    uint64_t n_samples, n_priced; /* alarms whose prices were printed */
    double *load;                 /* of directions; NULL: not known */
    double next_load_s;           /* ct_clock_now_s() */
    struct ct_watch_sample samples[SAMPLES_AT_ONCE];
};

/* Why nothing comes, and from when on something can. */
static void say_learning(struct watch *watch, const struct ct_watch_state *now)
{
    if (now->has_learned && !watch->has_said_learned)
        ct_log_info(&watch->log, "has learned what is healthy: faults are said as they are found");
    else if (!now->has_learned && !watch->has_said_learning)
        ct_log_info(&watch->log,
                    "learns what is healthy from the first %g s of probes; no fault "
                    "is found before",
                    watch->settings->learn_s);
    watch->has_said_learned = now->has_learned;
    watch->has_said_learning = true;
}

/* A narrower place has another price. */
static void say_event(void *taker, const struct ct_watch_state *now,
                      const struct ct_watch_alarm *alarm, enum ct_watch_event event)
{
    struct watch *watch = taker;
    char text[1024];
    if (event == CT_WATCH_OVER)
        return;
    if (event == CT_WATCH_NARROWED && alarm->id <= watch->n_priced)
        watch->n_priced = alarm->id - 1;
    ct_watch_sentence(now, alarm, text, sizeof text);
    ct_log_warn(&watch->log, "%s", text);
}

static void say_prices(struct watch *watch, const struct ct_watch_state *now)
{
    char place[CT_WATCH_PLACE_MAX], text[1024];
    for (size_t i = now->n_alarms; i-- > 0;)
        if (now->alarms[i].id > watch->n_priced) {
            ct_watch_place(now, &now->alarms[i], place);
            if (ct_watch_prices_write(now, now->alarms[i].id, text, sizeof text))
                ct_log_warn(&watch->log, "%s costs %s", place, text);
            watch->n_priced = now->alarms[i].id;
        }
}

/* Large networks take seconds: at most a twentieth of the time. */
static void find_loads(struct watch *watch, bool is_last, struct ct_watch_state *now)
{
    const struct ct_watch_wait *waits;
    struct ct_error err;
    size_t n;
    double begin_s = ct_clock_now_s();
    if (is_last || begin_s >= watch->next_load_s) {
        enum ct_status status = ct_watch_finder_waits(watch->finder, &waits, &n, &err);
        if (status == CT_OK && !CT_ARRAY_RESIZE(watch->load, 2 * (size_t)now->topology->n_links))
            status = ct_no_memory(&err, "loads of links");
        if (status == CT_OK)
            status = ct_watch_load_estimate(now->topology, waits, n, watch->load, &err);
        if (status != CT_OK) {
            free(watch->load);
            watch->load = NULL;
        }
        double end_s = ct_clock_now_s();
        watch->next_load_s = end_s + fmax(load_every_s, 20 * (end_s - begin_s));
    }
    now->load = watch->load;
}

/* What has come since. */
static enum ct_status take_samples(struct watch *watch, struct ct_error *err)
{
    for (bool at_end = false; !at_end && !signalled;) {
        size_t n, n_hosts;
        enum ct_status status =
            ct_watch_reader_next(watch->reader, watch->samples, SAMPLES_AT_ONCE, &n, err);
        if (status == CT_EFORMAT) /* there may be samples before it, and behind it */
            ct_log_warn(&watch->log, "%s", err->text);
        else if (status != CT_OK)
            return status;
        at_end = status == CT_OK && n == 0;
        const struct ct_watch_host *hosts = ct_watch_reader_hosts(watch->reader, &n_hosts);
        CT_TRY(ct_watch_finder_hosts(watch->finder, hosts, n_hosts, err));
        CT_TRY(ct_watch_finder_take(watch->finder, watch->samples, n, err));
        watch->n_samples += n;
        if (watch->page && n > 0)
            ct_watch_page_note(watch->page, watch->finder, watch->samples[n - 1].unix_ns);
    }
    return CT_OK;
}

static enum ct_status print_tables(const struct watch *watch, const struct ct_watch_state *now,
                                   enum ct_format format, FILE *out, struct ct_error *err)
{
    struct ct_tables *tables = ct_tables_new(command.name, format);
    ct_tables_parameters(tables, &command, watch->settings);
    CT_TABLES_NUMBER(tables, "probes", "probes", COUNT, (double)watch->n_samples);
    CT_TABLES_NUMBER(tables, "hosts", "hosts", COUNT, (double)now->n_hosts);
    if (format != CT_FORMAT_TABLE) {
        CT_TABLES_NUMBER(tables, "newest_unix_s", "newest", COUNT, unix_s(now->unix_ns));
        CT_TABLES_NUMBER(tables, "now_unix_s", "now", COUNT, 1e-9 * (double)ct_clock_unix_ns());
        CT_TABLES_NUMBER(tables, "false_alarms_per_day", "false alarms a day", COUNT,
                         now->false_alarms_per_day);
        CT_TABLES_NUMBER(tables, "has_learned", "has learned", COUNT, now->has_learned);
        fill_hosts(tables, now, watch->finder);
        fill_loads(tables, now);
    }
    fill_classes(tables, now);
    if (now->n_alarms > 0 || format != CT_FORMAT_TABLE)
        fill_alarms(tables, now);
    if (watch->settings->price.applications || format != CT_FORMAT_TABLE)
        ct_watch_prices_fill(now, tables);
    fill_answer(tables, now, watch->n_samples);
    enum ct_status status = ct_tables_print(tables, out, err);
    ct_tables_free(tables);
    return status;
}

/* For --status and the page. */
struct answer {
    const struct watch *watch;
    const struct ct_watch_state *now;
};

static enum ct_status write_answer(void *context, FILE *out, struct ct_error *err)
{
    const struct answer *answer = context;
    return print_tables(answer->watch, answer->now, CT_FORMAT_JSON, out, err);
}

/* What is new, to everybody who listens: alarms first, since prices may take minutes. A signal ends
   the simulations of prices. */
static enum ct_status tell_all(struct watch *watch, bool is_last, struct ct_error *err)
{
    struct ct_watch_state now = *ct_watch_finder_state(watch->finder);
    struct answer answer = {watch, &now};
    find_loads(watch, is_last, &now);
    if (watch->settings->follow || watch->page) {
        say_learning(watch, &now);
        CT_TRY(ct_watch_events_next(&watch->said, &now, say_event, watch, err));
    }
    enum ct_status status = ct_watch_teller_step(watch->teller, &now, err);
    if (status == CT_OK)
        status = ct_watch_prices_join(watch->prices, &now, err);
    if (status != CT_OK && status != CT_EINTR)
        return status;
    if (watch->settings->follow || watch->page)
        say_prices(watch, &now);
    CT_TRY(watch->page ? ct_watch_page_show(watch->page, &now, write_answer, &answer, err) : CT_OK);
    ct_watch_teller_replace(watch->teller, &now, is_last, write_answer, &answer);
    return is_last ? print_tables(watch, &now, (enum ct_format)watch->settings->format, stdout, err)
                   : CT_OK;
}

static enum ct_status open_watch(struct watch *watch, const char *folder, struct ct_error *err)
{
    const struct settings *settings = watch->settings;
    const struct ct_watch_rules rules = {settings->false_alarms_per_day, settings->learn_s};
    CT_TRY(ct_watch_prices_open(command.name, &settings->price, &watch->prices, err));
    CT_TRY(ct_watch_reader_open(folder, 0, &watch->reader, err));
    CT_TRY(
        ct_watch_finder_new(ct_watch_prices_topology(watch->prices), &rules, &watch->finder, err));
    CT_TRY(ct_watch_teller_open(&settings->tell, &watch->log, &watch->teller, err));
    if (settings->page.address)
        CT_TRY(ct_watch_page_open(&settings->page, folder, &watch->log, &watch->page, err));
    return CT_OK;
}

/* What a fault would cost that nobody has found. */
static enum ct_status answer_fault(const struct settings *settings, struct ct_error *err)
{
    struct ct_watch_prices *prices = NULL;
    struct ct_watch_state state = {.unix_ns = 0};
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)settings->format);
    char text[1024];
    enum ct_status status = ct_watch_prices_open(command.name, &settings->price, &prices, err);
    if (status == CT_OK)
        status = ct_watch_prices_ask(prices, &state, err);
    if (status == CT_OK) {
        ct_tables_parameters(tables, &command, settings);
        ct_watch_prices_fill(&state, tables);
        ct_watch_prices_write(&state, 0, text, sizeof text);
        ct_tables_answer(tables, "%s: %s.", settings->price.fault, text);
        status = ct_tables_print(tables, stdout, err);
    }
    ct_watch_prices_free(prices);
    ct_tables_free(tables);
    return status;
}

static enum ct_status watch_folder(void *values, const struct ct_arguments *args,
                                   struct ct_error *err)
{
    const struct settings *settings = values;
    if (settings->price.fault && args->n_operands > 0)
        return ct_fail(err, CT_EUSAGE,
                       "--fault: asks what a fault would cost, without DIR; leave out one of both");
    if (settings->price.fault)
        return answer_fault(settings, err);
    if (args->n_operands == 0)
        return ct_fail(
            err, CT_EUSAGE,
            "DIR is missing: the folder that crosstalk watch start -o DIR, or impactb --watch DIR, "
            "writes; or give --fault");
    struct watch watch = {.settings = settings,
                          .log = ct_log_open(command.name, settings->view.quiet)};
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    ct_cancel_watch(&signalled);
    enum ct_status status = open_watch(&watch, args->operands[0], err);
    if (status == CT_OK)
        status = take_samples(&watch, err);
    bool follows = settings->follow || settings->page.address;
    while (status == CT_OK && follows && !signalled) {
        double next_s = ct_clock_now_s() + 1;
        status = tell_all(&watch, false, err);
        if (watch.page)
            ct_watch_page_run(watch.page, next_s);
        else
            ct_clock_sleep_until(next_s);
        if (status == CT_OK)
            status = take_samples(&watch, err);
    }
    if (status == CT_OK)
        status = tell_all(&watch, true, err);
    struct ct_error at_end;
    if (ct_watch_teller_close(watch.teller, &at_end) != CT_OK && status == CT_OK) {
        *err = at_end;
        status = at_end.status;
    }
    free(watch.load);
    ct_watch_events_free(&watch.said);
    ct_watch_finder_free(watch.finder);
    ct_watch_reader_close(watch.reader);
    ct_watch_prices_free(watch.prices);
    ct_cancel_watch(NULL);
    return status;
}

int ct_cmd_watch(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "check") == 0)
        return ct_watch_check(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "start") == 0)
        return ct_watch_start(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "script") == 0)
        return ct_watch_script(argc - 1, argv + 1);
    struct settings settings = {.price = ct_watch_price_defaults()};
    return ct_command_main(&command, argc, argv, &settings, watch_folder);
}
