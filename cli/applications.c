#include "cli/applications.h"

#include "cli/warn.h"
#include "core/array.h"
#include "core/log.h"
#include "trace/input/schedule_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_visible(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

/* Length of the name of an application; 0: the file is none. */
static size_t name_length(const char *file, const char *path)
{
    static const char *const endings[] = {".goal", ".bin", ".otf2"};
    size_t length = strlen(file);
    enum ct_input_kind kind = ct_input_of(path).kind;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && !strcmp(file + length - ending, endings[i]))
            return length - ending;
    }
    return kind == CT_INPUT_SCHEDULE ? 0 : length;
}

static enum ct_status add_application(struct ct_applications *apps, const char *file, size_t length,
                                      const char *path, struct ct_error *err)
{
    if (!CT_ARRAY_RESERVE(apps->items, apps->room, apps->n + 1))
        return ct_no_memory(err, "applications");
    struct ct_application *app = &apps->items[apps->n];
    *app = (struct ct_application){.name = strndup(file, length), .path = strdup(path)};
    apps->n++;
    return app->name && app->path ? CT_OK : ct_no_memory(err, "applications");
}

static enum ct_status add_file(struct ct_applications *apps, const char *folder, const char *file,
                               struct ct_log *log, struct ct_error *err)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%s", folder, file);
    size_t length = n > 0 && (size_t)n < sizeof path ? name_length(file, path) : 0;
    if (length == 0) {
        ct_log_warn(log, "%s/%s: is no application: neither traces nor *.goal or *.bin", folder,
                    file);
        return CT_OK;
    }
    return add_application(apps, file, length, path, err);
}

/* One that cannot be read has no schedule; the others have theirs. */
static enum ct_status read_application(const char *command, struct ct_application *app,
                                       struct ct_log *log, struct ct_error *err)
{
    struct ct_argv notes = {0};
    struct ct_error why;
    enum ct_status status =
        ct_schedule_read(ct_input_of(app->path), NULL, &app->goal, &notes, &why);
    if (status == CT_OK)
        ct_warn_all(command, &notes);
    ct_argv_free(&notes);
    if (status == CT_ENOMEM || status == CT_EINTR)
        return ct_fail(err, status, "%s", why.text);
    if (status != CT_OK) {
        ct_log_warn(log, "%s", why.text);
        snprintf(app->why, sizeof app->why, "its schedule cannot be read");
    }
    return CT_OK;
}

static enum ct_status list_folder(const char *folder, struct ct_applications *apps,
                                  struct ct_log *log, struct ct_error *err)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_visible, alphasort);
    if (n < 0)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "--applications: %s: %s", folder,
                       strerror(errno));
    enum ct_status status = CT_OK;
    for (int i = 0; i < n; i++) {
        if (status == CT_OK)
            status = add_file(apps, folder, entries[i]->d_name, log, err);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* Its name is the last part of its path. */
static enum ct_status add_one(const char *path, struct ct_applications *apps, struct ct_error *err)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t from = end;
    while (from > 0 && path[from - 1] != '/')
        from--;
    char *file = strndup(path + from, end - from);
    if (!file)
        return ct_no_memory(err, "applications");
    size_t length = name_length(file, path);
    enum ct_status status =
        length > 0 ? add_application(apps, file, length, path, err)
                   : ct_fail(err, CT_ENODATA,
                             "--applications: %s: is no application: neither a folder with "
                             "traces nor a file *.goal or *.bin",
                             path);
    free(file);
    return status;
}

enum ct_status ct_applications_read(const char *command, const char *path,
                                    struct ct_applications *apps_p, struct ct_error *err)
{
    struct ct_applications apps = {0};
    struct ct_log log = ct_log_open(command, false);
    enum ct_input_kind kind = ct_input_of(path).kind;
    bool is_folder = kind == CT_INPUT_ABSENT || kind == CT_INPUT_ALLPROF;
    enum ct_status status =
        is_folder ? list_folder(path, &apps, &log, err) : add_one(path, &apps, err);
    size_t n_read = 0;
    for (size_t i = 0; i < apps.n && status == CT_OK; i++) {
        status = read_application(command, &apps.items[i], &log, err);
        n_read += apps.items[i].why[0] == '\0';
    }
    if (status == CT_OK && apps.n == 0)
        status = ct_fail(err, CT_ENODATA,
                         "--applications: %s: no application: neither folders with traces nor "
                         "files *.goal or *.bin",
                         path);
    if (status == CT_OK && n_read == 0)
        status = ct_fail(err, CT_ENODATA,
                         "--applications: %s: no schedule in it can be read, as said above", path);
    if (status == CT_OK)
        *apps_p = apps;
    else
        ct_applications_free(&apps);
    return status;
}

void ct_applications_free(struct ct_applications *apps)
{
    for (size_t i = 0; i < apps->n; i++) {
        ct_goal_free(&apps->items[i].goal);
        free(apps->items[i].name);
        free(apps->items[i].path);
    }
    free(apps->items);
    *apps = (struct ct_applications){0};
}
