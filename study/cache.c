#include "study/cache.h"

#include "core/array.h"
#include "core/file.h"
#include "core/version.h"
#include "predict/summaries.h"
#include "study/fingerprint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- one description for writing and reading ---- */

/* Bytes that grow, or that are gone through. */
struct codec {
    unsigned char *bytes; /* owned */
    size_t n, capacity;
    size_t at; /* of the next byte to be read */
    bool writes, failed;
};

static void code(struct codec *codec, void *value, size_t n)
{
    if (codec->failed || n == 0)
        return;
    if (!codec->writes) {
        codec->failed = n > codec->n - codec->at;
        if (!codec->failed)
            memcpy(value, codec->bytes + codec->at, n);
        codec->at += codec->failed ? 0 : n;
        return;
    }
    codec->failed = !CT_ARRAY_RESERVE(codec->bytes, codec->capacity, codec->n + n);
    if (codec->failed)
        return;
    memcpy(codec->bytes + codec->n, value, n);
    codec->n += n;
}

#define CODE(codec, value) code(codec, &(value), sizeof(value))

/* An array whose length is known; made when it is read. */
static void *code_items(struct codec *codec, void *items, size_t n, size_t item_bytes)
{
    if (!codec->writes) {
        if (codec->failed || n > (codec->n - codec->at) / item_bytes) {
            codec->failed = true;
            return NULL;
        }
        items = calloc(n + 1, item_bytes);
        codec->failed = !items;
    }
    code(codec, items, n * item_bytes);
    return items;
}

static void code_text(struct codec *codec, char **text)
{
    size_t length = codec->writes ? strlen(*text) : 0;
    CODE(codec, length);
    *text = code_items(codec, *text, length, 1); /* the item more is its end */
}

/* An array of structs whose parts are coded one by one: made empty when it is read. A struct takes
 * a byte of the file at least. */
static void *make_items(struct codec *codec, void *items, size_t n, size_t item_bytes)
{
    if (codec->writes)
        return items;
    if (codec->failed || n > codec->n - codec->at) {
        codec->failed = true;
        return NULL;
    }
    items = calloc(n + 1, item_bytes);
    codec->failed = !items;
    return items;
}

/* ---- a campaign ---- */

/* Probe latencies are kept as their number only: their summary is elsewhere. When passes began
 * nobody asks. */
static void code_values(struct codec *codec, struct ct_values *values, bool is_probe)
{
    CODE(codec, values->n);
    CODE(codec, values->n_runs);
    values->ends = code_items(codec, values->ends, values->n_runs, sizeof *values->ends);
    if (!is_probe)
        values->x = code_items(codec, values->x, values->n, sizeof *values->x);
}

static void code_probe(struct codec *codec, struct ct_probe_summary *probe)
{
    CODE(codec, probe->grid);
    CODE(codec, probe->n_blocks);
    if (probe->grid.n_bins > CT_PROBE_BINS_MAX || probe->n_blocks > CT_PROBE_BLOCKS_MAX)
        codec->failed = true;
    if (codec->failed)
        return;
    size_t n_counts = probe->n_blocks * ct_probe_mass_size(&probe->grid);
    probe->blocks = code_items(codec, probe->blocks, probe->n_blocks, sizeof *probe->blocks);
    probe->counts = code_items(codec, probe->counts, n_counts, sizeof *probe->counts);
}

static void code_drift(struct codec *codec, struct ct_app_drift *drift)
{
    code_text(codec, &drift->app);
    code_text(codec, &drift->before_utc);
    code_text(codec, &drift->after_utc);
    CODE(codec, drift->drift);
}

static void code_group(struct codec *codec, struct ct_measured_group *group)
{
    CODE(codec, group->app);
    CODE(codec, group->n_with);
    group->with = code_items(codec, group->with, group->n_with, sizeof *group->with);
    code_values(codec, &group->duration_s, false);
}

static void code_names(struct codec *codec, char ***names, size_t n)
{
    *names = make_items(codec, *names, n, sizeof **names);
    for (size_t i = 0; i < n && !codec->failed; i++)
        code_text(codec, &(*names)[i]);
}

