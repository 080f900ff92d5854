/* Contexts, workers and their progress, and the calls that only need the lock. */
#include "delay/ucx/endpoints.h"
#include "delay/ucx/helper.h"
#include "delay/ucx/messages.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* What the program keeps in its requests. */
static size_t request_size;
static ucp_request_init_callback_t request_init;
static ucp_request_cleanup_callback_t request_cleanup;
static ucp_context_h delayed_context;
static uint64_t n_messages;
static size_t n_workers;

/* ---- contexts ---- */

/* Whether this library replaces all functions that the MPI calls. @param call  [in] an address in
 * the library that calls UCX: MPICH's, or Open MPI's component */
static bool check_caller(const void *call)
{
    struct ct_error err;
    Dl_info caller;
    if (!dladdr(call, &caller) || ct_delay_check_file(caller.dli_fname, &err) == CT_OK)
        return true;
    ct_delay_say("%s", err.text);
    return false;
}

/* Open MPI differs from MPICH in what it says of its tags. */
static bool check_tags(const ucp_params_t *params, bool *is_openmpi_p)
{
    *is_openmpi_p = params->field_mask & UCP_PARAM_FIELD_TAG_SENDER_MASK;
    if (!*is_openmpi_p || params->tag_sender_mask == CT_DELAY_OPENMPI_SENDER_MASK)
        return true;
    ct_delay_say("the tags of this MPI are unknown (%#llx has the sender): " CT_DELAY_REMEDY,
                 (unsigned long long)params->tag_sender_mask);
    return false;
}

/* With what the helper needs. */
static ucs_status_t make_context(unsigned major, unsigned minor, const ucp_params_t *params,
                                 const ucp_config_t *config, ucp_context_h *context_p)
{
    /* In place: the program's struct may be of another version of UCX, and of another size. */
    uint64_t *features_p = &((ucp_params_t *)(uintptr_t)params)->features;
    uint64_t features = *features_p;
    *features_p = features | UCP_FEATURE_WAKEUP;
    ct_ucx_enter();
    ucs_status_t status = ct_ucx.ucp_init_version(major, minor, params, config, context_p);
    ct_ucx_leave();
    *features_p = features;
    return status;
}

CT_UCX_EXPORT ucs_status_t ucp_init_version(unsigned major, unsigned minor,
                                            const ucp_params_t *params, const ucp_config_t *config,
                                            ucp_context_h *context_p)
{
    bool is_openmpi;
    if (!ct_ucx_find()) {
        ct_delay_say("UCX's functions were not found");
        return UCS_ERR_UNSUPPORTED;
    }
    /* Open MPI makes another context for one-sided communication, which has no tags. */
    if (!ct_ucx_is_outermost() || delayed_context || !ct_delay_is_wanted() ||
        !(params->features & UCP_FEATURE_TAG))
        return ct_ucx.ucp_init_version(major, minor, params, config, context_p);
    if (!check_caller(__builtin_return_address(0)) || !check_tags(params, &is_openmpi) ||
        !ct_delay_settings_read(is_openmpi))
        return UCS_ERR_UNSUPPORTED;
    uint64_t given = params->field_mask;
    request_size = given & UCP_PARAM_FIELD_REQUEST_SIZE ? params->request_size : 0;
    request_init = given & UCP_PARAM_FIELD_REQUEST_INIT ? params->request_init : NULL;
    request_cleanup = given & UCP_PARAM_FIELD_REQUEST_CLEANUP ? params->request_cleanup : NULL;
    ucs_status_t status = make_context(major, minor, params, config, context_p);
    if (status == UCS_OK)
        delayed_context = *context_p;
    return status;
}

CT_UCX_EXPORT void ucp_cleanup(ucp_context_h context)
{
    const struct ct_delay_settings *settings = &ct_delay_settings;
    if (context == delayed_context) {
        delayed_context = NULL;
        if (settings->rank == 0 && settings->n_ranks > 1 && n_messages == 0 && n_workers > 0)
            ct_delay_say("rank 0 got no message from another node, so none was delayed: messages "
                         "within a node are not, unless --within-nodes is given");
    }
    ct_ucx_enter();
    ct_ucx.ucp_cleanup(context);
    ct_ucx_leave();
}

