/* Runs of a campaign: files of a folder, groups of a packed file. */
#include "core/array.h"
#include "core/order.h"
#include "results/checkpoint.h"
#include "results/schema.h"
#include "results/trial.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct texts {
    char **items;
    size_t n;
};

/* What is listed so far. Packed campaigns come last: see add_packed(). */
struct listing {
    struct ct_run_list list;
    struct texts packed; /* paths of their runs */
    struct ct_error *err;
};

static void free_texts(struct texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->items[i]);
    free(texts->items);
}

static enum ct_status keep_text(struct listing *listing, struct texts *texts, const char *text)
{
    char *copy = CT_ARRAY_RESIZE(texts->items, texts->n + 1) ? strdup(text) : NULL;
    if (!copy)
        return ct_no_memory(listing->err, "list of runs");
    texts->items[texts->n++] = copy;
    return CT_OK;
}

/* name within a folder, or a packed campaign. */
static enum ct_status keep_path(struct listing *listing, struct texts *paths, const char *within,
                                char separator, const char *name)
{
    char *path;
    if (asprintf(&path, "%s%c%s", within, separator, name) < 0)
        return ct_no_memory(listing->err, "list of runs");
    enum ct_status status = keep_text(listing, paths, path);
    free(path);
    return status;
}

static void sort_texts(char **items, size_t n)
{
    if (n > 0)
        qsort(items, n, sizeof *items, ct_order_texts);
}

static enum ct_status reject_file(struct listing *listing, const char *why)
{
    struct texts rejected = {listing->list.rejected, listing->list.n_rejected};
    enum ct_status status = keep_text(listing, &rejected, why);
    listing->list.rejected = rejected.items;
    listing->list.n_rejected = rejected.n;
    return status;
}

/* Takes info over. */
static enum ct_status keep_run(struct listing *listing, const char *path, struct ct_run_info *info,
                               const struct ct_run_stamp *stamp)
{
    struct ct_run_list *list = &listing->list;
    char *copy = CT_ARRAY_RESIZE(list->entries, list->n_entries + 1) ? strdup(path) : NULL;
    if (!copy) {
        ct_run_info_free(info);
        return ct_no_memory(listing->err, "list of runs");
    }
    list->entries[list->n_entries++] =
        (struct ct_run_entry){.path = copy, .info = *info, .stamp = *stamp};
    return CT_OK;
}

/* ---- whether two runs are one ---- */

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* A fact that was there before packing. */
static bool is_original(const struct ct_run_fact *fact)
{
    return strncmp(fact->key, CT_RUN_PACKED_PREFIX, strlen(CT_RUN_PACKED_PREFIX)) != 0;
}

static size_t count_originals(const struct ct_run_info *info)
{
    size_t n = 0;
    for (size_t i = 0; i < info->n_facts; i++)
        n += is_original(&info->facts[i]);
    return n;
}

static bool same_fact(const struct ct_run_fact *a, const struct ct_run_fact *b)
{
    if (strcmp(a->key, b->key) != 0 || !a->text != !b->text)
        return false;
    return a->text ? strcmp(a->text, b->text) == 0 : same_number(a->number, b->number);
}

/* In any order: programs that save a file again write attributes in theirs. */
static bool same_facts(const struct ct_run_info *a, const struct ct_run_info *b)
{
    if (count_originals(a) != count_originals(b))
        return false;
    for (size_t i = 0, next = 0; i < a->n_facts; i++) {
        size_t tried = 0;
        if (!is_original(&a->facts[i]))
            continue;
        while (tried < b->n_facts && !same_fact(&a->facts[i], &b->facts[next % b->n_facts]))
            tried++, next++;
        if (tried == b->n_facts)
            return false;
        next++;
    }
    return true;
}

