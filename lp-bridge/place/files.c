#include "lp-bridge/place/files.h"

#include <stdlib.h>
#include <string.h>

const char *const ct_place_form_names[CT_PLACE_FORMS] = {"rankfile", "hostfile", "order"};

enum ct_status ct_place_order(const struct ct_placement *placement, uint32_t *order_p,
                              struct ct_error *err)
{
    const struct ct_place_room *room = &placement->room;
    uint32_t *next = calloc(room->n_nodes + (size_t)1, sizeof *next);
    if (!next)
        return ct_no_memory(err, "placement");
    for (uint32_t r = 0; r < room->n_ranks; r++)
        next[placement->mapping[r] + 1]++;
    for (uint32_t node = 1; node < room->n_nodes; node++)
        next[node] += next[node - 1];
    for (uint32_t r = 0; r < room->n_ranks; r++)
        order_p[next[placement->mapping[r]]++] = r;
    free(next);
    return CT_OK;
}

/* The core of each rank: those of nodes before of the same host come first. */
static enum ct_status find_slots(const struct ct_placement *placement, uint32_t *slots,
                                 struct ct_error *err)
{
    const struct ct_place_room *room = &placement->room;
    uint32_t *next = calloc(room->n_nodes, sizeof *next);
    if (!next)
        return ct_no_memory(err, "placement");
    for (uint32_t node = 1; node < room->n_nodes; node++)
        for (uint32_t before = node; before-- > 0;)
            if (!strcmp(placement->hosts[node], placement->hosts[before])) {
                next[node] = next[before] + room->ranks_per_node;
                break;
            }
    for (uint32_t r = 0; r < room->n_ranks; r++)
        slots[r] = next[placement->mapping[r]]++;
    free(next);
    return CT_OK;
}

static enum ct_status write_rankfile(const struct ct_placement *placement, FILE *out,
                                     struct ct_error *err)
{
    uint32_t n = placement->room.n_ranks;
    uint32_t *slots = malloc((n + (size_t)1) * sizeof *slots);
    enum ct_status status =
        slots ? find_slots(placement, slots, err) : ct_no_memory(err, "placement");
    for (uint32_t r = 0; r < n && status == CT_OK; r++)
        fprintf(out, "rank %u=%s slot=%u\n", r, placement->hosts[placement->mapping[r]], slots[r]);
    free(slots);
    return status;
}

static enum ct_status write_hostfile(const struct ct_placement *placement, FILE *out,
                                     struct ct_error *err)
{
    (void)err;
    for (uint32_t r = 0; r < placement->room.n_ranks; r++)
        fprintf(out, "%s\n", placement->hosts[placement->mapping[r]]);
    return CT_OK;
}

static enum ct_status check_full(const struct ct_placement *placement, const uint32_t *order,
                                 struct ct_error *err)
{
    const struct ct_place_room *room = &placement->room;
    for (uint32_t i = 0; i < room->n_ranks; i++) {
        uint32_t node = placement->mapping[order[i]], by_order = i / room->ranks_per_node;
        if (node != by_order)
            return ct_fail(err, CT_EINVAL,
                           "an order of ranks cannot say that node %u (%s) is not full while node "
                           "%u (%s) is used: write a hostfile or a rankfile, or give as many nodes "
                           "as the ranks fill",
                           by_order, placement->hosts[by_order], node, placement->hosts[node]);
    }
    return CT_OK;
}

static enum ct_status write_order(const struct ct_placement *placement, FILE *out,
                                  struct ct_error *err)
{
    uint32_t n = placement->room.n_ranks;
    uint32_t *order = calloc(n + (size_t)1, sizeof *order);
    enum ct_status status =
        order ? ct_place_order(placement, order, err) : ct_no_memory(err, "placement");
    if (status == CT_OK)
        status = check_full(placement, order, err);
    for (uint32_t i = 0; i < n && status == CT_OK; i++)
        fprintf(out, "%u%c", order[i], i + 1 < n ? ',' : '\n');
    free(order);
    return status;
}

enum ct_status ct_place_write(const struct ct_placement *placement, enum ct_place_form form,
                              FILE *out, struct ct_error *err)
{
    static enum ct_status (*const writers[CT_PLACE_FORMS])(const struct ct_placement *, FILE *,
                                                           struct ct_error *) = {
        [CT_PLACE_RANKFILE] = write_rankfile,
        [CT_PLACE_HOSTFILE] = write_hostfile,
        [CT_PLACE_ORDER] = write_order};
    return writers[form](placement, out, err);
}
