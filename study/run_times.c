#include "study/run_times.h"

#include <math.h>
#include <stdlib.h>

/* Alone, and beside others from how much longer that is, and how much more of it ranks wait. */
static void measure_times(const struct ct_study *study, struct ct_run_time *time)
{
    const struct ct_samples passes_s = ct_measured_passes(&study->measured, time->app, 0);
    double alone_s = passes_s.x ? ct_samples_mean(passes_s.x, passes_s.n) : NAN;
    double waited_s =
        passes_s.watched_s > 0 ? passes_s.waited_s / passes_s.watched_s * alone_s : NAN;
    time->measured_s = alone_s;
    if (time->beside) {
        time->measured_s *= 1 + time->beside->measured.frac;
        waited_s += time->beside->processors_frac * alone_s;
    }
    time->waited_frac = waited_s / time->measured_s;
}

/* The models keep what they have simulated: a slowdown that was predicted costs nothing here. */
static enum ct_status simulate_times(struct ct_simulation *simulation,
                                     const struct ct_question *beside, size_t app, double *time_s_p,
                                     struct ct_error *err)
{
    const struct ct_predict_joint_response response = ct_simulation_response(simulation);
    struct ct_joint_slowdown slowdown = {0, NAN};
    double alone_s;
    CT_TRY(ct_simulation_alone(simulation, app, &alone_s, err));
    if (beside) {
        size_t loads[CT_SIMULATE_JOBS_MAX];
        size_t n = beside->n_with < CT_SIMULATE_JOBS_MAX ? beside->n_with : 0;
        for (size_t i = 0; i < n; i++)
            loads[i] = ct_load_of_app(beside->with[i]);
        CT_TRY(response.slowdown(response.model, app, loads, n, &slowdown, err));
    }
    *time_s_p = alone_s * (1 + slowdown.frac);
    return CT_OK;
}

static enum ct_status find_time(const struct ct_study *study, const struct ct_schedules *schedules,
                                struct ct_run_time *time, struct ct_error *err)
{
    measure_times(study, time);
    time->simulated_s = NAN;
    return schedules->simulation ? simulate_times(schedules->simulation, time->beside, time->app,
                                                  &time->simulated_s, err)
                                 : CT_OK;
}

enum ct_status ct_run_times(const struct ct_study *study, const struct ct_schedules *schedules,
                            const struct ct_questions *questions, struct ct_run_time **times_p,
                            struct ct_error *err)
{
    size_t n_apps = study->measured.n_apps, n = n_apps + questions->n;
    struct ct_run_time *times = malloc((n + 1) * sizeof *times);
    if (!times)
        return ct_no_memory(err, "run times");
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        const struct ct_question *beside = i < n_apps ? NULL : &questions->items[i - n_apps];
        times[i] = (struct ct_run_time){.app = beside ? beside->app : i, .beside = beside};
        status = find_time(study, schedules, &times[i], err);
    }
    if (status == CT_OK)
        *times_p = times;
    else
        free(times);
    return status;
}

double ct_run_time_error(const struct ct_run_time *time)
{
    return time->simulated_s / time->measured_s - 1;
}

struct ct_run_time_errors ct_run_time_errors(const struct ct_run_time *times, size_t n,
                                             bool together)
{
    struct ct_run_time_errors errors = {0, NAN, NAN, NAN};
    double sum = 0, squares = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        double error_frac = ct_run_time_error(&times[i]);
        if ((times[i].beside != NULL) != together || isnan(error_frac))
            continue;
        errors.n++;
        sum += error_frac;
        squares += error_frac * error_frac;
        largest = fmax(largest, fabs(error_frac));
    }
    if (errors.n > 0)
        errors = (struct ct_run_time_errors){errors.n, sum / (double)errors.n,
                                             sqrt(squares / (double)errors.n), largest};
    return errors;
}