/* A program that has its own memory for requests keeps room for a receive of ours, too. */
CT_UCX_EXPORT ucs_status_t ucp_context_query(ucp_context_h context, ucp_context_attr_t *attributes)
{
    ucs_status_t status = ct_ucx.ucp_context_query(context, attributes);
    if (status == UCS_OK && context == delayed_context &&
        (attributes->field_mask & UCP_ATTR_FIELD_REQUEST_SIZE) &&
        attributes->request_size < ct_delay_request_bytes)
        attributes->request_size = ct_delay_request_bytes;
    return status;
}

/* ---- workers ---- */

static void introduce_library(void)
{
    const struct ct_delay_settings *settings = &ct_delay_settings;
    if (settings->quiet || settings->rank != 0 || n_workers > 1)
        return;
    if (settings->latency.n_ranks > 0)
        ct_delay_say("messages arrive later, by a matrix for %zu ranks; rendezvous from %zu B",
                     settings->latency.n_ranks, settings->rendezvous_bytes);
    else
        ct_delay_say("messages arrive %g us later; rendezvous from %zu B",
                     1e-3 * (double)settings->latency.uniform_ns, settings->rendezvous_bytes);
}

static ucs_status_t begin_worker(ucp_worker_h ucx)
{
    struct ct_delay_worker *worker = ct_delay_allocate(sizeof *worker);
    worker->ucx = ucx;
    worker->request_size = request_size;
    worker->request_init = request_init;
    worker->request_cleanup = request_cleanup;
    worker->last_call = &worker->first_call;
    worker->next = ct_delay_workers;
    if (!ct_delay_helper_start(worker)) {
        free(worker);
        return UCS_ERR_UNSUPPORTED;
    }
    ct_delay_workers = worker;
    n_workers++;
    introduce_library();
    return UCS_OK;
}

/* A worker for one thread becomes one for several that take turns: the helper is another thread. */
static ucs_status_t make_worker(ucp_context_h context, const ucp_worker_params_t *params,
                                ucp_worker_h *worker_p)
{
    ucp_worker_params_t *changed = (ucp_worker_params_t *)(uintptr_t)params;
    uint64_t given = params->field_mask;
    ucs_thread_mode_t mode = params->thread_mode;
    if (!(given & UCP_WORKER_PARAM_FIELD_THREAD_MODE) || mode == UCS_THREAD_MODE_SINGLE) {
        changed->field_mask |= UCP_WORKER_PARAM_FIELD_THREAD_MODE;
        changed->thread_mode = UCS_THREAD_MODE_SERIALIZED;
    }
    ucs_status_t status = ct_ucx.ucp_worker_create(context, params, worker_p);
    changed->field_mask = given;
    changed->thread_mode = mode;
    if (status != UCS_OK)
        return status;
    status = begin_worker(*worker_p);
    if (status != UCS_OK)
        ct_ucx.ucp_worker_destroy(*worker_p);
    return status;
}

CT_UCX_EXPORT ucs_status_t ucp_worker_create(ucp_context_h context,
                                             const ucp_worker_params_t *params,
                                             ucp_worker_h *worker_p)
{
    bool is_delayed = ct_ucx_is_outermost() && delayed_context && context == delayed_context;
    ct_ucx_enter();
    ucs_status_t status = is_delayed ? make_worker(context, params, worker_p)
                                     : ct_ucx.ucp_worker_create(context, params, worker_p);
    ct_ucx_leave();
    return status;
}

CT_UCX_EXPORT void ucp_worker_destroy(ucp_worker_h ucx)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of(ucx) : NULL;
    if (worker) {
        ct_delay_helper_end(worker);
        ct_ucx_enter();
        struct ct_delay_worker **at = &ct_delay_workers;
        while (*at != worker)
            at = &(*at)->next;
        *at = worker->next;
        n_messages += worker->n_messages;
        ct_delay_forget(worker);
        ct_ucx_leave();
        free(worker);
    }
    ct_ucx_enter();
    ct_ucx.ucp_worker_destroy(ucx);
    ct_ucx_leave();
}

static unsigned make_calls(struct ct_delay_call *call)
{
    unsigned n = 0;
    if (!call)
        return 0;
    ct_delay_callbacks_enter();
    while (call) {
        struct ct_delay_call *next = call->next;
        call->make(call);
        call = next;
        n++;
    }
    ct_delay_callbacks_leave();
    return n;
}

