#include "trace/lists.h"

#include "core/array.h"
#include "core/file.h"
#include "trace/format.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_trace_lists_free(struct ct_trace_lists *lists)
{
    for (size_t i = 0; i < lists->n; i++)
        free(lists->lists[i].values);
    free(lists->lists);
    ct_map_free(&lists->numbers);
    *lists = (struct ct_trace_lists){0};
}

static enum ct_status read_list(const char *path, uint64_t number, struct ct_trace_list *list_p,
                                struct ct_error *err)
{
    struct ct_text text;
    enum ct_status status = ct_file_read(path, &text, err);
    if (status == CT_ENOENT)
        return ct_fail(err, CT_ENODATA,
                       "%s: not there: it has the ranks of a communicator; copy the files of all "
                       "ranks, and those whose names end in .list",
                       path);
    if (status != CT_OK)
        return status;
    status = ct_trace_list_decode((const unsigned char *)text.text, text.size, number,
                                  &list_p->values, &list_p->n_values, err);
    free(text.text);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

enum ct_status ct_trace_lists_get(struct ct_trace_lists *lists, const char *beside, uint64_t number,
                                  struct ct_trace_list *list_p, struct ct_error *err)
{
    const uint32_t found = ct_map_find(&lists->numbers, number);
    if (found != 0) {
        *list_p = lists->lists[found - 1];
        return CT_OK;
    }
    const char *slash = strrchr(beside, '/');
    const int folder = slash ? (int)(slash - beside + 1) : 0;
    char name[CT_TRACE_LIST_NAME_MAX], path[PATH_MAX];
    ct_trace_list_name(number, name);
    if ((size_t)snprintf(path, sizeof path, "%.*s%s", folder, beside, name) >= sizeof path)
        return ct_fail(err, CT_EIO, "path is too long: %s", beside);
    struct ct_trace_list list = {0};
    CT_TRY(read_list(path, number, &list, err));
    if (!CT_ARRAY_RESERVE(lists->lists, lists->room, lists->n + 1) ||
        !ct_map_add(&lists->numbers, number, lists->n + 1)) {
        free(list.values);
        return ct_no_memory(err, "trace");
    }
    lists->lists[lists->n++] = list;
    *list_p = list;
    return CT_OK;
}
