#include "trace/otf2/writer.h"

#include <inttypes.h>
#include <stdlib.h>

enum ct_status ct_otf2_write_comm(struct ct_otf2_writer *writer, const struct ct_trace_event *event)
{
    enum { ORDINAL_MAX = 1 << 20 };
    uint32_t comm = 0;
    CT_TRY(ct_comms_add(&writer->comms, event, &comm, writer->err));
    const struct ct_comm *added = &writer->comms.comms[comm];
    if (added->group.n == 1 && added->ordinal >= ORDINAL_MAX)
        return ct_fail(writer->err, CT_EUNSUPPORTED, "more than 2^20 communicators of one rank");
    if (added->group.n == 1 && added->ordinal >= writer->n_self)
        writer->n_self = (uint32_t)added->ordinal + 1;
    return CT_OK;
}

size_t ct_otf2_next_comm(const struct ct_comms *comms, size_t before)
{
    size_t found = comms->n;
    for (size_t i = 0; i < comms->n; i++) {
        const struct ct_comm *comm = &comms->comms[i];
        bool is_later = before == comms->n || comm->ordinal > comms->comms[before].ordinal ||
                        (comm->ordinal == comms->comms[before].ordinal && i > before);
        if (comm->group.n > 1 && is_later &&
            (found == comms->n || comm->ordinal < comms->comms[found].ordinal))
            found = i;
    }
    return found;
}

/* References are consecutive: communicators of one rank, all ranks' by their ordinals, then the
 * others. */
enum ct_status ct_otf2_number_comms(struct ct_otf2_writer *writer)
{
    const struct ct_comms *comms = &writer->comms;
    OTF2_CommRef next = writer->n_self;
    writer->refs = calloc(comms->n + 1, sizeof *writer->refs);
    if (!writer->refs)
        return ct_no_memory(writer->err, "archive");
    for (size_t i = 0; i < comms->n; i++)
        if (comms->comms[i].group.n == 1)
            writer->refs[i] = (OTF2_CommRef)comms->comms[i].ordinal;
    for (size_t i = ct_otf2_next_comm(comms, comms->n); i < comms->n;
         i = ct_otf2_next_comm(comms, i))
        writer->refs[i] = next++;
    return CT_OK;
}

enum ct_status ct_otf2_have_comm(struct ct_otf2_writer *writer, const struct ct_trace_event *event)
{
    uint32_t comm = 0;
    CT_TRY(ct_comms_add(&writer->comms, event, &comm, writer->err));
    return ct_map_add(&writer->now.comm_numbers, event->comm, comm + 1)
               ? CT_OK
               : ct_no_memory(writer->err, "archive");
}

enum ct_status ct_otf2_comm_ref(const struct ct_otf2_writer *writer, uint32_t number,
                                const struct ct_comm **comm_p, OTF2_CommRef *ref_p)
{
    uint32_t found = ct_map_find(&writer->now.comm_numbers, number);
    if (found == 0)
        return ct_fail(writer->err, CT_EFORMAT, "communicator %u is not in the trace", number);
    *comm_p = &writer->comms.comms[found - 1];
    *ref_p = writer->refs[found - 1];
    return CT_OK;
}

enum ct_status ct_otf2_writer_member(const struct ct_otf2_writer *writer,
                                     const struct ct_comm *comm, int64_t rank, uint32_t *member_p)
{
    if (rank >= 0 && rank < comm->group.n && ct_ranks_rank(&comm->group, (uint32_t)rank) == rank) {
        *member_p = (uint32_t)rank;
        return CT_OK;
    }
    if (rank >= 0 && ct_ranks_find(&comm->group, (uint32_t)rank, member_p))
        return CT_OK;
    return ct_fail(writer->err, CT_EFORMAT, "rank %" PRId64 " is not in the communicator", rank);
}
