#include "study/cache_format.h"

#include "core/array.h"
#include "core/version.h"
#include "results/fingerprint.h"
#include "study/summary_sources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one description for writing and reading ---- */

/* Bytes that grow, or that are gone through. */
struct codec {
    unsigned char *bytes; /* owned while written, borrowed while read */
    size_t n, capacity;
    size_t at; /* of the next byte to be read */
    bool writes;
    enum ct_status status; /* CT_OK; CT_EFORMAT; CT_ENOMEM: nothing happens any more */
};

static bool has_failed(const struct codec *codec)
{
    return codec->status != CT_OK;
}

static void fail_codec(struct codec *codec, enum ct_status status)
{
    if (codec->status == CT_OK)
        codec->status = status;
}

/* Of what is read only. */
static void demand_that(struct codec *codec, bool holds)
{
    if (!codec->writes && !holds)
        fail_codec(codec, CT_EFORMAT);
}

static size_t remaining_bytes(const struct codec *codec)
{
    return codec->n - codec->at;
}

static void code_value(struct codec *codec, void *value, size_t n)
{
    if (has_failed(codec) || n == 0)
        return;
    if (!codec->writes) {
        demand_that(codec, n <= remaining_bytes(codec));
        if (has_failed(codec))
            return;
        memcpy(value, codec->bytes + codec->at, n);
        codec->at += n;
        return;
    }
    if (!CT_ARRAY_RESERVE(codec->bytes, codec->capacity, codec->n + n)) {
        fail_codec(codec, CT_ENOMEM);
        return;
    }
    memcpy(codec->bytes + codec->n, value, n);
    codec->n += n;
}

/* A number without bytes of no meaning in it. */
#define CODE(codec, value) code_value(codec, &(value), sizeof(value))

static void code_flag(struct codec *codec, bool *flag)
{
    uint8_t byte = codec->writes ? *flag : 0;
    CODE(codec, byte);
    demand_that(codec, byte <= 1);
    if (!codec->writes)
        *flag = byte == 1;
}

/* How many items follow, each of which takes that many bytes at least. */
static void code_count(struct codec *codec, size_t *n, size_t least_bytes)
{
    CODE(codec, *n);
    demand_that(codec, *n <= remaining_bytes(codec) / least_bytes);
    if (has_failed(codec) && !codec->writes)
        *n = 0;
}

/* Room for items that are read; one more than needed, since calloc(0) may answer NULL. */
static void *make_items(struct codec *codec, void *items, size_t n, size_t item_bytes)
{
    if (codec->writes || has_failed(codec))
        return codec->writes ? items : NULL;
    items = calloc(n + 1, item_bytes);
    if (!items)
        fail_codec(codec, CT_ENOMEM);
    return items;
}

/* An array of numbers whose length is known. */
static void *code_items(struct codec *codec, void *items, size_t n, size_t item_bytes)
{
    demand_that(codec, n <= remaining_bytes(codec) / item_bytes);
    items = make_items(codec, items, n, item_bytes);
    code_value(codec, items, items ? n * item_bytes : 0);
    return items;
}

static void code_text(struct codec *codec, char **text)
{
    size_t length = codec->writes && *text ? strlen(*text) : 0;
    code_count(codec, &length, 1);
    *text = code_items(codec, *text, length, 1); /* the item more is its end */
    demand_that(codec, *text && strlen(*text) == length);
}

/* ---- what was measured ---- */

/* Probe latencies are kept as their number only: their summary stands elsewhere. When passes began
 * nobody asks. */
