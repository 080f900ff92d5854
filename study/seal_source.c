#include "study/seal_source.h"

#include "core/array.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/self.h"
#include "results/fingerprint.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum ct_status hash_file(const char *path, char hash[CT_SEAL_HASH_MAX], struct ct_error *err)
{
    struct ct_fingerprint *fingerprint = ct_fingerprint_new();
    uint64_t bits[2] = {0};
    if (!fingerprint)
        return ct_no_memory(err, "%s", path);
    enum ct_status status = ct_fingerprint_add_file(fingerprint, path, err);
    ct_fingerprint_end(fingerprint, bits);
    snprintf(hash, CT_SEAL_HASH_MAX, "%016" PRIx64 "%016" PRIx64, bits[0], bits[1]);
    return status;
}

/* ---- files ---- */

static enum ct_status add_file(const char *path, const char *name, struct ct_seal_source *source,
                               struct ct_error *err)
{
    if (!CT_ARRAY_RESIZE(source->files, source->n + 1))
        return ct_no_memory(err, "%s", path);
    struct ct_seal_file *file = &source->files[source->n++];
    *file = (struct ct_seal_file){.path = strdup(name)};
    return file->path ? hash_file(path, file->hash, err) : ct_no_memory(err, "%s", path);
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), n = strlen(ending);
    return length >= n && !strcmp(name + length - n, ending);
}

/* What a driver says of its work is no input, and seals are results. */
static bool is_no_input(const char *name)
{
    return *name == '.' || ends_in(name, ".log") || !strcmp(name, "journal.jsonl") ||
           ends_in(name, ".sealed.json") || ends_in(name, ".opened");
}

