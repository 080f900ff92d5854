#include "bench/common/bench.h"

#include "bench/common/clock.h"
#include "bench/common/world.h"
#include "core/simulated.h"
#include "core/version.h"
#include "results/environment.h"

#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* What a handler may touch: the one piece of state outside main. */
static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    (void)number;
    signalled = 1;
}

bool ct_bench_signalled(void)
{
    return CT_SIMULATED ? ct_simulated_look().is_over : signalled != 0;
}

/* In a simulation the handlers are the simulator's: all ranks of all programs are one process. */
static void install_handlers(void)
{
    if (CT_SIMULATED)
        return;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static char *join_words(int argc, char **argv)
{
    size_t length = 1;
    for (int i = 0; i < argc; i++)
        length += strlen(argv[i]) + 1;
    char *text = malloc(length), *end = text;
    if (!text)
        return NULL;
    for (int i = 0; i < argc; i++) {
        size_t n = strlen(argv[i]);
        if (i > 0)
            *end++ = ' ';
        memcpy(end, argv[i], n);
        end += n;
    }
    *end = '\0';
    return text;
}

/* Each rank fails alone, before there is a world in which to agree. Launchers end all ranks as soon
   as one has failed: the others leave the one that prints time for that. */
static const double others_wait_s = 0.5;

static void fail_alone(const struct ct_command *command, const struct ct_world *world,
                       const struct ct_error *err)
{
    struct ct_log log = ct_log_open(command->name, false);
    if (world->prints)
        ct_log_error(&log, err);
    else
        ct_clock_sleep(others_wait_s);
}

/* Options are parsed before MPI starts, so that --help answers everywhere. True: go on. Everything
   else is answered, with the exit code. */
static bool parse_options(const struct ct_command *command, int argc, char **argv,
                          const struct ct_world *world, void *values, int *code_p)
{
    struct ct_arguments args;
    struct ct_error err;
    FILE *out = world->prints ? stdout : fopen("/dev/null", "w");
    if (!out)
        out = stdout;
    enum ct_status status = ct_command_parse(command, argc, argv, values, &args, out, &err);
    if (out != stdout)
        fclose(out);
    if (status == CT_OK && !args.finished)
        return true;
    if (status != CT_OK)
        fail_alone(command, world, &err);
    *code_p = ct_exit_code(status);
    return false;
}

/* Hours of measuring should not end with a folder that is not there. */
static enum ct_status check_output(const char *path, struct ct_error *err)
{
    enum ct_status status = *path ? ct_file_check_target(path, CT_FILE_REGULAR, err) : CT_OK;
    return status == CT_OK ? status : ct_fail_within(err, status, "--output");
}

static struct ct_world look_at_world(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(version, &length);
    return ct_world_look(ct_mpi_of_version(version));
}

static bool check_world(const struct ct_command *command, const struct ct_world *world,
                        MPI_Comm comm, int *code_p)
{
    int size;
    struct ct_error err;
    MPI_Comm_size(comm, &size);
    enum ct_status status = ct_world_check(world, size, &err);
    if (status == CT_OK)
        return true;
    fail_alone(command, world, &err);
    ct_world_end();
    *code_p = ct_exit_code(status);
    return false;
}

/* Print the error of the lowest rank that has one, finalise MPI; the exit code. */
static int end_bench(struct ct_bench *bench, enum ct_status status, const struct ct_error *err)
{
    struct ct_error agreed = {0};
    if (status != CT_OK)
        agreed = *err;
    status = ct_bench_agree(bench, status, &agreed);
    if (status != CT_OK && bench->rank == 0)
        ct_log_error(&bench->log, &agreed);
    ct_log_progress_end(&bench->log);
    ct_layout_free(&bench->layout);
    free(bench->argv_text);
    MPI_Comm_free(&bench->comm);
    ct_world_end();
    return ct_exit_code(status);
}

/* false: leave main with *code_p; MPI is finalised. */
static bool start_bench(const struct ct_command *command, int argc, char **argv, void *values,
                        struct ct_bench_options *common, bool (*needs_threads)(const void *),
                        struct ct_bench *bench, int *code_p)
{
    char *argv_text = join_words(argc, argv); /* parsing reorders the words */
    struct ct_world world = look_at_world();
    if (!parse_options(command, argc, argv, &world, values, code_p)) {
        free(argv_text);
        return false;
    }
    install_handlers();
    /* The kernel's default lets it wake sleepers up to 50 us late. */
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    MPI_Comm comm = ct_world_begin(&argc, &argv, needs_threads && needs_threads(values));
    if (!check_world(command, &world, comm, code_p)) {
        free(argv_text);
        return false;
    }
    *bench = (struct ct_bench){
        .command = command, .options = common, .values = values, .argv_text = argv_text};
    MPI_Comm_dup(comm, &bench->comm);
    MPI_Comm_rank(bench->comm, &bench->rank);
    MPI_Comm_size(bench->comm, &bench->size);
    bench->log = ct_log_open(command->name, common->view.quiet || bench->rank != 0);
    MPI_Bcast(&common->seed, 1, MPI_UINT64_T, 0, bench->comm);
    struct ct_error err;
    enum ct_status status = ct_layout_discover(bench->comm, &bench->layout, &err);
    if (status == CT_OK && !argv_text)
        status = ct_no_memory(&err, "arguments");
    if (status == CT_OK && bench->rank == 0)
        status = check_output(common->output, &err);
    if (ct_bench_agree(bench, status, &err) != CT_OK) {
        *code_p = end_bench(bench, status, &err);
        return false;
    }
    ct_clock_utc(bench->started_utc);
    MPI_Barrier(bench->comm);
    bench->start_s = ct_clock_now_s();
    return true;
}

int ct_bench_main(const struct ct_command *command, int argc, char **argv, void *values,
                  struct ct_bench_options *common, bool (*needs_threads)(const void *),
                  ct_bench_run *run)
{
    struct ct_bench bench;
    struct ct_error err;
    int code;
    if (!start_bench(command, argc, argv, values, common, needs_threads, &bench, &code))
        return code;
    enum ct_status status = run(&bench, values, &err);
    return end_bench(&bench, status, &err);
}

enum ct_status ct_bench_agree(const struct ct_bench *bench, enum ct_status status,
                              struct ct_error *err)
{
    int failed_rank = status == CT_OK ? INT_MAX : bench->rank, lowest;
    MPI_Allreduce(&failed_rank, &lowest, 1, MPI_INT, MPI_MIN, bench->comm);
    if (lowest == INT_MAX)
        return CT_OK;
    MPI_Bcast(err, (int)sizeof *err, MPI_BYTE, lowest, bench->comm);
    return err->status;
}

bool ct_bench_any(const struct ct_bench *bench, bool here)
{
    int mine = here, any;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, bench->comm);
    return any != 0;
}

