/*
 * Run files written by all ranks at once: what rank 0 reads back alone is every rank's rows in the
 * order of ranks, and a failure of one rank is the same failure on all. Started by run_parallel.sh.
 *
 *     test_run_parallel FOLDER [FULL_FOLDER]...
 */
#include "results/dataset.h"
#include "results/run_parallel.h"
#include "tests/unit/run_example.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

struct world {
    int rank, size;
    const char *folder;
    enum ct_run_driver driver;
};

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "test_run_parallel: line %d: ", __LINE__);                             \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

/* How rows are spread over ranks: nobody has any, and four cases. */
enum { VARIANT_EMPTY = -1, N_VARIANTS = 4 };

/* Rows of a rank: none, one, some, and more than a chunk of the file and a piece that is sent;
   which rank has which changes by case. Of many ranks only one has that many. */
static size_t count_of(int rank, int variant)
{
    const size_t counts[] = {0, rank < 4 ? 70001 : 131, 1, 13};
    return variant == VARIANT_EMPTY ? 0 : counts[(rank + variant) % 4];
}

/* The part of a rank. Its first number tells whose row it is. */
static struct ct_run part_of(enum ct_run_kind kind, int rank, int variant)
{
    struct ct_run run = example_run(kind, count_of(rank, variant));
    for (size_t i = 0; i < run.n_samples; i++)
        run.samples[i].t_s += 1e6 * rank;
    for (size_t i = 0; i < run.n_runtimes; i++)
        run.runtimes[i].start_s += 1e6 * rank;
    for (size_t i = 0; i < run.n_rounds; i++)
        run.rounds[i].start_s += 1e6 * rank;
    for (size_t i = 0; i < run.n_logp; i++)
        run.logp[i].os_s += 1e6 * rank;
    return run;
}

/* What the file must hold, made by one process. */
static struct ct_run whole_of(enum ct_run_kind kind, int size, int variant)
{
    struct ct_run whole = part_of(kind, 0, variant);
    for (size_t d = 0; d < CT_N_DATASETS; d++) {
        const struct ct_dataset *dataset = &ct_datasets[d];
        if (dataset->kind != kind || !dataset->is_shared)
            continue;
        size_t n = 0, total = 0;
        for (int rank = 0; rank < size; rank++)
            total += count_of(rank, variant);
        char *rows = malloc(total * dataset->row_bytes + 1);
        if (!rows)
            abort();
        for (int rank = 0; rank < size; rank++) {
            struct ct_run part = part_of(kind, rank, variant);
            size_t count = ct_dataset_count(dataset, &part);
            if (count > 0)
                memcpy(rows + n * dataset->row_bytes, ct_dataset_rows(dataset, &part),
                       count * dataset->row_bytes);
            n += count;
            ct_run_free(&part);
        }
        void *first = (void *)ct_dataset_rows(dataset, &whole);
        free(first);
        ct_dataset_set(dataset, &whole, rows, n);
    }
    return whole;
}

