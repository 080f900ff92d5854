/* One-sided accesses by the rank whose memory they are to, which makes no call for them. */
#pragma once

#include "trace/convert/actions.h"

/*
 * An access to a rank. Once its origin has waited for it, the origin sends this rank a message, or
 * makes a collective in which all wait for each other: a call of the rank that waits for that is in
 * MPI when the access is served, or served already.
 */
struct ct_served {
    uint64_t bytes, answer;
    uint32_t origin;
    int32_t tag, answer_tag;
    uint32_t receive;        /* of that message: action of the rank, + 1; 0: there is none */
    uint32_t comm, instance; /* of that collective; comm UINT32_MAX: there is none */
};

struct ct_served_list {
    struct ct_served *served; /* by rank, then in the order of the actions of their origins */
    size_t *first;            /* [n_ranks + 1] */
};

/* Of all ranks; the actions are matched. ct_served_free() in any case. CT_OK; CT_ENOMEM */
enum ct_status ct_served_make(const struct ct_actions *all, struct ct_served_list *list_p,
                              struct ct_error *err);
void ct_served_free(struct ct_served_list *list);
