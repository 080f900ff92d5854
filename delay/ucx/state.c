#include "delay/ucx/state.h"

#include "core/clock.h"
#include "core/file.h"
#include "core/units.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RENDEZVOUS_DEFAULT_BYTES = 8192 };

struct ct_ucx_calls ct_ucx;
struct ct_delay_settings ct_delay_settings;
struct ct_delay_worker *ct_delay_workers;
/* In the block that a thread begins with: no call is needed to find it. */
__thread unsigned ct_ucx_depth __attribute__((tls_model("initial-exec")));
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t callbacks = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void ct_ucx_enter(void)
{
    if (ct_ucx_depth++ == 0)
        pthread_mutex_lock(&lock);
}

void ct_ucx_leave(void)
{
    if (--ct_ucx_depth == 0)
        pthread_mutex_unlock(&lock);
}

void ct_delay_callbacks_enter(void)
{
    pthread_mutex_lock(&callbacks);
}

void ct_delay_callbacks_leave(void)
{
    pthread_mutex_unlock(&callbacks);
}

void ct_delay_say(const char *format, ...)
{
    char text[800];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "crosstalk delay: %s\n", text); /* one write: ranks share the terminal */
}

/* ---- settings ---- */

bool ct_delay_is_wanted(void)
{
    return getenv(CT_DELAY_LATENCY_VARIABLE) || getenv(CT_DELAY_MATRIX_VARIABLE);
}

static size_t number_of(const char *const *variables, size_t otherwise)
{
    uint64_t number;
    for (; *variables; variables++) {
        const char *text = getenv(*variables);
        if (text && ct_parse_u64(text, &number, NULL) == CT_OK)
            return number;
    }
    return otherwise;
}

/* What launchers tell each process. */
static void read_ranks(struct ct_delay_settings *settings)
{
    settings->rank = number_of((const char *const[]){"PMI_RANK", "OMPI_COMM_WORLD_RANK",
                                                     "PMIX_RANK", "SLURM_PROCID", NULL},
                               0);
    settings->n_ranks = number_of(
        (const char *const[]){"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", NULL}, 0);
}

static bool is_set(const char *variable)
{
    const char *text = getenv(variable);
    return text && strcmp(text, "1") == 0;
}

/* Processes that the program starts are ranks of another world. A node is what has a name and a
 * start of its own: containers of a machine have names, nodes that are all called localhost do not.
 */
static void read_self(struct ct_delay_settings *settings, bool is_openmpi)
{
    static const char *const worlds[] = {"PMIX_NAMESPACE", "PMI_SPAWNED"};
    char name[256] = "", boot[64], node[sizeof name + sizeof boot];
    const char *world = NULL;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds && !world; i++)
        world = getenv(worlds[i]);
    gethostname(name, sizeof name - 1);
    ct_file_head("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    snprintf(node, sizeof node, "%s %s", name, boot);
    settings->is_openmpi = is_openmpi;
    settings->self = ct_delay_peer_of(world, node, settings->rank);
    settings->marks =
        ct_delay_marks_of(is_openmpi, settings->latency.n_ranks > 0, !settings->within_nodes);
}

static enum ct_status read_latency(struct ct_delay_settings *settings, struct ct_error *err)
{
    const char *latency = getenv(CT_DELAY_LATENCY_VARIABLE);
    const char *matrix = getenv(CT_DELAY_MATRIX_VARIABLE);
    double latency_s;
    if (matrix)
        return ct_delay_matrix_read(matrix, &settings->latency, err);
    enum ct_status status = ct_parse_duration(latency, &latency_s, err);
    if (status == CT_OK)
        status = ct_delay_latency_check(latency_s, err);
    if (status == CT_OK)
        settings->latency.uniform_ns = (int64_t)(latency_s * 1e9 + 0.5);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, CT_DELAY_LATENCY_VARIABLE);
}