static bool same_attribute(const struct ct_attribute *attribute, const struct ct_run_info *a,
                           const struct ct_run_info *b)
{
    const void *x = (const char *)a + attribute->offset, *y = (const char *)b + attribute->offset;
    switch (attribute->type) {
    case CT_ATTRIBUTE_TEXT:
        return strcmp(*(char *const *)x, *(char *const *)y) == 0;
    case CT_ATTRIBUTE_U64:
        return *(const uint64_t *)x == *(const uint64_t *)y;
    case CT_ATTRIBUTE_F64:
        return same_number(*(const double *)x, *(const double *)y);
    }
    return false;
}

static bool same_run(const struct ct_run_info *a, const struct ct_run_info *b)
{
    if (a->kind != b->kind || a->has_config != b->has_config ||
        (a->has_config && ct_config_compare(&a->config, &b->config) != 0))
        return false;
    for (size_t i = 0; i < CT_N_ATTRIBUTES; i++)
        if (!same_attribute(&ct_attributes[i], a, b))
            return false;
    return same_facts(a, b);
}

static bool is_listed(const struct ct_run_list *list, size_t n, const struct ct_run_info *info)
{
    for (size_t i = 0; i < n; i++)
        if (same_run(&list->entries[i].info, info))
            return true;
    return false;
}

/* ---- files ---- */

/* Unless it is the same run as one of the first n_others entries. */
static enum ct_status add_run(struct listing *listing, const char *path,
                              const struct ct_source *source, size_t n_others)
{
    struct ct_error why;
    struct ct_run_info info = {0};
    enum ct_status status = ct_schema_read_info(source->group, &info, &why);
    if (status == CT_OK && !is_listed(&listing->list, n_others, &info))
        return keep_run(listing, path, &info, &source->stamp);
    ct_run_info_free(&info);
    if (status == CT_OK)
        return CT_OK;
    ct_fail_within(&why, status, "%s", path);
    return status == CT_ENOMEM ? ct_no_memory(listing->err, "list of runs")
                               : reject_file(listing, why.text);
}

/* Where the file cannot be opened, that is noted, and *is_open_p is false. */
static enum ct_status open_listed(struct listing *listing, const char *path, bool survives,
                                  struct ct_source *source, bool *is_open_p)
{
    struct ct_error why;
    enum ct_status status =
        survives ? ct_source_open_untried(path, source, &why) : ct_source_fail_tried(path, &why);
    *is_open_p = status == CT_OK;
    if (status == CT_OK)
        return CT_OK;
    return status == CT_ENOMEM ? ct_no_memory(listing->err, "list of runs")
                               : reject_file(listing, why.text);
}

static enum ct_status add_member(struct listing *listing, const char *path, bool survives,
                                 size_t n_others)
{
    struct ct_source source = {0};
    bool is_open;
    enum ct_status status = open_listed(listing, path, survives, &source, &is_open);
    if (is_open) {
        status = add_run(listing, path, &source, n_others);
        ct_source_close(&source);
    }
    return status;
}

/* Whether two paths are runs of one packed campaign. */
static bool same_file(const char *a, const char *b)
{
    const char *colon = strrchr(a, ':');
    return strncmp(a, b, (size_t)(colon - a) + 1) == 0 && !strchr(b + (colon - a) + 1, ':');
}

/* After all files with one run: a campaign is often packed beside the files that it is made of, and
 * its runs must not count twice. */
static enum ct_status add_packed(struct listing *listing)
{
    const struct texts *paths = &listing->packed;
    struct ct_trial trial;
    enum ct_status status = CT_OK;
    size_t n_others = 0;
    sort_texts(paths->items, paths->n);
    ct_trial_begin(&trial, NULL, CT_TRIAL_RUNS, (const char *const *)paths->items, paths->n);
    for (size_t i = 0; i < paths->n && status == CT_OK; i++) {
        if (i == 0 || !same_file(paths->items[i - 1], paths->items[i]))
            n_others = listing->list.n_entries;
        status = add_member(listing, paths->items[i], ct_trial_survives(&trial, i), n_others);
    }
    ct_trial_end(&trial);
    return status;
}