static char *join_hosts(const struct ct_layout *layout)
{
    size_t length = (size_t)layout->n_nodes * (CT_HOST_MAX + 1) + 1;
    char *text = calloc(1, length);
    size_t used = 0;
    for (int node = 0; text && node < layout->n_nodes; node++)
        used += (size_t)snprintf(text + used, length - used, "%s%s", node ? " " : "",
                                 ct_layout_host(layout, node));
    return text;
}

static const char *const timer_name = CT_SIMULATED ? "simulated" : "CLOCK_MONOTONIC";

static char *library_name(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(text, &length);
    for (char *p = text; *p; p++)
        if (*p == '\t')
            *p = ' ';
    return strndup(text, strcspn(text, "\n"));
}

struct option_facts {
    struct ct_run_info *info;
    enum ct_status status;
};

static void add_option_fact(const char *name, const char *value, void *data)
{
    struct option_facts *facts = data;
    char key[96];
    snprintf(key, sizeof key, "option_%s", name);
    for (char *p = key; *p; p++)
        if (*p == '-')
            *p = '_';
    if (facts->status == CT_OK)
        facts->status = ct_run_add_text(facts->info, key, value);
}

enum ct_status ct_bench_describe(const struct ct_bench *bench, enum ct_run_kind kind,
                                 struct ct_run_info *info_p, struct ct_error *err)
{
    const struct ct_bench_options *options = bench->options;
    struct ct_clock_quality quality = ct_clock_measure();
    struct ct_run_info info = {.kind = kind,
                               .tool = strdup(bench->command->name),
                               .version = strdup(CT_VERSION),
                               .app = strdup(options->label),
                               .with = strdup(options->with),
                               .has_config = options->config.given,
                               .config = options->config.config,
                               .started_utc = strdup(bench->started_utc),
                               .argv = strdup(bench->argv_text),
                               .seed = options->seed,
                               .hosts = join_hosts(&bench->layout),
                               .mpi_library = library_name(),
                               .timer = strdup(timer_name),
                               .timer_resolution_s = quality.resolution_s};
    struct option_facts facts = {.info = &info};
    ct_command_visit(bench->command, bench->values, add_option_fact, &facts);
    if (facts.status == CT_OK)
        facts.status = ct_run_add_number(&info, "timer_overhead_s", quality.overhead_s);
    if (facts.status == CT_OK)
        facts.status = ct_run_add_number(&info, "ranks", bench->size);
    if (facts.status == CT_OK)
        facts.status = ct_run_add_environment(&info, "");
    if (facts.status != CT_OK || !info.tool || !info.version || !info.app || !info.with ||
        !info.started_utc || !info.argv || !info.hosts || !info.mpi_library || !info.timer) {
        ct_run_info_free(&info);
        return ct_no_memory(err, "description of the run");
    }
    *info_p = info;
    return CT_OK;
}

void ct_bench_add_provenance(const struct ct_bench *bench, struct ct_tables *tables)
{
    char *library = library_name(), *hosts = join_hosts(&bench->layout);
    struct ct_clock_quality quality = ct_clock_measure();
    ct_tables_detail(tables, true);
    ct_tables_provenance(tables, "started", "%s", bench->started_utc);
    ct_tables_provenance(tables, "mpi", "%s", library ? library : "");
    ct_tables_provenance(tables, "ranks", "%d on %d nodes", bench->size, bench->layout.n_nodes);
    ct_tables_provenance(tables, "hosts", "%s", hosts ? hosts : "");
    ct_tables_provenance(tables, "timer", "%s, resolution %.3g ns, %.3g ns a reading", timer_name,
                         quality.resolution_s * 1e9, quality.overhead_s * 1e9);
    ct_tables_detail(tables, false);
    ct_tables_parameters(tables, bench->command, bench->values);
    free(library);
    free(hosts);
}
