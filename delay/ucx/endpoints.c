#include "delay/ucx/endpoints.h"

#include <stdlib.h>
#include <string.h>

static struct ct_map endpoints;

struct ct_delay_endpoint *ct_delay_endpoint_of(ucp_ep_h ep)
{
    return (void *)(uintptr_t)ct_map_get(&endpoints, (uintptr_t)ep);
}

/* ---- addresses: with a header, if ranks tell each other who they are ---- */

/* The program gets a copy. @return false: no memory */
static bool add_header(ucp_worker_h worker, ucp_address_t **address_p, size_t *length_p)
{
    size_t header = sizeof(struct ct_delay_peer);
    char *copy = malloc(header + *length_p);
    if (copy) {
        memcpy(copy, &ct_delay_settings.self, header);
        memcpy(copy + header, *address_p, *length_p);
    }
    ct_ucx.ucp_worker_release_address(worker, *address_p);
    *address_p = (ucp_address_t *)(void *)copy;
    *length_p += header;
    return copy != NULL;
}

static bool takes_header(ucp_worker_h ucx)
{
    return ct_ucx_is_outermost() && ct_delay_has_marks() && ct_delay_worker_of(ucx);
}

CT_UCX_EXPORT ucs_status_t ucp_worker_get_address(ucp_worker_h ucx, ucp_address_t **address_p,
                                                  size_t *length_p)
{
    bool has_header = takes_header(ucx);
    ct_ucx_enter();
    ucs_status_t status = ct_ucx.ucp_worker_get_address(ucx, address_p, length_p);
    if (status == UCS_OK && has_header && !add_header(ucx, address_p, length_p))
        status = UCS_ERR_NO_MEMORY;
    ct_ucx_leave();
    return status;
}

CT_UCX_EXPORT ucs_status_t ucp_worker_query(ucp_worker_h ucx, ucp_worker_attr_t *attributes)
{
    bool has_header = takes_header(ucx) && (attributes->field_mask & UCP_WORKER_ATTR_FIELD_ADDRESS);
    ct_ucx_enter();
    ucs_status_t status = ct_ucx.ucp_worker_query(ucx, attributes);
    if (status == UCS_OK && has_header &&
        !add_header(ucx, &attributes->address, &attributes->address_length))
        status = UCS_ERR_NO_MEMORY;
    ct_ucx_leave();
    return status;
}

CT_UCX_EXPORT void ucp_worker_release_address(ucp_worker_h ucx, ucp_address_t *address)
{
    if (takes_header(ucx)) {
        free(address);
        return;
    }
    ct_ucx_enter();
    ct_ucx.ucp_worker_release_address(ucx, address);
    ct_ucx_leave();
}

/* ---- endpoints ---- */

/* Who is there, and the address for UCX. */
static struct ct_delay_endpoint read_address(struct ct_delay_worker *worker,
                                             const ucp_address_t **address_p)
{
    const struct ct_delay_settings *settings = &ct_delay_settings;
    struct ct_delay_endpoint endpoint = {.worker = worker};
    struct ct_delay_peer peer;
    if (!ct_delay_has_marks())
        return endpoint;
    if (!ct_delay_peer_read(*address_p, &peer)) {
        ct_delay_say("a process of this program runs without crosstalk delay: its launcher has to "
                     "pass on LD_PRELOAD and CROSSTALK_DELAY_* to all nodes");
        abort();
    }
    *address_p = (const ucp_address_t *)(const void *)((const char *)*address_p + sizeof peer);
    endpoint.rank = peer.rank;
    endpoint.is_of_this_world = peer.world == settings->self.world;
    endpoint.is_nearby = settings->marks.nearby != 0 && peer.node == settings->self.node;
    return endpoint;
}

static ucs_status_t keep_endpoint(ucp_ep_h ep, const struct ct_delay_endpoint *endpoint)
{
    struct ct_delay_endpoint *kept = ct_delay_allocate(sizeof *kept);
    *kept = *endpoint;
    if (ct_map_set(&endpoints, (uintptr_t)ep, (uintptr_t)kept))
        return UCS_OK;
    free(kept);
    return UCS_ERR_NO_MEMORY;
}

CT_UCX_EXPORT ucs_status_t ucp_ep_create(ucp_worker_h ucx, const ucp_ep_params_t *params,
                                         ucp_ep_h *ep_p)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of(ucx) : NULL;
    if (!worker) {
        ct_ucx_enter();
        ucs_status_t status = ct_ucx.ucp_ep_create(ucx, params, ep_p);
        ct_ucx_leave();
        return status;
    }
    /* In place: the program's struct may be of another version of UCX, and of another size. */
    const ucp_address_t **address_p = &((ucp_ep_params_t *)(uintptr_t)params)->address;
    const ucp_address_t *address = *address_p;
    struct ct_delay_endpoint endpoint = read_address(worker, address_p);
    ct_ucx_enter();
    ucs_status_t status = ct_ucx.ucp_ep_create(ucx, params, ep_p);
    if (status == UCS_OK)
        status = keep_endpoint(*ep_p, &endpoint);
    ct_ucx_leave();
    *address_p = address;
    return status;
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_disconnect_nb(ucp_ep_h ep)
{
    ct_ucx_enter();
    if (ct_ucx_depth == 1)
        free((void *)(uintptr_t)ct_map_take(&endpoints, (uintptr_t)ep));
    ucs_status_ptr_t request = ct_ucx.ucp_disconnect_nb(ep);
    ct_ucx_leave();
    return request;
}