static enum ct_status add_checkpoint(struct listing *listing, const char *folder)
{
    const struct ct_run_stamp none = {0};
    struct ct_run_info info;
    struct ct_error why;
    enum ct_status status = ct_run_read_info(folder, &info, &why);
    if (status == CT_OK)
        return keep_run(listing, folder, &info, &none);
    return status == CT_ENOMEM ? ct_no_memory(listing->err, "list of runs")
                               : reject_file(listing, why.text);
}

static enum ct_status add_open(struct listing *listing, const char *file,
                               const struct ct_source *source)
{
    struct ct_error why;
    struct texts names = {0};
    enum ct_status status = ct_source_runs(source, &names.items, &names.n, &why);
    if (status == CT_ENOMEM)
        return ct_no_memory(listing->err, "list of runs");
    if (status != CT_OK)
        return reject_file(listing, (ct_fail_within(&why, status, "%s", file), why.text));
    if (names.n == 0)
        return add_run(listing, file, source, 0);
    for (size_t i = 0; i < names.n && status == CT_OK; i++)
        status = keep_path(listing, &listing->packed, file, ':', names.items[i]);
    free_texts(&names);
    return status;
}

static enum ct_status add_file(struct listing *listing, const char *file, bool survives)
{
    struct ct_source source = {0};
    bool is_open;
    if (ct_checkpoint_is(file))
        return add_checkpoint(listing, file);
    enum ct_status status = open_listed(listing, file, survives, &source, &is_open);
    if (is_open) {
        status = add_open(listing, file, &source);
        ct_source_close(&source);
    }
    return status;
}

static enum ct_status add_files(struct listing *listing, const char *const *files, size_t n)
{
    struct ct_trial trial;
    enum ct_status status = CT_OK;
    ct_trial_begin(&trial, NULL, CT_TRIAL_RUNS, files, n);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = add_file(listing, files[i], ct_trial_survives(&trial, i));
    ct_trial_end(&trial);
    return status;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), n = strlen(ending);
    return length > n && !strcmp(name + length - n, ending);
}

static int is_run_file(const struct dirent *entry)
{
    if (strcmp(entry->d_name, CT_RUN_POSTERIOR) == 0)
        return 0;
    return entry->d_name[0] != '.' &&
           (ends_in(entry->d_name, ".h5") || ends_in(entry->d_name, ".h5" CT_CHECKPOINT_SUFFIX));
}

/* Whether the run file of a checkpoint is there. */
static bool is_done(const struct texts *files, const char *checkpoint)
{
    size_t length = strlen(checkpoint) - strlen(CT_CHECKPOINT_SUFFIX);
    for (size_t i = 0; i < files->n; i++)
        if (strlen(files->items[i]) == length && !strncmp(files->items[i], checkpoint, length))
            return true;
    return false;
}

