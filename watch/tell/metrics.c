#include "watch/tell/metrics.h"

#include "core/text.h"
#include "watch/tell/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct page {
    const struct ct_watch_state *state;
    enum ct_watch_exposition exposition;
    FILE *out;
};

struct label {
    const char *name, *text;
};

enum { NUMBER_MAX = 24 };

/* ---- the format ---- */

static void begin_family(const struct page *page, const char *name, const char *type,
                         const char *unit, const char *help)
{
    bool is_counter = strcmp(type, "counter") == 0,
         is_open = page->exposition == CT_WATCH_OPENMETRICS;
    const char *suffix = is_counter && !is_open ? "_total" : "";
    fprintf(page->out, "# HELP crosstalk_watch_%s%s %s\n# TYPE crosstalk_watch_%s%s %s\n", name,
            suffix, help, name, suffix, type);
    if (is_open && *unit)
        fprintf(page->out, "# UNIT crosstalk_watch_%s %s\n", name, unit);
}

/* Names of hosts and switches come from others. */
static void write_escaped(const char *text, FILE *out)
{
    for (size_t n; *text; text += n) {
        n = ct_text_utf8(text);
        if (n == 0) {
            n = 1;
            fputc('?', out);
        } else if (*text == '\n') {
            fputs("\\n", out);
        } else {
            if (*text == '"' || *text == '\\')
                fputc('\\', out);
            fwrite(text, 1, n, out);
        }
    }
}

/* NaN: there is none, and nothing is written. */
static void write_sample(const struct page *page, const char *name, const struct label *labels,
                         size_t n_labels, double value)
{
    if (isnan(value))
        return;
    fprintf(page->out, "crosstalk_watch_%s", name);
    for (size_t i = 0; i < n_labels; i++) {
        fprintf(page->out, "%s%s=\"", i == 0 ? "{" : ",", labels[i].name);
        write_escaped(labels[i].text, page->out);
        fputc('"', page->out);
    }
    fprintf(page->out, "%s %.15g\n", n_labels > 0 ? "}" : "", value);
}

#define WRITE_SAMPLE(page_, name_, value_, ...)                                                    \
    write_sample(page_, name_, (const struct label[]){__VA_ARGS__},                                \
                 sizeof((const struct label[]){__VA_ARGS__}) / sizeof(struct label), value_)

static double seconds_of(int64_t unix_ns)
{
    return unix_ns > 0 ? 1e-9 * (double)unix_ns : NAN;
}

/* ---- what is said ---- */

static void write_watch(const struct page *page)
{
    const struct ct_watch_state *state = page->state;
    begin_family(page, "newest_sample_timestamp_seconds", "gauge", "seconds",
                 "When the newest probe was sent, since 1970.");
    write_sample(page, "newest_sample_timestamp_seconds", NULL, 0, seconds_of(state->unix_ns));
    begin_family(page, "unknown_facts", "gauge", "",
                 "Things that the watch cannot say now; its answer names them.");
    write_sample(page, "unknown_facts", NULL, 0, (double)state->n_unknown);
}

static void write_hosts(const struct page *page)
{
    const struct ct_watch_state *state = page->state;
    begin_family(page, "host_present", "gauge", "", "1 while the host takes part in the watch.");
    for (size_t i = 0; i < state->n_hosts; i++)
        WRITE_SAMPLE(page, "host_present", state->hosts[i].is_present,
                     {"host", state->hosts[i].name});
    begin_family(page, "host_seen_timestamp_seconds", "gauge", "seconds",
                 "When the last answer of the host came, since 1970.");
    for (size_t i = 0; i < state->n_hosts; i++)
        WRITE_SAMPLE(page, "host_seen_timestamp_seconds", seconds_of(state->hosts[i].seen_unix_ns),
                     {"host", state->hosts[i].name});
    begin_family(page, "clock_offset_seconds", "gauge", "seconds",
                 "Clock of the host against that of the first host.");
    for (size_t i = 0; i < state->n_hosts; i++)
        WRITE_SAMPLE(page, "clock_offset_seconds", state->hosts[i].offset_s,
                     {"host", state->hosts[i].name});
    begin_family(page, "probes", "counter", "", "Probes that the host was to send.");
    for (size_t i = 0; i < state->n_hosts; i++) {
        const struct ct_watch_host *host = &state->hosts[i];
        WRITE_SAMPLE(page, "probes_total", (double)host->answered, {"host", host->name},
                     {"fate", "answered"});
        WRITE_SAMPLE(page, "probes_total", (double)host->lost, {"host", host->name},
                     {"fate", "lost"});
        WRITE_SAMPLE(page, "probes_total", (double)host->skipped, {"host", host->name},
                     {"fate", "skipped"});
    }
}

static void write_class(const struct page *page, const char *name,
                        const struct ct_watch_class *class, const char *percentile, double value)
{
    char switches[NUMBER_MAX], bytes[NUMBER_MAX];
    snprintf(switches, sizeof switches, "%" PRIu32, class->switches);
    snprintf(bytes, sizeof bytes, "%" PRIu32, class->bytes);
    const struct label labels[] = {{"switches", switches},
                                   {"bytes", bytes},
                                   {"way", class->is_round ? "round trip" : "one way"},
                                   {"percentile", percentile}};
    write_sample(page, name, labels, 3 + (*percentile != '\0'), value);
}

