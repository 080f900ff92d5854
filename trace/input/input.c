#include "trace/input/input.h"

#include "core/foreign.h"
#include "trace/convert/allprof.h"
#include "trace/convert/generate.h"
#include "trace/convert/generate_spec.h"
#include "trace/otf2/otf2.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_traces(const char *folder)
{
    char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
    ct_trace_file_name(0, name);
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

static enum ct_input_kind kind_of(const char *path)
{
    struct stat about;
    if (ct_generate_spec_is(path))
        return CT_INPUT_GENERATED;
    if (ct_otf2_is_archive(path))
        return CT_INPUT_OTF2;
    if (stat(path, &about) != 0)
        return strcmp(path, "-") == 0 ? CT_INPUT_SCHEDULE : CT_INPUT_ABSENT;
    if (!S_ISDIR(about.st_mode))
        return CT_INPUT_SCHEDULE;
    return has_traces(path) ? CT_INPUT_TRACES : CT_INPUT_ALLPROF;
}

struct ct_input ct_input_of(const char *path)
{
    return (struct ct_input){kind_of(path), path};
}

static enum ct_status refuse_file(const char *path, struct ct_error *err)
{
    struct stat about;
    bool is_empty = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0;
    if (ct_foreign_explain_path(path, CT_READS_TRACES, err))
        return CT_EFORMAT;
    return ct_fail(err, CT_EFORMAT, "%s: %s; %s", path,
                   is_empty ? "an empty file" : "no folder and no archive",
                   ct_reads_text(CT_READS_TRACES));
}

/* Folders with traces in a folder: how many, and the first by name. */
static size_t find_below(const char *folder, char first_p[NAME_MAX + 1])
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    size_t n = 0;
    while (directory && (entry = readdir(directory))) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (*entry->d_name == '.' || length < 0 || (size_t)length >= sizeof path ||
            !has_traces(path))
            continue;
        if (n++ == 0 || strcmp(entry->d_name, first_p) < 0)
            snprintf(first_p, NAME_MAX + 1, "%s", entry->d_name);
    }
    if (directory)
        closedir(directory);
    return n;
}

static enum ct_status open_allprof(const char *folder, struct ct_events *events_p,
                                   struct ct_error *err)
{
    enum ct_status status = ct_allprof_open(folder, events_p, err);
    if ((status == CT_EFORMAT || status == CT_ENODATA || status == CT_ENOENT) &&
        ct_foreign_explain_path(folder, CT_READS_TRACES, err))
        return CT_EFORMAT;
    if (status != CT_ENOENT)
        return status;
    char found[NAME_MAX + 1];
    size_t n = find_below(folder, found);
    if (n > 0)
        return ct_fail(err, CT_ENOENT,
                       "%s: no traces, but %zu folder%s with traces: did you mean %s%s%s?", folder,
                       n, n == 1 ? "" : "s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
                       found);
    return ct_fail(err, CT_ENOENT,
                   "%s: no traces there: neither rank-000000.trace (crosstalk trace) nor a file "
                   "that ends in -0.txt (liballprof)",
                   folder);
}

enum ct_status ct_input_open(struct ct_input input, struct ct_events *events_p,
                             struct ct_error *err)
{
    switch (input.kind) {
    case CT_INPUT_SCHEDULE:
        return refuse_file(input.path, err);
    case CT_INPUT_TRACES:
        return ct_trace_events_open(input.path, events_p, err);
    case CT_INPUT_OTF2:
        return ct_otf2_open(input.path, events_p, err);
    case CT_INPUT_GENERATED:
        return ct_generate_open(input.path, events_p, err);
    case CT_INPUT_ABSENT:
    case CT_INPUT_ALLPROF:
        break;
    }
    return open_allprof(input.path, events_p, err);
}

enum ct_status ct_input_check(struct ct_input input, struct ct_error *err)
{
    struct ct_events events;
    char found[NAME_MAX + 1];
    if (input.kind == CT_INPUT_ABSENT)
        return ct_fail(err, CT_ENOENT,
                       "%s: no such file or folder; give traces (crosstalk trace -o FOLDER -- "
                       "PROGRAM), a GOAL schedule, or a program such as allreduce:8",
                       input.path);
    if (input.kind != CT_INPUT_ALLPROF || find_below(input.path, found) == 0)
        return CT_OK;
    CT_TRY(open_allprof(input.path, &events, err));
    events.close(events.context);
    return CT_OK;
}

enum ct_status ct_input_convert(struct ct_input input, const struct ct_convert_options *options,
                                struct ct_goal *goal_p, struct ct_convert_notes *notes_p,
                                struct ct_error *err)
{
    struct ct_events events;
    CT_TRY(ct_input_open(input, &events, err));
    enum ct_status status = ct_convert_events(&events, options, goal_p, notes_p, err);
    events.close(events.context);
    return ct_input_fail_within(input, status, err);
}

enum ct_status ct_input_fail_within(struct ct_input input, enum ct_status status,
                                    struct ct_error *err)
{
    return status == CT_OK || status == CT_EINVAL || status == CT_EUSAGE ||
                   input.kind == CT_INPUT_OTF2 /* it names its files */
               ? status
               : ct_fail_within(err, status, "%s", input.path);
}