/* below: what names of files begin with, "" or "runs/" */
static enum ct_status add_folder(const char *folder, const char *below,
                                 struct ct_seal_source *source, struct ct_error *err)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0)
        return ct_fail(err, CT_EIO, "%s: %s", folder, strerror(errno));
    enum ct_status status = CT_OK;
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char path[PATH_MAX], inner[PATH_MAX];
        struct stat about;
        int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        if (status == CT_OK && !is_no_input(name) && length < (int)sizeof path &&
            stat(path, &about) == 0) {
            bool is_folder = S_ISDIR(about.st_mode);
            if (snprintf(inner, sizeof inner, "%s%s%s", below, name, is_folder ? "/" : "") >=
                (int)sizeof inner)
                status = ct_fail(err, CT_EIO, "%s: the name is too long", path);
            else if (is_folder)
                status = add_folder(path, inner, source, err);
            else if (S_ISREG(about.st_mode))
                status = add_file(path, inner, source, err);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* is_campaign: names are those below its folder, wherever that is. */
static enum ct_status add_input(const char *path, bool is_campaign, struct ct_seal_source *source,
                                struct ct_error *err)
{
    struct stat about;
    char below[PATH_MAX];
    if (stat(path, &about) != 0)
        return ct_fail(err, CT_ENOENT, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(about.st_mode)) {
        const char *slash = strrchr(path, '/');
        return add_file(path, is_campaign && slash ? slash + 1 : path, source, err);
    }
    snprintf(below, sizeof below, "%s%s", is_campaign ? "" : path, is_campaign ? "" : "/");
    return add_folder(path, below, source, err);
}

enum ct_status ct_seal_source_read(const char *commit, const char *campaign,
                                   const char *const *others, size_t n_others,
                                   struct ct_seal_source *source_p, struct ct_error *err)
{
    char program[PATH_MAX];
    struct ct_seal_source source = {.commit = strdup(commit)};
    enum ct_status status =
        source.commit ? ct_self_path(program, sizeof program, err) : ct_no_memory(err, "seal");
    if (status == CT_OK)
        status = hash_file(program, source.program, err);
    if (status == CT_OK)
        status = add_input(campaign, true, &source, err);
    for (size_t i = 0; i < n_others && status == CT_OK; i++)
        if (others[i])
            status = add_input(others[i], false, &source, err);
    if (status == CT_OK)
        *source_p = source;
    else
        ct_seal_source_free(&source);
    return status;
}

void ct_seal_source_free(struct ct_seal_source *source)
{
    for (size_t i = 0; i < source->n; i++)
        free(source->files[i].path);
    free(source->files);
    free(source->commit);
    *source = (struct ct_seal_source){0};
}

/* ---- what differs ---- */

static const struct ct_seal_file *find_file(const struct ct_seal_source *source, const char *path)
{
    for (size_t i = 0; i < source->n; i++)
        if (!strcmp(source->files[i].path, path))
            return &source->files[i];
    return NULL;
}

enum ct_status ct_seal_source_compare(const struct ct_seal_source *sealed,
                                      const struct ct_seal_source *now, struct ct_argv *notes)
{
    enum { NAMED_MAX = 5 };
    size_t n_changed = 0, n_missing = 0, n_new = 0;
    char names[400] = "";
    if (!*sealed->program) {
        ct_argv_add(notes, "commit, program and inputs of the seal: not recorded");
        return notes->failed ? CT_ENOMEM : CT_OK;
    }
    const char *from = *sealed->commit ? sealed->commit : "not recorded";
    const char *to = *now->commit ? now->commit : "not recorded";
    if (strcmp(sealed->program, now->program) != 0)
        ct_argv_add(notes, "the program differs from the one that sealed: commit %s, now %s", from,
                    to);
    for (size_t i = 0; i < sealed->n; i++) {
        const struct ct_seal_file *file = find_file(now, sealed->files[i].path);
        bool is_same = file && !strcmp(file->hash, sealed->files[i].hash);
        n_missing += file ? 0 : 1;
        n_changed += file && !is_same ? 1 : 0;
        size_t used = strlen(names);
        if (!is_same && n_missing + n_changed <= NAMED_MAX)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                     sealed->files[i].path);
    }
    for (size_t i = 0; i < now->n; i++)
        n_new += find_file(sealed, now->files[i].path) ? 0 : 1;
    if (n_changed + n_missing > 0)
        ct_argv_add(notes, "inputs of the seal: %zu of %zu changed, %zu missing: %s%s", n_changed,
                    sealed->n, n_missing, names, n_changed + n_missing > NAMED_MAX ? ", ..." : "");
    if (n_new > 0)
        ct_argv_add(notes, "files that are new since: %zu", n_new);
    return notes->failed ? CT_ENOMEM : CT_OK;
}

/* ---- openings ---- */

static enum ct_status read_openings(const char *path, struct ct_argv *earlier)
{
    struct ct_text text;
    if (ct_file_read(path, &text, NULL) != CT_OK)
        return CT_OK; /* none yet */
    char *rest = NULL;
    for (char *line = strtok_r(text.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        ct_argv_add(earlier, "%s", line);
    free(text.text);
    return earlier->failed ? CT_ENOMEM : CT_OK;
}

enum ct_status ct_seal_open(const char *seal_path, const struct ct_seal_source *now,
                            struct ct_argv *earlier, struct ct_error *err)
{
    char path[PATH_MAX], utc[CT_UTC_MAX];
    if (snprintf(path, sizeof path, "%s.opened", seal_path) >= (int)sizeof path)
        return ct_fail(err, CT_EIO, "%s: the name is too long", seal_path);
    if (read_openings(path, earlier) != CT_OK)
        return ct_no_memory(err, "%s", path);
    ct_clock_utc(utc);
    FILE *file = fopen(path, "ae");
    bool good = file && fprintf(file, "%s, commit %s, program %s\n", utc,
                                *now->commit ? now->commit : "not recorded", now->program) > 0;
    int cause = errno;
    good = file && fclose(file) == 0 && good;
    return good ? CT_OK
                : ct_fail(err, CT_EIO, "%s: this opening of the seal cannot be recorded: %s", path,
                          strerror(cause));
}
