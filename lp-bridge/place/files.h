/**
 * Mappings as launchers read them.
 *
 * - rankfile, for Open MPI (mpirun --rankfile FILE): `rank 3=n1 slot=0`. Slots are logical cores:
 *   the j-th rank of a node has slot j. If nodes are cores of one host, node i is core i.
 * - hostfile: the host of rank 0, of rank 1 and so on, a line each. MPICH reads it as mpiexec -f
 *   FILE, Open MPI as mpirun --hostfile FILE --map-by seq, Slurm as SLURM_HOSTFILE with srun
 *   --distribution=arbitrary.
 * - order: one line, the ranks in the order of nodes, as in the file MPICH_RANK_ORDER of Cray's
 *   MPICH (MPICH_RANK_REORDER_METHOD=3). It works where a launcher fills node by node; so every
 *   node before the last one that is used must be full.
 */
#pragma once

#include "lp-bridge/place/mapping.h"

#include <stdio.h>

enum ct_place_form { CT_PLACE_RANKFILE, CT_PLACE_HOSTFILE, CT_PLACE_ORDER, CT_PLACE_FORMS };

/** "rankfile", "hostfile", "order". */
extern const char *const ct_place_form_names[CT_PLACE_FORMS];

struct ct_placement {
    struct ct_place_room room;
    const uint32_t *mapping;  /**< n_ranks nodes */
    const char *const *hosts; /**< n_nodes names; nodes of the same name are cores of one host */
};

/**
 * Ranks in the order of nodes, on a node in their own order.
 * @param order_p  [out] n_ranks
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_place_order(const struct ct_placement *placement, uint32_t *order_p,
                              struct ct_error *err);

/**
 * @return CT_OK; CT_EINVAL (a form that cannot say this mapping); CT_ENOMEM. That all was written
 *         is for the caller to check
 */
enum ct_status ct_place_write(const struct ct_placement *placement, enum ct_place_form form,
                              FILE *out, struct ct_error *err);
