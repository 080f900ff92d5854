#include "bench/workloads/workload.h"
#include "core/array.h"

#include <math.h>
#include <stdlib.h>

/* Words of a message that a timed iteration looks at: enough to see misplaced data at once, too few
 * to cost time next to sending them. */
enum { SAMPLED_CHECKS = 32 };

void ct_workload_compute(struct ct_workload_run *run, double share)
{
    double until_s = ct_clock_now_s() + share * run->compute_s;
    while (ct_clock_now_s() < until_s) /* a signal ends a sleep early; the pass stays whole */
        if (run->spin)
            ct_clock_spin(until_s);
        else
            ct_clock_sleep_until(until_s);
}

void ct_workload_check(struct ct_workload_run *run, int sender, const struct ct_region *region,
                       uint64_t stamp, const uint64_t *words)
{
    struct ct_region_mismatch mismatch;
    if (ct_region_check(region, stamp, words, run->max_checks, &mismatch) || run->status != CT_OK)
        return;
    run->status =
        ct_fail(&run->error, CT_EIO,
                "iteration %llu: message from rank %d to rank %d: word %zu of %zu is %016llx, not "
                "%016llx: the network or the MPI library changed or lost data",
                (unsigned long long)run->iteration, sender, run->rank, mismatch.index,
                ct_region_words(region), (unsigned long long)mismatch.found,
                (unsigned long long)mismatch.expected);
}

double ct_workload_reduce(struct ct_workload_run *run, double mine, MPI_Op op)
{
    double all;
    ct_workload_mpi_begin(run);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, op, run->comm);
    ct_workload_mpi_end(run);
    ct_profile_reduced(&run->profile);
    return all;
}

void ct_workload_reduce_checked(struct ct_workload_run *run, double mine, MPI_Op op,
                                double expected)
{
    double all = ct_workload_reduce(run, mine, op);
    if (all != expected && run->status == CT_OK)
        run->status = ct_fail(&run->error, CT_EIO,
                              "iteration %llu: a reduction over all ranks is %.17g on rank %d, not "
                              "%.17g: the network or the MPI library changed or lost data",
                              (unsigned long long)run->iteration, all, run->rank, expected);
}

size_t ct_workload_scaled(size_t size, double scale, double power)
{
    double scaled = round((double)size * pow(scale, power));
    return scaled < 1 ? 1 : (size_t)scaled;
}

enum ct_status ct_workload_dilation(double *factor_p, struct ct_error *err)
{
    const char *text = getenv(CT_CLOCK_DILATION_VARIABLE);
    char *end;
    *factor_p = 0;
    if (!text)
        return CT_OK;
    double factor = strtod(text, &end);
    if (end == text || *end || !(factor >= 1 && factor <= 1e9))
        return ct_fail(err, CT_EINVAL,
                       CT_CLOCK_DILATION_VARIABLE "=%.40s: not a factor of 1 to 1e9", text);
    *factor_p = factor;
    return CT_OK;
}

static void run_iterations(const struct ct_workload *workload, void *state, uint64_t iterations,
                           size_t max_checks, struct ct_workload_run *run)
{
    run->max_checks = max_checks;
    for (uint64_t i = 0; i < iterations; i++) {
        ct_workload_phase(run, 0);
        workload->iterate(state, run);
        run->iteration++;
    }
}

/* Room for one more row before the clock runs. */
static enum ct_status reserve_row(struct ct_workload_passes *passes, struct ct_error *err)
{
    if (!CT_ARRAY_RESERVE(passes->rows, passes->capacity, passes->n + 1))
        return ct_fail(err, CT_ENOMEM, "no memory for the times of %zu passes", passes->n + 1);
    return CT_OK;
}

/* One reduction ends a pass: it agrees on how long the slowest rank took and on whether to go on,
 * and its end is the common start of the next pass. */
struct verdict {
    double duration_s, stop, failed;
};
enum { VERDICT_NUMBERS = sizeof(struct verdict) / sizeof(double) };

static struct verdict end_pass(const struct ct_bench *bench, const struct ct_workload_plan *plan,
                               const struct ct_workload_run *run, double start_s)
{
    double now_s = ct_clock_now_s();
    bool stop = !plan->loop || ct_bench_signalled() || now_s - bench->start_s >= plan->time_s;
    const struct verdict here = {
        .duration_s = now_s - start_s, .stop = stop, .failed = run->status != CT_OK};
    struct verdict all;
    MPI_Allreduce(&here, &all, VERDICT_NUMBERS, MPI_DOUBLE, MPI_MAX, run->comm);
    return all;
}

static void show_progress(struct ct_bench *bench, const struct ct_workload_plan *plan, size_t n)
{
    double elapsed_s = ct_clock_now_s() - bench->start_s;
    char what[64];
    snprintf(what, sizeof what, "pass %zu done", n);
    ct_log_progress(&bench->log, elapsed_s, plan->time_s, plan->time_s - elapsed_s, what);
}

enum ct_status ct_workload_repeat(struct ct_bench *bench, const struct ct_workload *workload,
                                  void *state, const struct ct_workload_plan *plan,
                                  struct ct_workload_run *run, struct ct_workload_passes *passes_p,
                                  struct ct_error *err)
{
    *passes_p = (struct ct_workload_passes){0};
    run_iterations(workload, state, 1, SIZE_MAX, run); /* connects the ranks, too */
    MPI_Barrier(run->comm);
    struct verdict verdict;
    do {
        if (run->rank == 0 && run->status == CT_OK)
            run->status = reserve_row(passes_p, &run->error);
        double start_s = ct_clock_now_s();
        ct_profile_start(&run->profile, start_s);
        run_iterations(workload, state, plan->iterations, SAMPLED_CHECKS, run);
        ct_profile_stop(&run->profile, ct_clock_now_s());
        verdict = end_pass(bench, plan, run, start_s);
        passes_p->total_s += verdict.duration_s;
        if (run->rank == 0 && run->status == CT_OK)
            passes_p->rows[passes_p->n++] =
                (struct ct_runtime){start_s - bench->start_s, verdict.duration_s};
        if (run->rank == 0 && verdict.stop == 0)
            show_progress(bench, plan, passes_p->n);
    } while (verdict.stop == 0 && verdict.failed == 0);
    if (verdict.failed == 0)
        run_iterations(workload, state, 1, SIZE_MAX, run);
    if (run->status != CT_OK)
        *err = run->error;
    return ct_bench_agree(bench, run->status, err);
}