static int count_files(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    CHECK(dir, "%s cannot be read", folder);
    for (struct dirent *entry; (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

/* Room that was reserved and not used is given back. */
static void check_size(const char *path, const struct ct_run *whole)
{
    char alone[4200];
    struct stat together_st = {0}, alone_st = {0};
    struct ct_error err;
    snprintf(alone, sizeof alone, "%s.alone", path);
    CHECK(ct_run_write(alone, whole, &err) == CT_OK, "%s", err.text);
    CHECK(stat(path, &together_st) == 0 && stat(alone, &alone_st) == 0, "stat");
    CHECK(together_st.st_size <= alone_st.st_size + 65536 &&
              together_st.st_blocks <= alone_st.st_blocks + 2 * 65536 / 512,
          "%s: %lld bytes, written by one process %lld", path, (long long)together_st.st_size,
          (long long)alone_st.st_size);
    remove(alone);
}

static void writes_what_one_process_reads(const struct world *world, enum ct_run_kind kind,
                                          int variant)
{
    char path[4096];
    struct ct_error err = {.text = ""};
    snprintf(path, sizeof path, "%s/%s.h5", world->folder, ct_run_kind_text(kind));
    struct ct_run part = part_of(kind, world->rank, variant);
    /* Attributes and pairs are rank 0's: those of the others must not matter. */
    if (world->rank > 0) {
        ct_run_info_free(&part.info);
        part.info.kind = CT_RUN_LOGP;
        free(part.pairs);
        part.pairs = NULL;
        part.n_pairs = 0;
    }
    enum ct_status status = ct_run_write_by(world->driver, MPI_COMM_WORLD, path, &part, &err);
    CHECK(status == CT_OK, "rank %d: %s", world->rank, err.text);
    ct_run_free(&part);
    if (world->rank == 0) {
        struct ct_run whole = whole_of(kind, world->size, variant), read;
        CHECK(ct_run_read(path, &read, &err) == CT_OK, "%s", err.text);
        const char *difference = example_difference(&whole, &read);
        CHECK(!difference, "%s, case %d: %s differs", path, variant, difference);
        check_size(path, &whole);
        ct_run_free(&whole);
        ct_run_free(&read);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The last rank has a row that may not be: all ranks say so, and nothing is left. */
static void failure_of_one_rank_is_that_of_all(const struct world *world)
{
    char path[4096], whose[32];
    struct ct_error err = {.text = ""};
    int files_before = count_files(world->folder);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/never.h5", world->folder);
    struct ct_run part = example_run(CT_RUN_IMPACT, 9);
    if (world->rank == world->size - 1)
        part.samples[4].latency_s = NAN;
    enum ct_status status = ct_run_write_by(world->driver, MPI_COMM_WORLD, path, &part, &err);
    snprintf(whose, sizeof whose, "rank %d", world->size - 1);
    CHECK(status == CT_EINVAL && err.status == CT_EINVAL, "status %d", (int)status);
    CHECK(strstr(err.text, whose) && strstr(err.text, "row 4: latency_s is nan"), "'%s'", err.text);
    CHECK(ct_run_write_by(world->driver, MPI_COMM_WORLD, path, &part, NULL) == CT_EINVAL,
          "without message");
    CHECK(count_files(world->folder) == files_before, "a file was left");
    ct_run_free(&part);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void a_place_that_is_not_there_is_named(const struct world *world)
{
    char path[4096];
    struct ct_error err = {.text = ""};
    snprintf(path, sizeof path, "%s/nowhere/a.h5", world->folder);
    struct ct_run part = example_run(CT_RUN_RUNTIME, 3);
    enum ct_status status = ct_run_write_by(world->driver, MPI_COMM_WORLD, path, &part, &err);
    CHECK(status == CT_EIO, "status %d", (int)status);
    CHECK(strstr(err.text, path) && strstr(err.text, "No such file"), "'%s'", err.text);
    ct_run_free(&part);
}

/* The folder is in a file system without room, where run_parallel.sh could make one. */
static void a_full_disk_is_reported(const struct world *world, const char *folder)
{
    char path[4096];
    struct ct_error err = {.text = ""};
    int files_before = count_files(folder);
    snprintf(path, sizeof path, "%s/a.h5", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    struct ct_run part = example_run(CT_RUN_IMPACT, 100000);
    enum ct_status status = ct_run_write_by(world->driver, MPI_COMM_WORLD, path, &part, &err);
    CHECK(status == CT_EIO, "status %d", (int)status);
    CHECK(strstr(err.text, path) && strstr(err.text, "No space left"), "'%s'", err.text);
    CHECK(count_files(folder) == files_before, "a file was left");
    ct_run_free(&part);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* In a process of its own a limit shows on one rank only, before anybody writes. */
static void a_limit_of_one_rank_is_that_of_all(const struct world *world)
{
    char path[4096];
    struct ct_error err = {.text = ""};
    struct rlimit old;
    snprintf(path, sizeof path, "%s/never.h5", world->folder);
    struct ct_run part = example_run(CT_RUN_IMPACT, 1000);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0, "getrlimit");
    struct rlimit lower = {.rlim_cur = 4096, .rlim_max = old.rlim_max};
    if (world->rank == world->size - 1)
        CHECK(setrlimit(RLIMIT_FSIZE, &lower) == 0, "setrlimit");
    enum ct_status status = ct_run_write_by(world->driver, MPI_COMM_WORLD, path, &part, &err);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0, "setrlimit");
    CHECK(status == CT_EIO && strstr(err.text, "limited to 4096"), "'%s'", err.text);
    ct_run_free(&part);
}

/* The spread of rows does not depend on their kind: all of its cases with one, one with the others.
 */
static void all_kinds_and_spreads(const struct world *world)
{
    static const enum ct_run_kind others[] = {CT_RUN_COMPRESSION, CT_RUN_RUNTIME, CT_RUN_LOGP};
    int n_variants = world->size <= 4 ? N_VARIANTS : 1;
    for (int variant = VARIANT_EMPTY; variant < n_variants; variant++)
        writes_what_one_process_reads(world, CT_RUN_IMPACT, variant);
    for (int k = 0; k < (int)(sizeof others / sizeof *others); k++)
        writes_what_one_process_reads(world, others[k], k % n_variants);
}

int main(int argc, char **argv)
{
    struct world world = {.folder = argc > 1 ? argv[1] : "."};
    int n_drivers = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    for (world.driver = CT_RUN_COLLECTIVE; world.driver <= CT_RUN_GATHERED; world.driver++) {
        if (!ct_run_driver_exists(world.driver))
            continue;
        n_drivers++;
        all_kinds_and_spreads(&world);
        failure_of_one_rank_is_that_of_all(&world);
        a_place_that_is_not_there_is_named(&world);
        a_limit_of_one_rank_is_that_of_all(&world);
        for (int i = 2; i < argc; i++)
            a_full_disk_is_reported(&world, argv[i]);
    }
    MPI_Finalize();
    if (world.rank == 0)
        printf("%d ranks, %d drivers: as it should be\n", world.size, n_drivers);
    return 0;
}