static enum ct_status add_folder(struct listing *listing, const char *folder)
{
    struct dirent **found;
    int n = scandir(folder, &found, is_run_file, NULL);
    if (n < 0)
        return ct_fail(listing->err, CT_EIO, "%s: %s", folder, strerror(errno));
    struct texts paths = {0}, checkpoints = {0};
    enum ct_status status = CT_OK;
    for (int i = 0; i < n; i++) {
        bool is_file = ends_in(found[i]->d_name, ".h5");
        if (status == CT_OK)
            status =
                keep_path(listing, is_file ? &paths : &checkpoints, folder, '/', found[i]->d_name);
        free(found[i]);
    }
    free(found);
    if (status == CT_OK)
        status = add_files(listing, (const char *const *)paths.items, paths.n);
    for (size_t i = 0; i < checkpoints.n && status == CT_OK; i++)
        if (!is_done(&paths, checkpoints.items[i]))
            status = add_checkpoint(listing, checkpoints.items[i]);
    free_texts(&checkpoints);
    free_texts(&paths);
    return status;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The driver of a campaign keeps its runs in a folder "runs" of the campaign's folder. */
static enum ct_status add_campaign(struct listing *listing, const char *path)
{
    char *runs;
    CT_TRY(add_folder(listing, path));
    if (asprintf(&runs, "%s/runs", path) < 0)
        return ct_no_memory(listing->err, "list of runs");
    enum ct_status status = CT_OK;
    if (is_folder(runs))
        status = add_folder(listing, runs);
    free(runs);
    return status;
}

/* ---- copies ---- */

static bool same_rows(const struct ct_dataset *dataset, const struct ct_run *a,
                      const struct ct_run *b)
{
    size_t n = ct_dataset_count(dataset, a);
    if (n != ct_dataset_count(dataset, b))
        return false;
    /* Packed, so that gaps between the members of a row do not count. */
    char *packed_a = malloc(n * dataset->packed_bytes + 1);
    char *packed_b = malloc(n * dataset->packed_bytes + 1);
    bool same = packed_a && packed_b;
    if (same && n > 0) {
        ct_dataset_pack(dataset, ct_dataset_rows(dataset, a), n, packed_a);
        ct_dataset_pack(dataset, ct_dataset_rows(dataset, b), n, packed_b);
        same = memcmp(packed_a, packed_b, n * dataset->packed_bytes) == 0;
    }
    free(packed_a);
    free(packed_b);
    return same;
}

/* What cannot be read here fails where it is needed. */
static bool same_content(const struct ct_run_entry *a, const struct ct_run_entry *b)
{
    struct ct_run run_a, run_b;
    if (!same_run(&a->info, &b->info) || ct_run_read_entry(a, &run_a, NULL) != CT_OK)
        return false;
    bool same = ct_run_read_entry(b, &run_b, NULL) == CT_OK;
    if (same) {
        for (size_t d = 0; d < CT_N_DATASETS && same; d++)
            same = same_rows(&ct_datasets[d], &run_a, &run_b);
        ct_run_free(&run_b);
    }
    ct_run_free(&run_a);
    return same;
}

/* Runs that may be the same beside each other. Of copies that with the shorter name comes first:
   names of copies are longer by what is put behind. */
static int compare_origins(const void *a, const void *b)
{
    const struct ct_run_entry *x = a, *y = b;
    int order = strcmp(x->info.started_utc, y->info.started_utc);
    if (order == 0)
        order = (x->info.seed > y->info.seed) - (x->info.seed < y->info.seed);
    if (order == 0)
        order = strcmp(x->info.argv, y->info.argv);
    size_t length_x = strlen(x->path), length_y = strlen(y->path);
    if (order == 0)
        order = (length_x > length_y) - (length_x < length_y);
    return order ? order : strcmp(x->path, y->path);
}

static bool same_origin(const struct ct_run_info *a, const struct ct_run_info *b)
{
    return a->seed == b->seed && strcmp(a->started_utc, b->started_utc) == 0 &&
           strcmp(a->argv, b->argv) == 0;
}

static enum ct_status note_copy(struct listing *listing, const char *copy, const char *of)
{
    struct texts copies = {listing->list.copies, listing->list.n_copies};
    char *text;
    if (asprintf(&text, "%s: the same run as %s", copy, of) < 0)
        return ct_no_memory(listing->err, "list of runs");
    enum ct_status status = keep_text(listing, &copies, text);
    listing->list.copies = copies.items;
    listing->list.n_copies = copies.n;
    free(text);
    return status;
}

/* The entry from first on that this one is a copy of; NULL: none. */
static const struct ct_run_entry *find_original(const struct ct_run_entry *first, size_t n,
                                                const struct ct_run_entry *entry)
{
    for (size_t i = n; i-- > 0 && same_origin(&first[i].info, &entry->info);)
        if (same_content(&first[i], entry))
            return &first[i];
    return NULL;
}

static enum ct_status leave_out_copies(struct listing *listing)
{
    struct ct_run_list *list = &listing->list;
    enum ct_status status = CT_OK;
    size_t n = 0;
    if (list->n_entries > 0)
        qsort(list->entries, list->n_entries, sizeof *list->entries, compare_origins);
    for (size_t i = 0; i < list->n_entries; i++) {
        struct ct_run_entry *entry = &list->entries[i];
        const struct ct_run_entry *original = find_original(list->entries, n, entry);
        if (!original) {
            struct ct_run_entry kept = *entry;
            list->entries[n++] = kept;
            continue;
        }
        if (status == CT_OK)
            status = note_copy(listing, entry->path, original->path);
        free(entry->path);
        ct_run_info_free(&entry->info);
    }
    list->n_entries = n;
    return status;
}

/* ---- the list ---- */

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct ct_run_entry *)a)->path, ((const struct ct_run_entry *)b)->path);
}

