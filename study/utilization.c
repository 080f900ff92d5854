#include "study/utilization.h"

#include "results/network_settings.h"
#include "study/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The two runs. */
struct probed {
    struct ct_samples idle_s, loaded_s;
};

/* Loads beside each other that others own. */
static enum ct_status analyse_runs(const struct ct_utilization_settings *settings,
                                   const struct probed *probed,
                                   struct ct_utilization_answer *answer, struct ct_error *err)
{
    const struct ct_measurements *taught = &answer->calibration.measured;
    struct ct_measurements borrowed = {.n_apps = 1, .n_configs = taught->n_configs};
    borrowed.loads = calloc(ct_measured_n_loads(&borrowed), sizeof *borrowed.loads);
    char *name = strdup(settings->loaded_path);
    enum ct_status status = CT_OK;
    if (!borrowed.loads || !name)
        status = ct_no_memory(err, "%zu configurations", taught->n_configs);
    if (status == CT_OK) {
        borrowed.loads[0] = (struct ct_measured_load){
            .latency_s = probed->idle_s, .true_frac = NAN, .known_frac = NAN};
        borrowed.loads[1] = (struct ct_measured_load){
            .name = name, .latency_s = probed->loaded_s, .true_frac = NAN, .known_frac = NAN};
        for (size_t c = 0; c < taught->n_configs; c++) {
            struct ct_measured_load *load = &borrowed.loads[ct_load_of_config(1, c)];
            *load = *ct_measured_config(taught, c);
            load->passes_s = NULL;
        }
        const struct ct_predict_input input = {.measured = &borrowed};
        status = ct_predict_analyse(&input, &settings->setup, &answer->analysis, err);
    }
    free(borrowed.loads);
    free(name);
    return status;
}

static enum ct_status load_calibration(const struct ct_utilization_settings *settings,
                                       struct ct_utilization_answer *answer, struct ct_error *err)
{
    const char *path = settings->calibration_path;
    answer->taught_latency_s = NAN;
    if (!path)
        return CT_OK;
    CT_TRY(ct_study_load(path, NULL, &answer->calibration, err));
    ct_stats_quantile_of(ct_samples_values(&answer->calibration.measured.loads[0].latency_s), 0.5,
                         &answer->taught_latency_s);
    if (isnan(settings->link_bit_per_s))
        return CT_OK;
    enum ct_status status = ct_study_set_rate(&answer->calibration, settings->link_bit_per_s, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

static enum ct_status estimate_load(const struct ct_utilization_settings *settings,
                                    const struct probed *probed,
                                    struct ct_utilization_answer *answer, struct ct_error *err)
{
    answer->n_idle = probed->idle_s.n;
    answer->n_loaded = probed->loaded_s.n;
    enum ct_status status =
        ct_queue_estimate(ct_samples_values(&probed->idle_s), ct_samples_values(&probed->loaded_s),
                          &settings->setup, &answer->pk, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--idle %s --loaded %s", settings->idle_path,
                              settings->loaded_path);
    CT_TRY(load_calibration(settings, answer, err));
    CT_TRY(analyse_runs(settings, probed, answer, err));
    if (settings->calibration_path && answer->analysis.delay.n == 0)
        CT_TRY(ct_study_fail_within(
            &answer->calibration,
            ct_fail(err, CT_ENODATA,
                    "--calibration %s: no configuration that was probed and whose load is "
                    "known, by the switch's counters or by --link-rate and recorded "
                    "compressionb runs",
                    settings->calibration_path),
            err));
    return CT_OK;
}

enum ct_status ct_utilization_estimate(const struct ct_utilization_settings *settings,
                                       struct ct_utilization_answer *answer_p, struct ct_error *err)
{
    struct probed probed = {0};
    struct ct_utilization_answer answer = {0};
    enum ct_status status = ct_samples_read_probe(settings->idle_path, &probed.idle_s, NULL, err);
    if (status == CT_OK)
        status = ct_samples_read_probe(settings->loaded_path, &probed.loaded_s, NULL, err);
    if (status == CT_OK)
        status = estimate_load(settings, &probed, &answer, err);
    if (status == CT_OK)
        status = ct_network_settings_compare_files(settings->idle_path, settings->loaded_path,
                                                   &answer.differences, err);
    ct_samples_free(&probed.idle_s);
    ct_samples_free(&probed.loaded_s);
    if (status == CT_OK)
        *answer_p = answer;
    else
        ct_utilization_free(&answer);
    return status;
}

void ct_utilization_free(struct ct_utilization_answer *answer)
{
    ct_predict_analysis_free(&answer->analysis);
    ct_study_free(&answer->calibration);
    ct_argv_free(&answer->differences);
}
