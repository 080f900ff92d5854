#include "calibrate/runs/calibration_runs.h"

#include "core/file.h"
#include "results/arrays.h"
#include "results/logp_times.h"

#include <string.h>

static bool is_of(const struct ct_run *run, const struct ct_logp_row *row)
{
    return row->method == CT_LOGP_FAST && row->rank_from == run->logp[0].rank_from &&
           row->rank_to == run->logp[0].rank_to;
}

static enum ct_status add_round_trips(const struct ct_run *run, const struct ct_logp_row *row,
                                      struct ct_measured *measured, struct ct_error *err)
{
    const struct ct_benchmark_output output = {CT_BENCHMARK_ROUND_TRIP, row->bytes};
    const struct ct_logp_size size = {.rank_from = row->rank_from,
                                      .rank_to = row->rank_to,
                                      .bytes = row->bytes,
                                      .rtt_s = row->rtt_s,
                                      .or_s = row->or_s};
    struct ct_logp_times times;
    CT_TRY(ct_logp_times_find(run->repetitions, run->n_repetitions, &size, &times, err));
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < times.n_trips && status == CT_OK; i++)
        status = ct_measured_add(measured, &output, times.rtt_s[i], err);
    ct_logp_times_free(&times);
    return status;
}

static bool is_train(const struct ct_logp_repetition *repetition, const struct ct_logp_row *row)
{
    return repetition->quantity == CT_LOGP_ROUND_TRIP && repetition->messages > 1 &&
           repetition->bytes == row->bytes && repetition->rank_from == row->rank_from &&
           repetition->rank_to == row->rank_to;
}

/* Trains of the length that has most repetitions; of these the longest. */
static uint32_t train_length(const struct ct_run *run, const struct ct_logp_row *row)
{
    uint32_t length = 0;
    size_t most = 1;
    for (size_t i = 0; i < run->n_repetitions; i++) {
        const struct ct_logp_repetition *first = &run->repetitions[i];
        size_t n = 0;
        if (!is_train(first, row) || first->messages == length)
            continue;
        for (size_t j = i; j < run->n_repetitions; j++)
            n += is_train(&run->repetitions[j], row) &&
                 run->repetitions[j].messages == first->messages;
        if (n > most || (n == most && n > 1 && first->messages > length)) {
            most = n;
            length = first->messages;
        }
    }
    return length;
}

static enum ct_status add_throughput(const struct ct_run *run, const struct ct_logp_row *row,
                                     struct ct_measured *measured, struct ct_error *err)
{
    const struct ct_benchmark_output output = {CT_BENCHMARK_THROUGHPUT, row->bytes};
    uint32_t length = row->bytes > 0 ? train_length(run, row) : 0;
    for (size_t i = 0; i < run->n_repetitions && length > 0; i++)
        if (is_train(&run->repetitions[i], row) && run->repetitions[i].messages == length &&
            !(run->repetitions[i].value_s > row->rtt_s))
            return CT_OK;
    for (size_t i = 0; i < run->n_repetitions && length > 0; i++) {
        const struct ct_logp_repetition *repetition = &run->repetitions[i];
        if (is_train(repetition, row) && repetition->messages == length)
            CT_TRY(ct_measured_add(
                measured, &output,
                (double)row->bytes * (length - 1) / (repetition->value_s - row->rtt_s), err));
    }
    return CT_OK;
}

static enum ct_status take_row(const struct ct_run *run, size_t i, struct ct_measured *measured,
                               struct ct_error *err)
{
    const struct ct_logp_row *row = &run->logp[i];
    for (size_t before = 0; before < i; before++)
        if (is_of(run, &run->logp[before]) && run->logp[before].bytes == row->bytes)
            return ct_fail(err, CT_EINVAL, "/logp: size %llu B is there twice, in rows %zu and %zu",
                           (unsigned long long)row->bytes, before, i);
    CT_TRY(add_round_trips(run, row, measured, err));
    return add_throughput(run, row, measured, err);
}

enum ct_status ct_measured_of_run(const struct ct_run *run, struct ct_measured *measured_p,
                                  struct ct_error *err)
{
    struct ct_measured measured = {0};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < run->n_logp && status == CT_OK; i++)
        if (is_of(run, &run->logp[i]))
            status = take_row(run, i, &measured, err);
    if (status == CT_OK && measured.n == 0)
        status =
            ct_fail(err, CT_ENODATA,
                    "no repetitions of the fast method: run logpb without --method saturation");
    if (status != CT_OK) {
        ct_measured_free(&measured);
        return status;
    }
    ct_measured_sort(&measured);
    *measured_p = measured;
    return CT_OK;
}

static enum ct_status open_run(const char *path, struct ct_measured *measured_p,
                               struct ct_error *err)
{
    struct ct_run run;
    CT_TRY(ct_run_read(path, &run, err));
    enum ct_status status = run.info.kind == CT_RUN_LOGP
                                ? ct_measured_of_run(&run, measured_p, err)
                                : ct_fail(err, CT_EFORMAT, "a run of kind %s, not of logpb",
                                          ct_run_kind_text(run.info.kind));
    ct_run_free(&run);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

enum ct_status ct_measured_open(const char *path, struct ct_measured *measured_p,
                                struct ct_error *err)
{
    /* "campaign.h5:0003" is a run in a file. */
    char head[2];
    bool is_run =
        ct_arrays_is_hdf5(path) || (!ct_file_head(path, head, sizeof head) && strrchr(path, ':'));
    return is_run ? open_run(path, measured_p, err) : ct_measured_read(path, measured_p, err);
}