static enum ct_status check_not_empty(const struct ct_run_list *list, const char *path, bool folder,
                                      struct ct_error *err)
{
    if (list->n_entries > 0)
        return CT_OK;
    if (!folder && list->n_rejected > 0)
        return ct_fail(err, CT_EFORMAT, "%s", list->rejected[0]);
    if (list->n_rejected == 0)
        return ct_fail(
            err, CT_ENODATA,
            "%s: no run file in it; 'crosstalk campaign run -o' and -o of the measuring programs "
            "write them",
            path);
    return ct_fail(err, CT_ENODATA, "%s: no run in it that can be read; %s", path,
                   list->rejected[0]);
}

enum ct_status ct_run_list_read(const char *path, struct ct_run_list *list_p, struct ct_error *err)
{
    struct listing listing = {.err = err};
    struct stat st;
    if (stat(path, &st) != 0)
        return ct_fail(err, CT_ENOENT, "%s: no such file or folder", path);
    enum ct_status status = is_folder(path) && !ct_checkpoint_is(path)
                                ? add_campaign(&listing, path)
                                : add_files(&listing, &path, 1);
    if (status == CT_OK)
        status = add_packed(&listing);
    free_texts(&listing.packed);
    if (status == CT_OK)
        status = leave_out_copies(&listing);
    if (status == CT_OK)
        status = check_not_empty(&listing.list, path, is_folder(path), err);
    if (status != CT_OK) {
        ct_run_list_free(&listing.list);
        return status;
    }
    qsort(listing.list.entries, listing.list.n_entries, sizeof *listing.list.entries,
          compare_entries);
    sort_texts(listing.list.rejected, listing.list.n_rejected);
    sort_texts(listing.list.copies, listing.list.n_copies);
    *list_p = listing.list;
    return CT_OK;
}

void ct_run_list_free(struct ct_run_list *list)
{
    for (size_t i = 0; i < list->n_entries; i++) {
        free(list->entries[i].path);
        ct_run_info_free(&list->entries[i].info);
    }
    free(list->entries);
    struct texts rejected = {list->rejected, list->n_rejected};
    struct texts copies = {list->copies, list->n_copies};
    free_texts(&rejected);
    free_texts(&copies);
    *list = (struct ct_run_list){0};
}

enum ct_status ct_run_list_join(struct ct_run_list *list, struct ct_run_list *more,
                                struct ct_error *err)
{
    if (!CT_ARRAY_RESIZE(list->entries, list->n_entries + more->n_entries) ||
        !CT_ARRAY_RESIZE(list->rejected, list->n_rejected + more->n_rejected) ||
        !CT_ARRAY_RESIZE(list->copies, list->n_copies + more->n_copies))
        return ct_no_memory(err, "runs");
    for (size_t i = 0; i < more->n_entries; i++)
        list->entries[list->n_entries++] = more->entries[i];
    for (size_t i = 0; i < more->n_rejected; i++)
        list->rejected[list->n_rejected++] = more->rejected[i];
    for (size_t i = 0; i < more->n_copies; i++)
        list->copies[list->n_copies++] = more->copies[i];
    more->n_entries = more->n_rejected = more->n_copies = 0;
    ct_run_list_free(more);
    if (list->n_entries > 0)
        qsort(list->entries, list->n_entries, sizeof *list->entries, compare_entries);
    return CT_OK;
}
