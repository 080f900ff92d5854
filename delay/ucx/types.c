#include "delay/ucx/types.h"

/* The MPI has one set of functions for all its types, which begin and end each use of a type once.
 * What these say while UCX starts a send or a receive is noted. */
static ucp_generic_dt_ops_t mpi;
static struct ct_map contexts; /* of the MPI, plus 1, by UCX's handle of a type */
static size_t packed_bytes;
static void *passed;

static size_t packed_size(void *state)
{
    packed_bytes = mpi.packed_size(state);
    return packed_bytes;
}

static void *start_unpack(void *context, void *buffer, size_t count)
{
    void *state = passed;
    passed = NULL;
    return state ? state : mpi.start_unpack(context, buffer, count);
}

static ucp_datatype_t type_of(const ucp_request_param_t *param)
{
    return param->op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE ? param->datatype
                                                            : ucp_dt_make_contig(1);
}

size_t ct_delay_packed_bytes(size_t count, const ucp_request_param_t *param)
{
    ucp_datatype_t type = type_of(param);
    return (type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG
               ? count * (size_t)(type >> UCP_DATATYPE_SHIFT)
               : packed_bytes;
}

void *ct_delay_unpack_begin(const ucp_request_param_t *param, void *buffer, size_t count)
{
    ucp_datatype_t type = type_of(param);
    if ((type & UCP_DATATYPE_CLASS_MASK) != UCP_DATATYPE_GENERIC)
        return NULL;
    uint64_t context = ct_map_get(&contexts, type);
    return context ? mpi.start_unpack((void *)(uintptr_t)(context - 1), buffer, count) : NULL;
}

void ct_delay_unpack_pass(void *state)
{
    passed = state;
}

/* ---- in UCX's place ---- */

CT_UCX_EXPORT ucs_status_t ucp_dt_create_generic(const ucp_generic_dt_ops_t *operations,
                                                 void *context, ucp_datatype_t *type_p)
{
    ucp_generic_dt_ops_t ours = *operations; /* UCX makes a copy, too */
    ct_ucx_enter();
    if (!mpi.packed_size)
        mpi = *operations;
    bool is_of_mpi =
        operations->packed_size == mpi.packed_size && operations->start_unpack == mpi.start_unpack;
    if (is_of_mpi) {
        ours.packed_size = packed_size;
        ours.start_unpack = start_unpack;
    }
    ucs_status_t status = ct_ucx.ucp_dt_create_generic(&ours, context, type_p);
    if (status == UCS_OK && is_of_mpi && !ct_map_set(&contexts, *type_p, (uintptr_t)context + 1))
        status = UCS_ERR_NO_MEMORY;
    ct_ucx_leave();
    return status;
}

CT_UCX_EXPORT void ucp_dt_destroy(ucp_datatype_t type)
{
    ct_ucx_enter();
    ct_map_take(&contexts, type);
    ct_ucx.ucp_dt_destroy(type);
    ct_ucx_leave();
}