static void code_samples(struct codec *codec, struct ct_samples *samples, bool is_probe)
{
    size_t end = 0;
    CODE(codec, samples->n);
    code_count(codec, &samples->n_runs, sizeof *samples->ends);
    samples->ends = code_items(codec, samples->ends, samples->n_runs, sizeof *samples->ends);
    for (size_t r = 0; r < samples->n_runs && !has_failed(codec); r++) {
        demand_that(codec, samples->ends[r] >= end);
        end = samples->ends[r];
    }
    demand_that(codec, end == samples->n);
    if (is_probe)
        return;
    samples->x = code_items(codec, samples->x, samples->n, sizeof *samples->x);
    CODE(codec, samples->watched_s);
    CODE(codec, samples->waited_s);
    demand_that(codec, samples->watched_s >= 0 && isfinite(samples->watched_s) &&
                           samples->waited_s >= 0 && samples->waited_s <= samples->watched_s);
    CODE(codec, samples->steal_watched_s);
    CODE(codec, samples->stolen_s);
    demand_that(codec, samples->steal_watched_s >= 0 && isfinite(samples->steal_watched_s) &&
                           samples->stolen_s >= 0 && samples->stolen_s <= samples->steal_watched_s);
}

static void code_grid(struct codec *codec, struct ct_probe_grid *grid)
{
    CODE(codec, grid->first);
    CODE(codec, grid->n_bins);
    demand_that(codec, ct_probe_grid_is_sound(grid));
}

/* Blocks are plain numbers, 64 bits each. */
_Static_assert(sizeof(struct ct_summary) == 5 * sizeof(double), "bytes of no meaning in a block");

static void code_summary(struct codec *codec, const struct ct_probe_grid *grid, size_t n,
                         struct ct_probe_summary *summary)
{
    CODE(codec, summary->n_blocks);
    demand_that(codec, summary->n_blocks <= CT_PROBE_BLOCKS_MAX);
    if (has_failed(codec))
        return;
    size_t n_counts = summary->n_blocks * ct_probe_mass_size(grid);
    if (!codec->writes)
        summary->grid = *grid;
    summary->blocks =
        code_items(codec, summary->blocks, summary->n_blocks, sizeof *summary->blocks);
    summary->counts = code_items(codec, summary->counts, n_counts, sizeof *summary->counts);
    demand_that(codec, has_failed(codec) || ct_probe_summary_is_sound(summary, n));
}

static void code_load(struct codec *codec, size_t n_apps, const struct ct_probe_grid *grid,
                      struct ct_measured_load *load)
{
    code_text(codec, &load->name);
    CODE(codec, load->true_frac);
    CODE(codec, load->known_frac);
    code_samples(codec, &load->latency_s, true);
    code_summary(codec, grid, load->latency_s.n, &load->summary);
    for (size_t app = 0; app < n_apps && !has_failed(codec); app++)
        code_samples(codec, &load->passes_s[app], false);
}

static void code_measurements(struct codec *codec, struct ct_measurements *measured)
{
    enum { LEAST_BYTES_OF_LOAD = 6 * 8, LEAST_BYTES_OF_SAMPLES = 2 * 8 };
    size_t n_apps = measured->n_apps, n_configs = measured->n_configs;
    code_count(codec, &n_apps, LEAST_BYTES_OF_LOAD);
    code_count(codec, &n_configs, LEAST_BYTES_OF_LOAD);
    demand_that(codec, n_apps == 0 || 1 + n_apps + n_configs <=
                                          remaining_bytes(codec) / LEAST_BYTES_OF_SAMPLES / n_apps);
    if (!has_failed(codec) && !codec->writes && ct_measurements_new(n_apps, n_configs, measured))
        fail_codec(codec, CT_ENOMEM);
    if (has_failed(codec) || !measured->loads)
        return;
    struct ct_probe_grid grid = measured->loads[0].summary.grid;
    code_grid(codec, &grid);
    for (size_t load = 0; load < ct_measured_n_loads(measured) && !has_failed(codec); load++)
        code_load(codec, n_apps, &grid, &measured->loads[load]);
    /* Else nothing is summarised. */
    demand_that(codec, has_failed(codec) || measured->loads[0].summary.n_blocks > 0);
}

/* ---- the rest of a study ---- */

