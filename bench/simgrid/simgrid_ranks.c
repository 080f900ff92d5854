#include "bench/simgrid/simgrid_ranks.h"

#include "bench/simgrid/simgrid_counters.h"
#include "bench/simgrid/simgrid_latency.h"
#include "bench/simgrid/simgrid_network.h"
#include "core/file.h"
#include "core/json.h"
#include "core/self.h"
#include "core/simulated.h"
#include "trace/pmpi/tracer.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <simgrid/actor.h>
#include <simgrid/barrier.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The simulator passes nothing to its ranks; a handler sets the flag. */
static struct ct_simgrid_run *current;
static volatile sig_atomic_t is_over;

/* A rank's own, at smpi_process_get_user_data(). */
struct rank {
    MPI_Comm world;
    bool is_first, is_measured;
};

/* ---- load of the links ---- */

struct links {
    struct ct_json *list;
    double interval_s;
};

static void add_link(const struct ct_simgrid_counter *counter, void *data)
{
    const struct links *links = data;
    struct ct_json *link = ct_json_append(links->list, ct_json_object());
    ct_json_put(link, "link", ct_json_text(counter->link));
    ct_json_put(link, "messages", ct_json_number(counter->messages));
    ct_json_put(link, "bytes", ct_json_number(counter->bytes));
    ct_json_put(link, "busy_fraction", ct_json_number(counter->busy_s / links->interval_s));
}

static enum ct_status print_counters(FILE *out, const void *data, struct ct_error *err)
{
    (void)data;
    struct ct_json *root = ct_json_object();
    struct links links = {NULL, ct_simgrid_counters_interval_s()};
    ct_json_put(root, "interval_s", ct_json_number(links.interval_s));
    links.list = ct_json_put(root, "links", ct_json_array());
    ct_simgrid_counters_each(add_link, &links);
    enum ct_status status = ct_json_print(root, out);
    ct_json_free(root);
    return status == CT_ENOMEM ? ct_no_memory(err, "counters") : CT_OK;
}

/* By a rank: here, a file is written with calls of the simulation, such as getpid(). */
static void write_counters(struct ct_simgrid_run *run)
{
    ct_simgrid_counters_stop();
    if (run->counters && run->no_counters)
        ct_fail(&run->counters_error, CT_EINVAL, "--counters: %s", run->no_counters);
    else if (run->counters)
        ct_file_make(run->counters, print_counters, NULL, &run->counters_error);
}

/* ---- a rank ---- */

struct ct_simulated_rank ct_simulated_self(void)
{
    const struct rank *rank = smpi_process_get_user_data();
    return (struct ct_simulated_rank){rank->world, rank->is_first, is_over != 0};
}

void ct_simulated_measure(bool begins)
{
    const struct rank *rank = smpi_process_get_user_data();
    if (!rank->is_measured)
        return;
    if (!current->has_marks)
        ct_simgrid_counters_clear();
    current->has_marks = true;
    current->n_measuring += begins ? 1 : -1;
    if (current->n_measuring > 0)
        ct_simgrid_counters_start();
    else
        ct_simgrid_counters_stop();
}

static struct ct_simgrid_part *find_part(int rank, size_t *index_p)
{
    size_t i = 0;
    while (rank >= current->parts[i].n_ranks)
        rank -= current->parts[i++].n_ranks;
    *index_p = i;
    return &current->parts[i];
}

static void count_end(struct ct_simgrid_part *part, int code)
{
    part->n_ended++;
    if (code > part->code)
        part->code = code;
    if (!part->is_background && ++current->n_measured_ended == current->n_measured) {
        is_over = 1;
        write_counters(current);
    }
}

/* Programs, and the simulator, move their words and leave some out: they get a list of their own.
 */
static char **list_words(const struct ct_argv *words)
{
    char **list = words->failed ? NULL : calloc(words->n + 1, sizeof *list);
    if (list)
        memcpy(list, words->item, words->n * sizeof *list);
    return list;
}

