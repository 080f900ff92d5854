/**
 * Lists of ranks that many ranks of a program share: each is in a file of its own beside theirs
 * (trace/format.h), is read when it is asked for first, and stays where it is. Not safe for several
 * threads.
 */
#pragma once

#include "core/map.h"
#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

struct ct_trace_list {
    uint64_t *values; /**< owned */
    size_t n_values;
};

/** {0} is empty. */
struct ct_trace_lists {
    struct ct_map numbers;       /**< ct_hash_numbers() of the values -> index in lists + 1 */
    struct ct_trace_list *lists; /**< [n] */
    size_t n, room;
};

/**
 * @param beside  [in]  path of a file in the same folder
 * @param list_p  [out] its values are borrowed until ct_trace_lists_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (no such file); CT_EFORMAT (it is damaged); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_trace_lists_get(struct ct_trace_lists *lists, const char *beside, uint64_t number,
                                  struct ct_trace_list *list_p, struct ct_error *err);
void ct_trace_lists_free(struct ct_trace_lists *lists);
