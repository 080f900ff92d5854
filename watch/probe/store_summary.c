#include "watch/probe/store_summary.h"

#include "core/clock.h"
#include "core/endian.h"
#include "watch/history.h"
#include "watch/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { ROOM = 4096, ERRORS_MAX = 10 };

struct summary {
    uint64_t n, n_of_fate[CT_WATCH_SKIPPED + 1], n_large, n_one_way;
    int64_t first_ns, last_ns, *last_of_host;
    double longest_gap_s;
    uint32_t gap_host;
    int64_t gap_ns;
    size_t n_hosts;
    uint64_t n_damaged;
    /* history */
    int64_t first_hour, last_hour;
    uint64_t n_hours, n_old;
    uint64_t n_of_bin[CT_WATCH_BINS]; /* small messages */
};

static void add_sample(struct summary *summary, const struct ct_watch_sample *sample)
{
    summary->n++;
    summary->n_of_fate[sample->fate]++;
    summary->n_large += sample->bytes >= CT_WATCH_LARGE_BYTES;
    summary->n_one_way += isnan(sample->there_s) ? 0 : 1;
    if (summary->first_ns == 0 || sample->unix_ns < summary->first_ns)
        summary->first_ns = sample->unix_ns;
    if (sample->unix_ns > summary->last_ns)
        summary->last_ns = sample->unix_ns;
    int64_t *last_ns = &summary->last_of_host[sample->from];
    double gap_s = 1e-9 * (double)(sample->unix_ns - *last_ns);
    if (*last_ns != 0 && gap_s > summary->longest_gap_s) {
        summary->longest_gap_s = gap_s;
        summary->gap_host = sample->from;
        summary->gap_ns = *last_ns;
    }
    *last_ns = sample->unix_ns;
}

static void add_row(void *taker, const struct ct_watch_history_row *row)
{
    struct summary *summary = taker;
    if (summary->n_hours == 0)
        summary->first_hour = row->hour;
    summary->n_hours += summary->n_hours == 0 || row->hour != summary->last_hour;
    summary->last_hour = row->hour;
    summary->n_old += (uint64_t)row->answered + row->lost + row->skipped;
    for (uint32_t i = 0; i < row->n_bins && !row->is_large; i++) {
        uint32_t bin = ct_endian_load_u32(row->count + (size_t)i * 8);
        if (bin < CT_WATCH_BINS)
            summary->n_of_bin[bin] += ct_endian_load_u32(row->count + (size_t)i * 8 + 4);
    }
}

static void read_samples(struct ct_watch_reader *reader, struct summary *summary, FILE *out)
{
    static struct ct_watch_sample samples[ROOM];
    struct ct_error err;
    size_t n;
    for (;;) {
        enum ct_status status = ct_watch_reader_next(reader, samples, ROOM, &n, &err);
        for (size_t i = 0; i < n; i++)
            add_sample(summary, &samples[i]);
        if (status != CT_OK && summary->n_damaged++ < ERRORS_MAX)
            fprintf(out, "%s\n", err.text);
        /* Behind damage it goes on. */
        if (status == CT_OK ? n == 0 : status != CT_EFORMAT)
            return;
    }
}

static void print_time(const char *what, int64_t unix_ns, FILE *out)
{
    char text[CT_UTC_MAX];
    ct_clock_utc_of(unix_ns, text);
    fprintf(out, "%s%s", what, text);
}

/* Where the bin of the median begins. */
static double median_of_history(const struct summary *summary)
{
    uint64_t all = 0, sum = 0;
    uint32_t bin = 0;
    for (uint32_t i = 0; i < CT_WATCH_BINS; i++)
        all += summary->n_of_bin[i];
    while (bin < CT_WATCH_BINS && 2 * (sum += summary->n_of_bin[bin]) < all)
        bin++;
    return ct_watch_history_from_s(bin);
}

static void print_hosts(const struct ct_watch_host *hosts, size_t n, FILE *out)
{
    fprintf(out, "%-20s %-8s %9s %9s %7s %8s %15s %12s\n", "host", "present", "sent", "answered",
            "lost", "skipped", "clock [s]", "drift");
    for (size_t i = 0; i < n; i++) {
        const struct ct_watch_host *host = &hosts[i];
        fprintf(out, "%-20s %-8s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %8" PRIu64, host->name,
                host->is_present ? "yes" : "no", host->sent, host->answered, host->lost,
                host->skipped);
        if (isnan(host->offset_s)) /* known after about 90 s */
            fprintf(out, " %15s %12s\n", "-", "-");
        else
            fprintf(out, " %15.6f %12.3g\n", rint(1e6 * host->offset_s) / 1e6 + 0.0, /* never -0 */
                    host->drift_per_s);
    }
}

static void print_summary(const struct summary *summary, const struct ct_watch_host *hosts,
                          FILE *out)
{
    fprintf(out, "%" PRIu64 " samples", summary->n);
    if (summary->n > 0) {
        print_time(", ", summary->first_ns, out);
        print_time(" to ", summary->last_ns, out);
        fprintf(out,
                "\n%" PRIu64 " answered, %" PRIu64 " lost, %" PRIu64 " skipped; %" PRIu64
                " of trains; %" PRIu64 " with one-way times\n",
                summary->n_of_fate[CT_WATCH_ANSWERED], summary->n_of_fate[CT_WATCH_LOST],
                summary->n_of_fate[CT_WATCH_SKIPPED], summary->n_large, summary->n_one_way);
        fprintf(out, "longest time between samples of a host: %.3g s, ", summary->longest_gap_s);
        if (summary->gap_host < summary->n_hosts)
            fprintf(out, "of %s", hosts[summary->gap_host].name);
        print_time(" from ", summary->gap_ns, out);
    }
    fprintf(out, "\n");
    if (summary->n_hours > 0)
        fprintf(out,
                "history: %" PRIu64 " samples of %" PRIu64
                " hours, as histograms; median round trip %.3g s\n",
                summary->n_old, summary->n_hours, median_of_history(summary));
    if (summary->n_damaged > 0)
        fprintf(out, "%" PRIu64 " damaged places\n", summary->n_damaged);
}

enum ct_status ct_probe_summary_print(const char *folder, FILE *out, struct ct_error *err)
{
    struct ct_watch_reader *reader;
    struct summary summary = {0};
    CT_TRY(ct_watch_reader_open(folder, 0, &reader, err));
    summary.last_of_host = calloc(CT_WATCH_HOSTS_MAX, sizeof *summary.last_of_host);
    if (!summary.last_of_host) {
        ct_watch_reader_close(reader);
        return ct_no_memory(err, "%s", folder);
    }
    read_samples(reader, &summary, out);
    const struct ct_watch_host *hosts = ct_watch_reader_hosts(reader, &summary.n_hosts);
    struct ct_error damage;
    if (ct_watch_history_read(folder, add_row, &summary, &damage) != CT_OK)
        fprintf(out, "%s\n", damage.text);
    print_hosts(hosts, summary.n_hosts, out);
    print_summary(&summary, hosts, out);
    free(summary.last_of_host);
    ct_watch_reader_close(reader);
    return CT_OK;
}