static int call_main(const struct ct_simgrid_part *part)
{
    struct ct_argv words = {0};
    ct_argv_add_all(&words, part->argv);
    char **list = list_words(&words);
    int code = 1;
    if (list)
        code = part->main((int)words.n, list);
    else
        fprintf(stderr, "%s: out of memory\n", part->argv[0]);
    free(list);
    ct_argv_free(&words);
    return code;
}

/* By the rank that the simulator starts first, before all messages. */
static void prepare_network(struct ct_simgrid_run *run)
{
    const char *why;
    if (run->is_prepared)
        return;
    run->is_prepared = true;
    if (run->counters)
        ct_simgrid_counters_prepare(run->factors_by_size, run->rate_factors, &run->no_counters);
    if (run->added_latency_s > 0 &&
        !ct_simgrid_latency_add(run->added_latency_s, run->factors_by_size, run->latency_factors,
                                &why)) {
        fprintf(stderr, "crosstalk-simgrid: --add-latency: %s\n", why);
        _exit(1); /* no rank can tell the others before their first message */
    }
}

/* Programs start when the worlds of all of them are there: rank 0 exchanges messages with all
 * others for that, and a program that started before would be timed beside these messages. Waiting
 * takes no simulated time. */
static void split_world(struct ct_simgrid_run *run, int index, int rank, MPI_Comm *world_p)
{
    int n_ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (!run->are_all_there)
        run->are_all_there = sg_barrier_init((unsigned int)n_ranks);
    MPI_Comm_split(MPI_COMM_WORLD, index, rank, world_p);
    sg_barrier_wait(run->are_all_there);
}

int ct_simgrid_rank(void)
{
    struct rank own;
    size_t index;
    int rank, rank_of_part;
    prepare_network(current);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct ct_simgrid_part *part = find_part(rank, &index);
    own.world = MPI_COMM_WORLD;
    if (current->n_parts > 1)
        split_world(current, (int)index, rank, &own.world);
    MPI_Comm_rank(own.world, &rank_of_part);
    own.is_first = rank_of_part == 0;
    own.is_measured = !part->is_background;
    smpi_process_set_user_data(&own);
    sg_actor_sleep_for(part->start_s);
    if (own.is_measured && !current->has_marks)
        ct_simgrid_counters_start();
    if (*part->trace)
        ct_tracer_begin_in(part->trace, own.world);
    int code = call_main(part);
    ct_tracer_end();
    count_end(part, code);
    if (current->n_parts > 1)
        MPI_Comm_free(&own.world);
    MPI_Finalize(); /* waits for all ranks of all programs */
    return code;
}

void ct_simgrid_network(void)
{
    ct_simgrid_network_make(current->topology, current->prefix);
}

/* ---- programs ---- */

static enum ct_status find_program(const char *name, char path[PATH_MAX], struct ct_error *err)
{
    char folder[PATH_MAX] = "";
    CT_TRY(strchr(name, '/') ? CT_OK : ct_self_folder(folder, sizeof folder, err));
    if ((size_t)snprintf(path, PATH_MAX, "%s%s%s", folder, *folder ? "/" : "", name) >= PATH_MAX)
        return ct_fail(err, CT_EINVAL, "%.80s...: the path is too long", name);
    return CT_OK;
}

static enum ct_status load_program(struct ct_simgrid_part *part, struct ct_error *err)
{
    char path[PATH_MAX];
    CT_TRY(find_program(part->argv[0], path, err));
    if (access(path, R_OK) != 0)
        return ct_fail(err, CT_ENOENT, "%s: %s", path, strerror(errno));
    part->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *entry = part->library ? dlsym(part->library, "main") : NULL;
    if (!entry)
        return ct_fail(err, CT_EINVAL,
                       "%s: no program for SimGrid (%s); build it with the preset simgrid", path,
                       dlerror());
    memcpy(&part->main, &entry, sizeof entry);
    return CT_OK;
}

