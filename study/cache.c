#include "study/cache.h"

#include "results/cache.h"
#include "results/checkpoint.h"
#include "results/fingerprint.h"
#include "study/cache_format.h"
#include "study/placements.h"
#include "study/scan_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* ---- what it belongs to ---- */

static enum ct_status add_folders(struct ct_fingerprint *source, const char *path)
{
    /* A checkpoint, which may grow, is a folder that cannot be read as a file: then no cache. */
    static const char *const endings[] = {".h5", ".ports.json", ".h5" CT_CHECKPOINT_SUFFIX, NULL};
    char *runs = NULL;
    enum ct_status status = ct_fingerprint_add_folder(source, path, endings, NULL);
    if (asprintf(&runs, "%s/runs", path) < 0)
        return CT_ENOMEM;
    if (status == CT_OK)
        status = ct_fingerprint_add_folder(source, runs, endings, NULL);
    free(runs);
    return status;
}

/* Notes name files as the path does, so that it belongs to what they are made from. */
static bool make_key(const char *path, const char *placement, const char *scan,
                     struct ct_cache_key *key_p)
{
    struct ct_cache_key key = ct_cache_key_of_build();
    struct ct_fingerprint *source = ct_fingerprint_new();
    if (!source)
        return false;
    ct_fingerprint_add_text(source, path);
    if (placement)
        ct_fingerprint_add_text(source, placement);
    enum ct_status status = is_folder(path) && !ct_checkpoint_is(path)
                                ? add_folders(source, path)
                                : ct_fingerprint_add_file(source, path, NULL);
    if (status == CT_OK && scan) {
        ct_fingerprint_add_text(source, scan);
        status = add_folders(source, scan);
    }
    ct_fingerprint_end(source, key.source);
    *key_p = key;
    return status == CT_OK;
}

/* ---- the file ---- */

/* false: there is none for this key. */
static bool read_cache(const char *name, const struct ct_cache_key *key, struct ct_study *study_p)
{
    size_t n = 0;
    unsigned char *bytes = ct_cache_read(name, &n);
    bool good = bytes && ct_cache_decode(bytes, n, key, study_p) == CT_OK;
    free(bytes);
    return good;
}

static void write_cache(const char *name, const struct ct_cache_key *key,
                        const struct ct_study *study)
{
    unsigned char *bytes = NULL;
    size_t n = 0;
    if (ct_cache_encode(study, key, &bytes, &n) == CT_OK)
        ct_cache_write(name, bytes, n);
    free(bytes);
}

/* Runs of the campaign, and of the scan. */
static enum ct_status read_list(const char *path, const char *placement, const char *scan,
                                struct ct_run_list *list_p, struct ct_error *err)
{
    struct ct_run_list list, rounds = {0};
    CT_TRY(ct_placements_read_list(path, placement, &list, err));
    enum ct_status status = scan ? ct_scan_runs_list(scan, &rounds, err) : CT_OK;
    if (status == CT_OK)
        status = ct_run_list_join(&list, &rounds, err);
    ct_run_list_free(&rounds);
    if (status == CT_OK)
        *list_p = list;
    else
        ct_run_list_free(&list);
    return status;
}

enum ct_status ct_study_load_cached(const char *path, const char *placement, const char *scan,
                                    bool use_cache, struct ct_study *study_p,
                                    struct ct_run_list *list_p, struct ct_error *err)
{
    struct ct_cache_key key;
    struct ct_run_list list = {0};
    char *name = use_cache && make_key(path, placement, scan, &key)
                     ? ct_cache_path(key.source[0], key.build[0], "summaries")
                     : NULL;
    enum ct_status status = CT_OK;
    if (!name || !read_cache(name, &key, study_p)) {
        status = read_list(path, placement, scan, &list, err);
        if (status == CT_OK)
            status = ct_study_load_list(&list, study_p, err);
        /* What keeps probes from being summarised is said by those who need the summaries. */
        if (status == CT_OK && ct_study_summarize(study_p, NULL) == CT_OK && name)
            write_cache(name, &key, study_p);
    }
    free(name);
    if (status == CT_OK && list_p)
        *list_p = list;
    else
        ct_run_list_free(&list);
    return status;
}
