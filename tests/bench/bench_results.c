/*
 * Speed of run files: 10^7 samples written and read, against fwrite and fread of the same bytes in
 * the same run. Both sides flush to disk after writing; both read what the page cache holds.
 *
 *     bench_results [FOLDER [SAMPLES]]
 */
#include "core/clock.h"
#include "core/units.h"
#include "results/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 3 };

static void stop(const char *what)
{
    fprintf(stderr, "bench_results: %s\n", what);
    exit(1);
}

/* Latencies as a probe sees them: a floor, noise, and now and then a queue. */
static void fill(struct ct_run *run)
{
    uint64_t state = 88172645463325252U;
    double t_s = 0;
    for (size_t i = 0; i < run->n_samples; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double u = ((double)(state >> 11) + 0.5) / 9007199254740992.0;
        t_s -= 1e-3 * log(u);
        run->samples[i] = (struct ct_sample){
            .t_s = t_s, .latency_s = 20e-6 - 5e-6 * log1p(-u), .pair = (uint32_t)(state & 3)};
    }
}

/* What is written and read, and how: a row each. */
struct task {
    const char *name;
    void (*write)(const char *path, const struct ct_run *run);
    void (*read)(const char *path, const struct ct_run *run);
};

static void write_raw(const char *path, const struct ct_run *run)
{
    FILE *file = fopen(path, "wb");
    if (!file ||
        fwrite(run->samples, sizeof *run->samples, run->n_samples, file) != run->n_samples ||
        fflush(file) != 0 || fsync(fileno(file)) != 0)
        stop("the raw file cannot be written");
    fclose(file);
}

static void read_raw(const char *path, const struct ct_run *run)
{
    struct ct_sample *samples = malloc(run->n_samples * sizeof *samples);
    FILE *file = fopen(path, "rb");
    if (!file || !samples ||
        fread(samples, sizeof *samples, run->n_samples, file) != run->n_samples ||
        samples[run->n_samples - 1].t_s != run->samples[run->n_samples - 1].t_s)
        stop("the raw file cannot be read");
    fclose(file);
    free(samples);
}

static void write_run(const char *path, const struct ct_run *run, enum ct_run_storage storage)
{
    struct ct_error err;
    if (ct_run_write_stored(path, run, storage, &err) != CT_OK)
        stop(err.text);
}

static void write_plain(const char *path, const struct ct_run *run)
{
    write_run(path, run, CT_RUN_PLAIN);
}

static void write_compressed(const char *path, const struct ct_run *run)
{
    write_run(path, run, CT_RUN_COMPRESSED);
}

static void read_run(const char *path, const struct ct_run *run)
{
    struct ct_error err;
    struct ct_run again;
    if (ct_run_read(path, &again, &err) != CT_OK)
        stop(err.text);
    if (again.n_samples != run->n_samples ||
        again.samples[run->n_samples - 1].t_s != run->samples[run->n_samples - 1].t_s)
        stop("what was read is not what was written");
    ct_run_free(&again);
}

static double best_s(void (*work)(const char *, const struct ct_run *), const char *path,
                     const struct ct_run *run)
{
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        double start_s = ct_clock_now_s();
        work(path, run);
        best = fmin(best, ct_clock_now_s() - start_s);
    }
    return best;
}

int main(int argc, char **argv)
{
    static const struct task tasks[] = {{"fwrite, fread", write_raw, read_raw},
                                        {"run file, plain", write_plain, read_run},
                                        {"run file, compressed", write_compressed, read_run}};
    const char *folder = argc > 1 ? argv[1] : ".";
    uint64_t n = 10000000;
    struct ct_error err;
    if (argc > 2 && ct_parse_u64(argv[2], &n, &err) != CT_OK)
        stop(err.text);
    if (n == 0)
        stop("at least one sample is needed");
    struct ct_pair pairs[4] = {{.rank_a = 0}};
    struct ct_run run = {.info = {.kind = CT_RUN_IMPACT}, .pairs = pairs, .n_pairs = 4};
    run.samples = calloc(n, sizeof *run.samples);
    run.n_samples = n;
    if (!run.samples)
        stop("out of memory");
    fill(&run);
    double bytes = (double)(n * sizeof *run.samples), raw_write_s = NAN, raw_read_s = NAN;
    printf("%llu samples, %.0f MB in memory; best of %d; write includes fsync\n",
           (unsigned long long)n, bytes * 1e-6, ROUNDS);
    printf("%-22s %12s %8s %12s %8s %10s\n", "", "write MB/s", "ratio", "read MB/s", "ratio",
           "file MB");
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
        char path[4096];
        struct stat st;
        snprintf(path, sizeof path, "%s/bench_results.%ld", folder, (long)getpid());
        double write_s = best_s(tasks[t].write, path, &run);
        double read_s = best_s(tasks[t].read, path, &run);
        if (t == 0) {
            raw_write_s = write_s;
            raw_read_s = read_s;
        }
        printf("%-22s %12.0f %8.2f %12.0f %8.2f %10.1f\n", tasks[t].name, bytes * 1e-6 / write_s,
               raw_write_s / write_s, bytes * 1e-6 / read_s, raw_read_s / read_s,
               stat(path, &st) == 0 ? (double)st.st_size * 1e-6 : NAN);
        unlink(path);
    }
    free(run.samples);
    return 0;
}