CT_UCX_EXPORT unsigned ucp_worker_progress(ucp_worker_h ucx)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of(ucx) : NULL;
    if (!worker)
        return ct_ucx.ucp_worker_progress(ucx);
    unsigned beats = atomic_load_explicit(&worker->beats, memory_order_relaxed);
    atomic_store_explicit(&worker->beats, beats + 1, memory_order_relaxed);
    ct_ucx_enter();
    unsigned n = ct_ucx.ucp_worker_progress(ucx);
    ct_delay_drain(worker);
    ct_delay_act(worker);
    struct ct_delay_call *call = worker->first_call;
    worker->first_call = NULL;
    worker->last_call = &worker->first_call;
    ct_ucx_leave();
    return n + make_calls(call);
}

/* ---- callbacks that get no data of their own: kept by request ---- */

struct plain_call {
    struct ct_delay_call call;
    ucp_send_callback_t callback;
    void *request;
    ucs_status_t status;
};

static void tell_plainly(struct ct_delay_call *call)
{
    struct plain_call *plain = (struct plain_call *)(void *)call; /* its first member */
    plain->callback(plain->request, plain->status);
    free(plain);
}

static void done_plainly(void *request, ucs_status_t status)
{
    for (struct ct_delay_worker *worker = ct_delay_workers; worker; worker = worker->next) {
        uintptr_t callback = (uintptr_t)ct_map_take(&worker->callbacks, (uintptr_t)request);
        if (!callback)
            continue;
        struct plain_call *plain = ct_delay_allocate(sizeof *plain);
        *plain =
            (struct plain_call){.call.make = tell_plainly, .request = request, .status = status};
        memcpy(&plain->callback, &callback, sizeof plain->callback);
        ct_delay_call_later(worker, &plain->call);
        return;
    }
}

static ucs_status_ptr_t keep_callback(struct ct_delay_worker *worker, ucs_status_ptr_t request,
                                      ucp_send_callback_t callback)
{
    uintptr_t pointer;
    memcpy(&pointer, &callback, sizeof pointer);
    if (UCS_PTR_IS_PTR(request) && !ct_map_set(&worker->callbacks, (uintptr_t)request, pointer)) {
        ct_delay_say("out of memory");
        abort();
    }
    return request;
}

/* A call of UCX, in it `callback` is the one to give. */
#define WITH_CALLBACK(worker_, request_call)                                                       \
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? (worker_) : NULL;                     \
    ucp_send_callback_t given = callback;                                                          \
    if (worker && given)                                                                           \
        callback = done_plainly;                                                                   \
    ct_ucx_enter();                                                                                \
    ucs_status_ptr_t request = request_call;                                                       \
    if (worker && given)                                                                           \
        keep_callback(worker, request, given);                                                     \
    ct_ucx_leave();                                                                                \
    return request