static void code_facts(struct codec *codec, struct ct_loaded_campaign *campaign)
{
    size_t n_configs = campaign->input.n_configs, n_probed = ct_loaded_campaign_n_probed(campaign);
    campaign->truths = code_items(codec, campaign->truths, n_probed, sizeof *campaign->truths);
    campaign->sent_bytes_per_s =
        code_items(codec, campaign->sent_bytes_per_s, n_configs, sizeof(double));
    campaign->known_frac = code_items(codec, campaign->known_frac, n_configs, sizeof(double));
    CODE(codec, campaign->n_notes);
    code_names(codec, &campaign->notes, campaign->n_notes);
    CODE(codec, campaign->drifts.n);
    campaign->drifts.items = make_items(codec, campaign->drifts.items, campaign->drifts.n,
                                        sizeof *campaign->drifts.items);
    for (size_t i = 0; i < campaign->drifts.n && !codec->failed; i++)
        code_drift(codec, &campaign->drifts.items[i]);
    CODE(codec, campaign->n_groups);
    campaign->groups =
        make_items(codec, campaign->groups, campaign->n_groups, sizeof *campaign->groups);
    for (size_t i = 0; i < campaign->n_groups && !codec->failed; i++)
        code_group(codec, &campaign->groups[i]);
}

static void code_campaign(struct codec *codec, struct ct_loaded_campaign *campaign)
{
    CODE(codec, campaign->input.n_apps);
    CODE(codec, campaign->input.n_configs);
    CODE(codec, campaign->n_runs);
    code_names(codec, &campaign->app_names, campaign->input.n_apps);
    code_names(codec, &campaign->config_names, campaign->input.n_configs);
    if (codec->failed)
        return;
    size_t n_values = ct_loaded_campaign_n_values(campaign);
    size_t n_probed = ct_loaded_campaign_n_probed(campaign);
    campaign->configs =
        code_items(codec, campaign->configs, campaign->input.n_configs, sizeof *campaign->configs);
    campaign->values = make_items(codec, campaign->values, n_values, sizeof *campaign->values);
    for (size_t i = 0; i < n_values && !codec->failed; i++)
        code_values(codec, &campaign->values[i], i < n_probed);
    campaign->probe = make_items(codec, campaign->probe, n_probed, sizeof *campaign->probe);
    for (size_t i = 0; i < n_probed && !codec->failed; i++)
        code_probe(codec, &campaign->probe[i]);
    if (!codec->failed)
        code_facts(codec, campaign);
}

/* ---- the file ---- */

/* What the payload after it was made from, and what it must be. */
struct header {
    char magic[8], version[24];
    uint64_t source[2], payload[2];
    uint64_t payload_bytes;
};

static const char magic[8] = "ctsumm1";

/* Where the cache of a path is. NULL: out of memory. */
static char *cache_path(const char *path, bool is_folder)
{
    char *name = NULL;
    int n = is_folder ? asprintf(&name, "%s/%s", path, CT_CACHE_NAME)
                      : asprintf(&name, "%s%s", path, CT_CACHE_SUFFIX);
    return n < 0 ? NULL : name;
}

static enum ct_status add_folders(struct ct_fingerprint *source, const char *path, size_t *n_p,
                                  struct ct_error *err)
{
    static const char *const endings[] = {".h5", ".ports.json", NULL};
    char *runs = NULL;
    enum ct_status status = ct_fingerprint_add_folder(source, path, endings, n_p, err);
    if (asprintf(&runs, "%s/runs", path) < 0)
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    if (status == CT_OK)
        status = ct_fingerprint_add_folder(source, runs, endings, n_p, err);
    free(runs);
    return status;
}