static void write_classes(const struct page *page)
{
    const struct ct_watch_state *state = page->state;
    begin_family(page, "latency_seconds", "gauge", "seconds",
                 "Latency of small messages in the last minute, by switches on the path.");
    for (size_t i = 0; i < state->n_classes; i++) {
        write_class(page, "latency_seconds", &state->classes[i], "50", state->classes[i].median_s);
        write_class(page, "latency_seconds", &state->classes[i], "90", state->classes[i].p90_s);
        write_class(page, "latency_seconds", &state->classes[i], "99", state->classes[i].p99_s);
    }
    begin_family(page, "latency_healthy_seconds", "gauge", "seconds",
                 "The same as it was learned on the healthy network.");
    for (size_t i = 0; i < state->n_classes; i++) {
        const struct ct_watch_class *class = &state->classes[i];
        write_class(page, "latency_healthy_seconds", class, "50", class->healthy_s);
        write_class(page, "latency_healthy_seconds", class, "99", class->healthy_p99_s);
    }
    begin_family(page, "latency_probes", "gauge", "", "Probes of the last minute in the class.");
    for (size_t i = 0; i < state->n_classes; i++)
        write_class(page, "latency_probes", &state->classes[i], "", (double)state->classes[i].n);
}

static void write_loads(const struct page *page)
{
    const struct ct_topology *topology = page->state->topology;
    if (!topology || !page->state->load)
        return;
    begin_family(page, "link_busy_ratio", "gauge", "ratio",
                 "Share of the time in which the direction of a link is busy.");
    for (uint32_t i = 0; i < 2 * topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i / 2];
        char number[NUMBER_MAX];
        if (isnan(page->state->load[i]))
            continue;
        snprintf(number, sizeof number, "%" PRIu32, i / 2);
        WRITE_SAMPLE(page, "link_busy_ratio", page->state->load[i], {"link", number},
                     {"from", ct_topology_name(topology, link->end[i % 2])},
                     {"to", ct_topology_name(topology, link->end[1 - i % 2])});
    }
}

/* An alarm that lasts, with others of its kind at its place as one. */
static bool is_said(const struct ct_watch_state *state, size_t i, char place[CT_WATCH_PLACE_MAX])
{
    char other[CT_WATCH_PLACE_MAX];
    ct_watch_place(state, &state->alarms[i], place);
    if (state->alarms[i].ended_unix_ns != 0)
        return false;
    for (size_t k = 0; k < i; k++) {
        if (state->alarms[k].ended_unix_ns != 0 || state->alarms[k].kind != state->alarms[i].kind)
            continue;
        ct_watch_place(state, &state->alarms[k], other);
        if (strcmp(place, other) == 0)
            return false;
    }
    return true;
}

static void write_alarms(const struct page *page)
{
    const struct ct_watch_state *state = page->state;
    char place[CT_WATCH_PLACE_MAX];
    size_t n_lasting = 0;
    uint64_t newest = 0;
    for (size_t i = 0; i < state->n_alarms; i++) {
        n_lasting += state->alarms[i].ended_unix_ns == 0;
        newest = state->alarms[i].id > newest ? state->alarms[i].id : newest;
    }
    begin_family(page, "alarms", "counter", "", "Alarms that were raised.");
    write_sample(page, "alarms_total", NULL, 0, (double)newest);
    begin_family(page, "alarms_lasting", "gauge", "", "Alarms that last.");
    write_sample(page, "alarms_lasting", NULL, 0, (double)n_lasting);
    begin_family(page, "fault_since_timestamp_seconds", "gauge", "seconds",
                 "Since when what is sick has been so, since 1970.");
    for (size_t i = 0; i < state->n_alarms; i++)
        if (is_said(state, i, place))
            WRITE_SAMPLE(page, "fault_since_timestamp_seconds",
                         seconds_of(state->alarms[i].since_unix_ns), {"place", place},
                         {"kind", ct_watch_kind_names[state->alarms[i].kind]});
}

static void write_prices(const struct page *page)
{
    const struct ct_watch_state *state = page->state;
    char place[CT_WATCH_PLACE_MAX];
    begin_family(page, "slowdown_ratio", "gauge", "ratio",
                 "What a fault adds to the run time of an application, simulated.");
    for (size_t i = 0; i < state->n_alarms; i++)
        for (size_t k = 0; k < state->n_prices && is_said(state, i, place); k++)
            if (state->prices[k].alarm == state->alarms[i].id)
                WRITE_SAMPLE(page, "slowdown_ratio", 0.01 * state->prices[k].percent,
                             {"application", state->prices[k].application}, {"place", place},
                             {"kind", ct_watch_kind_names[state->alarms[i].kind]});
}

void ct_watch_metrics_write(const struct ct_watch_state *state, enum ct_watch_exposition exposition,
                            FILE *out)
{
    const struct page page = {state, exposition, out};
    write_watch(&page);
    write_hosts(&page);
    write_classes(&page);
    write_loads(&page);
    write_alarms(&page);
    write_prices(&page);
    if (exposition == CT_WATCH_OPENMETRICS)
        fputs("# EOF\n", out);
}