CT_UCX_EXPORT ucs_status_ptr_t ucp_worker_flush_nb(ucp_worker_h ucx, unsigned flags,
                                                   ucp_send_callback_t callback)
{
    WITH_CALLBACK(ct_delay_worker_of(ucx), ct_ucx.ucp_worker_flush_nb(ucx, flags, callback));
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_am_send_nb(ucp_ep_h ep, uint16_t id, const void *buffer,
                                              size_t count, ucp_datatype_t type,
                                              ucp_send_callback_t callback, unsigned flags)
{
    WITH_CALLBACK(ct_delay_worker_of_ep(ep),
                  ct_ucx.ucp_am_send_nb(ep, id, buffer, count, type, callback, flags));
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_put_nb(ucp_ep_h ep, const void *buffer, size_t length,
                                          uint64_t address, ucp_rkey_h key,
                                          ucp_send_callback_t callback)
{
    WITH_CALLBACK(ct_delay_worker_of_ep(ep),
                  ct_ucx.ucp_put_nb(ep, buffer, length, address, key, callback));
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_get_nb(ucp_ep_h ep, void *buffer, size_t length,
                                          uint64_t address, ucp_rkey_h key,
                                          ucp_send_callback_t callback)
{
    WITH_CALLBACK(ct_delay_worker_of_ep(ep),
                  ct_ucx.ucp_get_nb(ep, buffer, length, address, key, callback));
}

/* ---- active messages: handed on from the program's progress ---- */

struct am_handler {
    struct ct_delay_worker *worker;
    ucp_am_callback_t callback;
    void *data;
};

struct am_call {
    struct ct_delay_call call;
    const struct am_handler *handler;
    ucp_ep_h reply_ep;
    unsigned flags;
    size_t length;
    unsigned char bytes[] __attribute__((aligned(64)));
};

static void tell_handler(struct ct_delay_call *call)
{
    struct am_call *am = (struct am_call *)(void *)call; /* its first member */
    am->handler->callback(am->handler->data, am->bytes, am->length, am->reply_ep, am->flags);
    free(am);
}

static ucs_status_t am_arrived(void *data, void *bytes, size_t length, ucp_ep_h reply_ep,
                               unsigned flags)
{
    struct am_handler *handler = data;
    struct am_call *am = NULL;
    if (posix_memalign((void **)&am, 64, sizeof *am + length) != 0)
        return UCS_ERR_NO_MEMORY;
    am->call.make = tell_handler;
    am->handler = handler;
    am->reply_ep = reply_ep;
    am->flags = flags & ~(unsigned)UCP_CB_PARAM_FLAG_DATA; /* it cannot keep the bytes */
    am->length = length;
    memcpy(am->bytes, bytes, length);
    ct_delay_call_later(handler->worker, &am->call);
    return UCS_OK;
}

CT_UCX_EXPORT ucs_status_t ucp_worker_set_am_handler(ucp_worker_h ucx, uint16_t id,
                                                     ucp_am_callback_t callback, void *data,
                                                     uint32_t flags)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of(ucx) : NULL;
    ct_ucx_enter();
    if (worker && callback) { /* lives as long as the process: a few of them */
        struct am_handler *handler = ct_delay_allocate(sizeof *handler);
        *handler = (struct am_handler){worker, callback, data};
        callback = am_arrived;
        data = handler;
    }
    ucs_status_t status = ct_ucx.ucp_worker_set_am_handler(ucx, id, callback, data, flags);
    ct_ucx_leave();
    return status;
}

/* ---- the lock, and nothing else ---- */

#define LOCKED(type, name, parameters, arguments)                                                  \
    CT_UCX_EXPORT type name parameters                                                             \
    {                                                                                              \
        ct_ucx_enter();                                                                            \
        type result = ct_ucx.name arguments;                                                       \
        ct_ucx_leave();                                                                            \
        return result;                                                                             \
    }

LOCKED(ucs_status_t, ucp_ep_flush, (ucp_ep_h ep), (ep))
LOCKED(ucs_status_t, ucp_ep_rkey_unpack, (ucp_ep_h ep, const void *buffer, ucp_rkey_h *key_p),
       (ep, buffer, key_p))
LOCKED(ucs_status_t, ucp_put,
       (ucp_ep_h ep, const void *buffer, size_t length, uint64_t address, ucp_rkey_h key),
       (ep, buffer, length, address, key))
LOCKED(ucs_status_t, ucp_put_nbi,
       (ucp_ep_h ep, const void *buffer, size_t length, uint64_t address, ucp_rkey_h key),
       (ep, buffer, length, address, key))
LOCKED(ucs_status_t, ucp_get_nbi,
       (ucp_ep_h ep, void *buffer, size_t length, uint64_t address, ucp_rkey_h key),
       (ep, buffer, length, address, key))
LOCKED(ucs_status_t, ucp_mem_map,
       (ucp_context_h context, const ucp_mem_map_params_t *params, ucp_mem_h *memory_p),
       (context, params, memory_p))
LOCKED(ucs_status_t, ucp_mem_unmap, (ucp_context_h context, ucp_mem_h memory), (context, memory))
LOCKED(ucs_status_t, ucp_rkey_pack,
       (ucp_context_h context, ucp_mem_h memory, void **buffer_p, size_t *size_p),
       (context, memory, buffer_p, size_p))

CT_UCX_EXPORT void ucp_rkey_destroy(ucp_rkey_h key)
{
    ct_ucx_enter();
    ct_ucx.ucp_rkey_destroy(key);
    ct_ucx_leave();
}