enum ct_status ct_simgrid_load(struct ct_simgrid_run *run, struct ct_error *err)
{
    for (size_t i = 0; i < run->n_parts; i++)
        CT_TRY(load_program(&run->parts[i], err));
    return CT_OK;
}

void ct_simgrid_unload(struct ct_simgrid_run *run)
{
    for (size_t i = 0; i < run->n_parts; i++)
        if (run->parts[i].library)
            dlclose(run->parts[i].library);
    ct_argv_free(&run->settings);
}

/* ---- hosts ---- */

/* A line for each rank, as the simulator wants them. */
static enum ct_status write_hosts(FILE *file, struct ct_simgrid_part *part, struct ct_error *err)
{
    char *list = strdup(part->hosts), *rest = list, *host;
    if (!list)
        return ct_no_memory(err, "--hosts");
    while ((host = strsep(&rest, ",")))
        for (uint64_t i = 0; i < part->slots; i++, part->n_ranks++)
            fprintf(file, "%s\n", host);
    free(list);
    return CT_OK;
}

/* Of all ranks, in memory: the simulator opens it by its path. */
static enum ct_status write_host_file(struct ct_simgrid_run *run, FILE **file_p,
                                      struct ct_error *err)
{
    int fd = memfd_create("hosts", 0);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        return ct_fail(err, CT_EIO, "list of hosts: %s", strerror(errno));
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < run->n_parts && status == CT_OK; i++) {
        status = write_hosts(file, &run->parts[i], err);
        run->n_measured += run->parts[i].is_background ? 0 : run->parts[i].n_ranks;
    }
    if (status == CT_OK && fflush(file) != 0)
        status = ct_fail(err, CT_EIO, "list of hosts: %s", strerror(errno));
    *file_p = file;
    return status;
}

/* ---- the simulation ---- */

static void on_signal(int number)
{
    (void)number;
    is_over = 1;
}

static enum ct_status check_ends(const struct ct_simgrid_run *run, struct ct_error *err)
{
    const struct ct_error *counters = &run->counters_error;
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct ct_simgrid_part *part = &run->parts[i];
        if (part->n_ended < part->n_ranks)
            return ct_fail(err, CT_ECHILD, "%s: %d of %d ranks did not end", part->argv[0],
                           part->n_ranks - part->n_ended, part->n_ranks);
        if (part->code != 0)
            return ct_fail(err, CT_ECHILD, "%s: exit code %d", part->argv[0], part->code);
    }
    return counters->status == CT_OK ? CT_OK : ct_fail(err, counters->status, "%s", counters->text);
}

static enum ct_status start_ranks(struct ct_simgrid_run *run, const char *hosts,
                                  struct ct_error *err)
{
    char path[PATH_MAX];
    CT_TRY(find_program("crosstalk-simgrid-rank.so", path, err));
    struct ct_argv words = {0};
    ct_argv_add(&words, "%s", path);
    ct_argv_add_all(&words, run->settings.item);
    ct_argv_add(&words, "--cfg=smpi/hostfile:%s", hosts);
    ct_argv_add(&words, "%s", run->platform ? run->platform : path);
    char **list = list_words(&words);
    if (!list) {
        ct_argv_free(&words);
        return ct_no_memory(err, "settings");
    }
    /* A second signal ends the process: a rank may not look at the flag for long. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    current = run;
    smpi_main(path, (int)words.n, list);
    current = NULL;
    free(list);
    ct_argv_free(&words);
    return check_ends(run, err);
}

enum ct_status ct_simgrid_simulate(struct ct_simgrid_run *run, struct ct_error *err)
{
    FILE *hosts = NULL;
    char path[32];
    enum ct_status status = write_host_file(run, &hosts, err);
    if (status == CT_OK) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(hosts));
        status = start_ranks(run, path, err);
    }
    if (hosts)
        fclose(hosts);
    return status;
}