/* Notes name files as the path does, so that it belongs to what they are made from. */
static enum ct_status fill_header(const char *path, bool is_folder, struct header *header,
                                  struct ct_error *err)
{
    size_t n_files = 0;
    struct ct_fingerprint source = ct_fingerprint_begin();
    ct_fingerprint_add(&source, path, strlen(path));
    enum ct_status status = is_folder ? add_folders(&source, path, &n_files, err)
                                      : ct_fingerprint_add_file(&source, path, err);
    *header = (struct header){.payload_bytes = 0};
    memcpy(header->magic, magic, sizeof magic);
    snprintf(header->version, sizeof header->version, "%s", CT_VERSION);
    ct_fingerprint_end(&source, header->source);
    return status;
}

static void fingerprint_payload(const struct codec *codec, uint64_t bits[2])
{
    struct ct_fingerprint payload = ct_fingerprint_begin();
    ct_fingerprint_add(&payload, codec->bytes, codec->n);
    ct_fingerprint_end(&payload, bits);
}

/* false: there is none for this source. */
static bool read_cache(const char *name, const struct header *wanted,
                       struct ct_loaded_campaign *campaign_p)
{
    struct header header;
    struct stat facts;
    struct codec codec = {.writes = false};
    struct ct_loaded_campaign campaign = {0};
    uint64_t bits[2];
    FILE *file = fopen(name, "re");
    if (!file)
        return false;
    bool good = fstat(fileno(file), &facts) == 0 && fread(&header, sizeof header, 1, file) == 1 &&
                memcmp(&header, wanted, offsetof(struct header, payload)) == 0 &&
                (uint64_t)facts.st_size - sizeof header == header.payload_bytes;
    if (good) {
        codec.n = header.payload_bytes;
        codec.bytes = malloc(codec.n + 1);
        good = codec.bytes && fread(codec.bytes, 1, codec.n, file) == codec.n;
    }
    fclose(file);
    if (good) {
        fingerprint_payload(&codec, bits);
        good = memcmp(bits, header.payload, sizeof bits) == 0;
    }
    if (good) {
        code_campaign(&codec, &campaign);
        size_t n_values = codec.failed ? 0 : ct_loaded_campaign_n_values(&campaign);
        campaign.series = calloc(n_values + 1, sizeof *campaign.series);
        campaign.times = calloc(n_values + 1, sizeof *campaign.times);
        campaign.runs = calloc(n_values + 1, sizeof *campaign.runs);
        good = !codec.failed && campaign.series && campaign.times && campaign.runs;
        if (!good)
            ct_loaded_campaign_free(&campaign);
    }
    free(codec.bytes);
    if (good)
        *campaign_p = campaign;
    return good;
}

/* What cannot be kept is made again the next time. */
static void write_cache(const char *name, struct header header, struct ct_loaded_campaign *campaign)
{
    struct ct_file draft;
    struct codec codec = {.writes = true};
    code_campaign(&codec, campaign);
    if (!codec.failed && ct_file_create(name, &draft, NULL) == CT_OK) {
        fingerprint_payload(&codec, header.payload);
        header.payload_bytes = codec.n;
        ct_file_write(&draft, &header, sizeof header, 0);
        ct_file_write(&draft, codec.bytes, codec.n, sizeof header);
        ct_file_commit(&draft, NULL);
    }
    free(codec.bytes);
}

/* ---- the whole ---- */

enum ct_status ct_load_campaign_summarized(const char *path, bool use_cache,
                                           struct ct_loaded_campaign *campaign_p,
                                           struct ct_error *err)
{
    struct header header;
    struct stat facts;
    bool is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    char *name = use_cache ? cache_path(path, is_folder) : NULL;
    bool may_use = name && fill_header(path, is_folder, &header, NULL) == CT_OK;
    enum ct_status status = CT_OK;
    if (!may_use || !read_cache(name, &header, campaign_p)) {
        status = ct_load_campaign(path, campaign_p, err);
        /* What keeps probes from being summarised is said by those who need the summaries. */
        if (status == CT_OK &&
            ct_predict_summarize_probes(&campaign_p->input, &campaign_p->probe, NULL) == CT_OK &&
            may_use)
            write_cache(name, header, campaign_p);
    }
    if (status == CT_OK)
        ct_loaded_campaign_show(campaign_p);
    free(name);
    return status;
}