static void code_config(struct codec *codec, struct ct_study_config *config)
{
    uint32_t pattern = (uint32_t)config->config.pattern;
    CODE(codec, config->config.partners);
    CODE(codec, config->config.messages);
    CODE(codec, config->config.bubble_s);
    CODE(codec, pattern);
    code_flag(codec, &config->config.burst.given);
    CODE(codec, config->config.burst.on_s);
    CODE(codec, config->config.burst.off_s);
    CODE(codec, config->config.message_bytes);
    CODE(codec, config->config.slots);
    CODE(codec, config->sent_bytes_per_s);
    demand_that(codec, pattern < CT_N_PATTERNS);
    if (!codec->writes && !has_failed(codec))
        config->config.pattern = (enum ct_pattern)pattern;
}

/* The machine by its number from 1; 0: none. */
static void code_dilation(struct codec *codec, struct ct_dilation *dilation)
{
    uint8_t number = dilation->machine ? (uint8_t)(dilation->machine - ct_machines + 1) : 0;
    CODE(codec, number);
    CODE(codec, dilation->factor);
    demand_that(codec, number <= CT_MACHINES_N && dilation->factor >= 1);
    if (!has_failed(codec))
        dilation->machine = number > 0 ? &ct_machines[number - 1] : NULL;
}

static void code_drift(struct codec *codec, struct ct_app_drift *item)
{
    code_text(codec, &item->app);
    code_text(codec, &item->before_utc);
    code_text(codec, &item->after_utc);
    code_flag(codec, &item->drift.found);
    CODE(codec, item->drift.before);
    CODE(codec, item->drift.after);
    CODE(codec, item->drift.before_s);
    CODE(codec, item->drift.after_s);
    CODE(codec, item->drift.change_frac);
}

static void code_group(struct codec *codec, size_t n_apps, struct ct_study_group *group)
{
    CODE(codec, group->app);
    demand_that(codec, group->app < n_apps);
    code_count(codec, &group->n_with, sizeof *group->with);
    group->with = code_items(codec, group->with, group->n_with, sizeof *group->with);
    for (size_t i = 0; i < group->n_with && !has_failed(codec); i++)
        demand_that(codec,
                    group->with[i] < n_apps && (i == 0 || group->with[i - 1] <= group->with[i]));
    code_samples(codec, &group->passes_s, false);
}

static void code_notes(struct codec *codec, struct ct_argv *notes)
{
    size_t n = notes->n;
    code_count(codec, &n, sizeof(size_t));
    for (size_t i = 0; i < n && !has_failed(codec); i++) {
        char *text = codec->writes && notes->item ? notes->item[i] : NULL;
        code_text(codec, &text);
        if (!codec->writes) {
            if (!has_failed(codec))
                ct_argv_add(notes, "%s", text);
            free(text);
        }
    }
    if (notes->failed)
        fail_codec(codec, CT_ENOMEM);
}

static void code_study(struct codec *codec, struct ct_study *study)
{
    code_measurements(codec, &study->measured);
    if (has_failed(codec))
        return;
    size_t n_apps = study->measured.n_apps, n_configs = study->measured.n_configs;
    study->configs = make_items(codec, study->configs, n_configs, sizeof *study->configs);
    for (size_t c = 0; c < n_configs && !has_failed(codec); c++)
        code_config(codec, &study->configs[c]);
    code_dilation(codec, &study->dilation);
    code_count(codec, &study->drifts.n, sizeof(size_t));
    study->drifts.items =
        make_items(codec, study->drifts.items, study->drifts.n, sizeof *study->drifts.items);
    for (size_t i = 0; i < study->drifts.n && !has_failed(codec); i++)
        code_drift(codec, &study->drifts.items[i]);
    code_count(codec, &study->n_groups, sizeof(size_t));
    study->groups = make_items(codec, study->groups, study->n_groups, sizeof *study->groups);
    for (size_t i = 0; i < study->n_groups && !has_failed(codec); i++)
        code_group(codec, n_apps, &study->groups[i]);
    code_notes(codec, &study->notes);
    code_notes(codec, &study->switches);
    CODE(codec, study->idle_wait_frac);
    CODE(codec, study->n_runs);
    CODE(codec, study->n_unreadable);
    code_flag(codec, &study->is_recorded);
    uint8_t shared = codec->writes ? (uint8_t)study->shared : 0;
    CODE(codec, shared);
    demand_that(codec, shared < CT_N_SHARED);
    if (!codec->writes && !has_failed(codec))
        study->shared = (enum ct_shared)shared;
}