static enum ct_status check_settings(const struct ct_delay_settings *settings, struct ct_error *err)
{
    size_t n = settings->latency.n_ranks;
    if (n > 0 && (settings->n_ranks != n || settings->rank >= n))
        return ct_fail(err, CT_EINVAL,
                       "%s is for %zu ranks, but rank %zu is one of %zu: a matrix has a row and a "
                       "column for each rank of MPI_COMM_WORLD",
                       getenv(CT_DELAY_MATRIX_VARIABLE), n, settings->rank, settings->n_ranks);
    return CT_OK;
}

static enum ct_status read_rendezvous(struct ct_delay_settings *settings, struct ct_error *err)
{
    const char *text = getenv(CT_DELAY_RENDEZVOUS_VARIABLE);
    uint64_t bytes = RENDEZVOUS_DEFAULT_BYTES;
    if (text && ct_parse_u64(text, &bytes, NULL) != CT_OK)
        return ct_fail(err, CT_EINVAL,
                       CT_DELAY_RENDEZVOUS_VARIABLE " is '%s': give it in bytes, such as 8192, or "
                                                    "leave it out",
                       text);
    settings->rendezvous_bytes = bytes;
    return CT_OK;
}

bool ct_delay_settings_read(bool is_openmpi)
{
    struct ct_error err;
    struct ct_delay_settings *settings = &ct_delay_settings;
    settings->quiet = is_set(CT_DELAY_QUIET_VARIABLE);
    settings->within_nodes = is_set(CT_DELAY_WITHIN_NODES_VARIABLE);
    read_ranks(settings);
    enum ct_status status = read_latency(settings, &err);
    if (status == CT_OK)
        status = check_settings(settings, &err);
    if (status == CT_OK)
        status = read_rendezvous(settings, &err);
    if (status == CT_OK)
        read_self(settings, is_openmpi);
    else /* by each rank: the first that fails ends all */
        ct_delay_say("%s", err.text);
    return status == CT_OK;
}

bool ct_ucx_find(void)
{
    static bool found;
    void *ucx = RTLD_NEXT;
    if (found)
        return true;
    /* A library that is loaded with an MPI's component is not among those that follow this one. */
    if (!dlsym(RTLD_NEXT, "ucp_worker_progress"))
        ucx = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (!ucx)
        return false;
#define FIND(name) *(void **)&ct_ucx.name = dlsym(ucx, #name);
    CT_UCX_CALLS(FIND)
#undef FIND
    found = ct_ucx.ucp_init_version != NULL;
    return found;
}

/* Before anything of the program runs: UCX reads its environment when the MPI starts. */
__attribute__((constructor)) static void begin(void)
{
    char bytes[32];
    ct_ucx_find();
    if (!ct_delay_is_wanted())
        return;
    snprintf(bytes, sizeof bytes, "%d", RENDEZVOUS_DEFAULT_BYTES);
    setenv(CT_DELAY_RENDEZVOUS_VARIABLE, bytes, 0);
}

/* ---- workers ---- */

struct ct_delay_worker *ct_delay_worker_of(ucp_worker_h ucx)
{
    struct ct_delay_worker *worker = ct_delay_workers;
    while (worker && worker->ucx != ucx)
        worker = worker->next;
    return worker;
}

void ct_delay_call_later(struct ct_delay_worker *worker, struct ct_delay_call *call)
{
    call->next = NULL;
    *worker->last_call = call;
    worker->last_call = &call->next;
}

static void end_without_memory(void)
{
    ct_delay_say("out of memory");
    abort();
}

void ct_delay_add(struct ct_due *due, int64_t due_ns, enum ct_delay_kind kind, void *what)
{
    if (!ct_due_add(due, due_ns, (int)kind, what))
        end_without_memory();
}

int64_t ct_delay_now_ns(void)
{
    return (int64_t)ct_clock_now_ns();
}

void *ct_delay_allocate(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory)
        end_without_memory();
    return memory;
}
