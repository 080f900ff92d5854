#include "bench/scan/scan_part.h"

#include "bench/scan/scan_schedule.h"

#include <stdlib.h>

enum ct_status ct_scan_part_new(const struct ct_scan_side *side, enum ct_scan_congestor congestor,
                                uint64_t seed, struct ct_scan_part *part_p, struct ct_error *err)
{
    int n_nodes = side->layout.n_nodes, failed, any_failed;
    struct ct_scan_part part = {.n_parts = ct_scan_part_count(congestor, n_nodes),
                                .comm = MPI_COMM_NULL};
    int *part_of = calloc((size_t)n_nodes, sizeof *part_of);
    int *place_of = calloc((size_t)n_nodes, sizeof *place_of);
    enum ct_status status = part_of && place_of ? CT_OK : ct_no_memory(err, "%d nodes", n_nodes);
    if (status == CT_OK)
        status = ct_scan_part_divide(congestor, n_nodes, seed, side->roots, side->n_roots, part_of,
                                     place_of, err);
    failed = status != CT_OK;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, side->comm);
    if (status == CT_OK && any_failed)
        status = ct_no_memory(err, "another rank of a congestor");
    if (status == CT_OK) {
        part.number = part_of[side->node];
        MPI_Comm_split(side->comm, part.number,
                       place_of[side->node] * side->layout.max_slots + side->slot, &part.comm);
        MPI_Comm_rank(part.comm, &part.rank);
        status = ct_layout_discover(part.comm, &part.layout, err);
    }
    free(part_of);
    free(place_of);
    if (status == CT_OK)
        *part_p = part;
    else
        ct_scan_part_free(&part);
    return status;
}

void ct_scan_part_free(struct ct_scan_part *part)
{
    if (part->comm != MPI_COMM_NULL)
        MPI_Comm_free(&part->comm);
    ct_layout_free(&part->layout);
}
