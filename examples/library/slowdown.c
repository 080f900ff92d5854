/*
 * How much do a campaign's applications slow each other, and how much latency does one tolerate?
 *
 *     slowdown CAMPAIGN [SCHEDULE LOGP.h5]
 *
 * CAMPAIGN is a folder of runs or a packed campaign, SCHEDULE a GOAL file or a folder of traces,
 * LOGP.h5 a run of logpb. Build it with CMake (see CMakeLists.txt beside it), or
 *
 *     cc slowdown.c -o slowdown $(pkg-config --cflags --libs crosstalk)
 */
#include <crosstalk.h>
#include <stdio.h>
#include <stdlib.h>

static const char model[] = "queue";

static int fail(const struct crosstalk_error *error)
{
    fprintf(stderr, "slowdown: %s\n", error->text);
    return 1;
}

static int print_answers(struct crosstalk_campaign *campaign,
                         const struct crosstalk_question *questions,
                         const struct crosstalk_prediction *predicted, size_t n)
{
    struct crosstalk_error error;
    double measured_frac;
    printf("app beside measured %s from to\n", model);
    for (size_t i = 0; i < n; i++) {
        const struct crosstalk_question *asked = &questions[i];
        if (crosstalk_campaign_measured(campaign, asked->app, asked->with, 1, &measured_frac,
                                        &error))
            return fail(&error);
        printf("%s %s %.17g %.17g %.17g %.17g %s\n", crosstalk_campaign_app(campaign, asked->app),
               crosstalk_campaign_app(campaign, *asked->with), measured_frac,
               predicted[i].slowdown_frac, predicted[i].lo_frac, predicted[i].hi_frac,
               predicted[i].note);
    }
    return 0;
}

/* Every application beside every one. All in one call: what intervals are drawn from is made once.
 */
static int print_pairs(struct crosstalk_campaign *campaign)
{
    struct crosstalk_error error;
    size_t n_apps = crosstalk_campaign_app_count(campaign), n = n_apps * n_apps;
    size_t *with = calloc(n_apps, sizeof *with);
    struct crosstalk_question *questions = calloc(n, sizeof *questions);
    struct crosstalk_prediction *predicted = calloc(n, sizeof *predicted);
    int code = 1;
    if (with && questions && predicted) {
        for (size_t i = 0; i < n; i++) {
            with[i % n_apps] = i % n_apps;
            questions[i] = (struct crosstalk_question){model, i / n_apps, &with[i % n_apps], 1};
        }
        code = crosstalk_campaign_predict(campaign, questions, n, 0.9, predicted, &error)
                   ? fail(&error)
                   : print_answers(campaign, questions, predicted, n);
    }
    free(with);
    free(questions);
    free(predicted);
    return code;
}

static int print_slowdowns(const char *path)
{
    struct crosstalk_error error;
    struct crosstalk_campaign_setup setup;
    struct crosstalk_campaign *campaign;
    crosstalk_campaign_setup_init(&setup);
    setup.seed = 1;
    if (crosstalk_campaign_open(path, &setup, &campaign, &error))
        return fail(&error);
    for (size_t i = 0; i < crosstalk_campaign_note_count(campaign); i++)
        fprintf(stderr, "slowdown: note: %s\n", crosstalk_campaign_note(campaign, i));
    int code = print_pairs(campaign);
    crosstalk_campaign_close(campaign);
    return code;
}

/* The latencies at which the program takes 1, 2 and 5 % longer, and how often its path changes. */
static int print_tolerance(const struct crosstalk_curve *curve)
{
    static const double longer_frac[] = {0.01, 0.02, 0.05};
    double L_max_s[3];
    struct crosstalk_error error;
    struct crosstalk_parameters used;
    struct crosstalk_point point;
    struct crosstalk_piece *pieces;
    size_t n;
    crosstalk_curve_parameters(curve, &used);
    if (crosstalk_curve_at(curve, used.L_s, &point, &error) ||
        crosstalk_curve_tolerance(curve, used.L_s, longer_frac, 3, L_max_s, &error) ||
        crosstalk_curve_pieces(curve, used.L_s, 10 * used.L_s + 1e-9, &pieces, &n, &error))
        return fail(&error);
    printf("runtime_s %.17g\nL_s %.17g\nlambda_L %.17g\nlambda_G %.17g\n", point.runtime_s,
           used.L_s, point.lambda_L, point.lambda_G);
    for (int i = 0; i < 3; i++)
        printf("tolerance %g %.17g\n", longer_frac[i], L_max_s[i]);
    for (size_t i = 1; i < n; i++)
        printf("critical %.17g\n", pieces[i].L_lo_s);
    crosstalk_free(pieces);
    return 0;
}

static int print_schedule(const char *path, const char *logp_path)
{
    struct crosstalk_error error;
    struct crosstalk_schedule *schedule;
    struct crosstalk_parameters parameters;
    struct crosstalk_curve *curve;
    crosstalk_parameters_init(&parameters);
    parameters.logp_path = logp_path;
    parameters.serialize_nic = true;
    if (crosstalk_schedule_open(path, NULL, &schedule, &error))
        return fail(&error);
    if (crosstalk_curve_new(schedule, &parameters, &curve, &error)) {
        crosstalk_schedule_close(schedule);
        return fail(&error);
    }
    crosstalk_schedule_close(schedule);
    int code = print_tolerance(curve);
    crosstalk_curve_close(curve);
    return code;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: slowdown CAMPAIGN [SCHEDULE LOGP.h5]\n");
        return 2;
    }
    int code = print_slowdowns(argv[1]);
    if (code == 0 && argc == 4)
        code = print_schedule(argv[2], argv[3]);
    return code;
}
