#include "study/placements.h"

#include "core/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made by hand, or by a scan, whose canaries and congestors are mixed over the switches. */
static bool is_of_any(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_SCAN && !*ct_run_placement(info);
}

enum ct_status ct_placements_list(const struct ct_run_list *list, struct ct_argv *names_p,
                                  struct ct_error *err)
{
    struct ct_argv names = {0};
    for (size_t i = 0; i < list->n_entries; i++) {
        const char *name = ct_run_placement(&list->entries[i].info);
        size_t k = 0;
        if (is_of_any(&list->entries[i].info))
            continue;
        while (k < names.n && strcmp(names.item[k], name) != 0)
            k++;
        if (k == names.n)
            ct_argv_add(&names, "%s", name);
    }
    if (names.n == 0 && list->n_entries > 0)
        ct_argv_add(&names, "%s", "");
    if (names.failed) {
        ct_argv_free(&names);
        return ct_no_memory(err, "placements");
    }
    if (names.n > 1)
        qsort(names.item, names.n, sizeof *names.item, ct_order_texts);
    *names_p = names;
    return CT_OK;
}

enum ct_status ct_placements_read(const char *path, struct ct_argv *names_p, struct ct_error *err)
{
    struct ct_run_list list;
    CT_TRY(ct_run_list_read(path, &list, err));
    enum ct_status status = ct_placements_list(&list, names_p, err);
    ct_run_list_free(&list);
    return status;
}

/* Names for messages: "disjoint, shared"; cut to size. */
static void join_names(const struct ct_argv *names, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < names->n; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                 *names->item[i] ? names->item[i] : "none");
    }
}

static void keep_placement(struct ct_run_list *list, const char *placement)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n_entries; i++) {
        struct ct_run_entry *entry = &list->entries[i];
        if (is_of_any(&entry->info) || !strcmp(ct_run_placement(&entry->info), placement)) {
            list->entries[n++] = *entry;
            continue;
        }
        free(entry->path);
        ct_run_info_free(&entry->info);
    }
    list->n_entries = n;
}

static bool has_name(const struct ct_argv *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (!strcmp(names->item[i], name))
            return true;
    return false;
}

enum ct_status ct_placements_select(const char *placement, const char *path,
                                    struct ct_run_list *list, struct ct_error *err)
{
    struct ct_argv names;
    char text[200];
    CT_TRY(ct_placements_list(list, &names, err));
    join_names(&names, text, sizeof text);
    enum ct_status status = CT_OK;
    if (!placement && names.n > 1)
        status =
            ct_fail(err, CT_EUSAGE,
                    "%s: has runs of %zu placements (%s), each of which is a study of its own; "
                    "name one by --placement, to commands that have it, or pack it by "
                    "'crosstalk export %s --placement NAME -o FILE.h5'",
                    path, names.n, text, path);
    else if (placement && !has_name(&names, placement))
        status = ct_fail(err, CT_EUSAGE, "--placement: '%s': the placements of %s are: %s",
                         placement, path, text);
    else if (placement)
        keep_placement(list, placement);
    ct_argv_free(&names);
    return status;
}

enum ct_status ct_placements_read_list(const char *path, const char *placement,
                                       struct ct_run_list *list_p, struct ct_error *err)
{
    struct ct_run_list list;
    CT_TRY(ct_run_list_read(path, &list, err));
    enum ct_status status = ct_placements_select(placement, path, &list, err);
    if (status == CT_OK)
        *list_p = list;
    else
        ct_run_list_free(&list);
    return status;
}