/* ---- the file ---- */

/* What the payload after it was made from, and what it must be. */
struct header {
    char magic[8];
    struct ct_cache_key key;
    uint64_t payload[2];
    uint64_t payload_bytes;
};

static const char magic[8] = "ctsumm5";

size_t ct_cache_header_bytes(void)
{
    return sizeof(struct header);
}

struct ct_cache_key ct_cache_key_of_build(void)
{
    struct ct_cache_key key = {{0}, {0}};
    const uint64_t sizes[] = {sizeof(size_t),
                              sizeof(double),
                              sizeof(struct ct_summary),
                              sizeof(struct ct_probe_grid),
                              sizeof(struct ct_study_config),
                              sizeof(struct ct_app_drift),
                              sizeof(struct header),
                              CT_PROBE_BINS_MAX,
                              CT_PROBE_BLOCKS_MAX,
                              CT_PROBE_SCALES,
                              UINT64_C(0x0102030405060708)}; /* the order of bytes */
    struct ct_fingerprint *build = ct_fingerprint_new();
    if (!build)
        return key;
    ct_fingerprint_add_text(build, CT_VERSION);
    ct_fingerprint_add_text(build, CT_SUMMARY_SOURCES);
    ct_fingerprint_add(build, sizes, sizeof sizes);
    ct_fingerprint_end(build, key.build);
    return key;
}

static bool hash_payload(const unsigned char *bytes, size_t n, uint64_t bits[2])
{
    struct ct_fingerprint *payload = ct_fingerprint_new();
    if (!payload)
        return false;
    ct_fingerprint_add(payload, bytes, n);
    ct_fingerprint_end(payload, bits);
    return true;
}

enum ct_status ct_cache_encode(const struct ct_study *study, const struct ct_cache_key *key,
                               unsigned char **bytes_p, size_t *n_p)
{
    struct header header = {.key = *key};
    struct ct_study borrowed = *study; /* written from, not to */
    struct codec codec = {.writes = true};
    memcpy(header.magic, magic, sizeof magic);
    CODE(&codec, header);
    code_study(&codec, &borrowed);
    if (!has_failed(&codec)) {
        header.payload_bytes = codec.n - sizeof header;
        if (!hash_payload(codec.bytes + sizeof header, codec.n - sizeof header, header.payload))
            fail_codec(&codec, CT_ENOMEM);
    }
    if (has_failed(&codec)) {
        free(codec.bytes);
        return codec.status;
    }
    memcpy(codec.bytes, &header, sizeof header);
    *bytes_p = codec.bytes;
    *n_p = codec.n;
    return CT_OK;
}

enum ct_status ct_cache_decode_payload(const unsigned char *bytes, size_t n,
                                       struct ct_study *study_p)
{
    struct ct_study study = {0};
    struct codec codec = {.bytes = (unsigned char *)bytes, .n = n};
    code_study(&codec, &study);
    demand_that(&codec, remaining_bytes(&codec) == 0);
    if (has_failed(&codec)) {
        ct_study_free(&study);
        return codec.status;
    }
    *study_p = study;
    return CT_OK;
}

enum ct_status ct_cache_decode(const unsigned char *bytes, size_t n, const struct ct_cache_key *key,
                               struct ct_study *study_p)
{
    struct header header;
    uint64_t bits[2];
    if (n < ct_cache_header_bytes())
        return CT_EFORMAT;
    memcpy(&header, bytes, sizeof header);
    if (memcmp(header.magic, magic, sizeof magic) != 0 ||
        memcmp(&header.key, key, sizeof *key) != 0)
        return CT_ENOENT;
    bytes += ct_cache_header_bytes();
    n -= ct_cache_header_bytes();
    if (header.payload_bytes != n)
        return CT_EFORMAT;
    if (!hash_payload(bytes, n, bits))
        return CT_ENOMEM;
    return memcmp(bits, header.payload, sizeof bits) == 0
               ? ct_cache_decode_payload(bytes, n, study_p)
               : CT_EFORMAT;
}
