#include "study/parameters.h"

#include "calibrate/runs/posterior_draws.h"
#include "core/units.h"
#include "simulate/constants.h"
#include "study/constants.h"
#include "study/logp_points.h"
#include "study/path_latencies.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double ct_ns_from_s(double seconds)
{
    double ns = seconds * 1e9, whole = round(ns * 1e6) / 1e6;
    return fabs(whole - ns) <= 8 * DBL_EPSILON * ns ? whole : ns;
}

struct ct_parameters ct_parameters_none(void)
{
    return (struct ct_parameters){.L_s = NAN,
                                  .o_s = NAN,
                                  .G_s_per_byte = NAN,
                                  .g_s = NAN,
                                  .S_bytes = (size_t)ct_simulate_constant(CT_SIMULATE_EAGER_BYTES)};
}

/* ---- given ---- */

static void take_number(double value, const char *name, double *value_p, char *origin)
{
    if (isnan(value))
        return;
    *value_p = value;
    snprintf(origin, CT_ORIGIN_MAX, "--%s", name);
}

static void take_given(const struct ct_parameters_given *given, struct ct_parameters *model)
{
    take_number(given->L_s, "L", &model->L_s, model->L_origin);
    take_number(given->o_s, "o", &model->o_s, model->o_origin);
    take_number(given->G_s_per_byte, "G", &model->G_s_per_byte, model->G_origin);
    if (given->has_S) {
        model->S_bytes = given->S_bytes;
        snprintf(model->S_origin, CT_ORIGIN_MAX, "--S");
    }
}

static enum ct_status demand_given(const struct ct_parameters *model, bool needs_L,
                                   struct ct_error *err)
{
    const struct {
        const char *name;
        bool is_missing;
    } values[] = {{"L", needs_L && isnan(model->L_s)},
                  {"o", isnan(model->o_s)},
                  {"G", isnan(model->G_s_per_byte)}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].is_missing)
            return ct_fail(
                err, CT_EUSAGE,
                "--%s DURATION is missing, or --logp FILE.h5 with a run of logpb; see --help",
                values[i].name);
    return CT_OK;
}

/* ---- measured ---- */

static void take_S(const struct ct_logp_curve *curve, const char *path, struct ct_parameters *model)
{
    const struct ct_loggp_threshold *threshold = &curve->threshold;
    if (*model->S_origin || curve->n == 0)
        return;
    model->S_bytes = ct_logp_curve_eager_bytes(curve);
    if (threshold->found)
        snprintf(model->S_origin, CT_ORIGIN_MAX, "%s: larger %s, confidence %.2g", path,
                 threshold->by_receiver ? "messages wait for their receiver"
                                        : "sends wait for a handshake",
                 threshold->confidence);
    else
        snprintf(model->S_origin, CT_ORIGIN_MAX, "%s: its largest size, no handshake up to there",
                 path);
}

/* Where larger messages take no longer than eager ones, all that were measured count as these. */
static void pass_S(const char *path, struct ct_parameters *model)
{
    if (!model->measured.lacks_handshake || model->S_bytes != model->measured.S_bytes)
        return;
    char waits[CT_UNITS_TEXT_MAX];
    ct_format_size(model->S_bytes, waits);
    model->S_bytes = (size_t)model->measured.largest_bytes;
    snprintf(model->S_origin, CT_ORIGIN_MAX,
             "%.150s: its largest size; sends above %s wait, but no handshake takes time", path,
             waits);
}

static void describe_overheads(const struct ct_loggps_model *measured, const char *path,
                               char *origin)
{
    int n = snprintf(origin, CT_ORIGIN_MAX, "%s: %zu sizes", path, measured->overheads.n);
    if (measured->n_disturbed > 0 && n > 0 && n < CT_ORIGIN_MAX)
        snprintf(origin + n, CT_ORIGIN_MAX - (size_t)n,
                 "; %zu left out, where overheads are longer than the message took",
                 measured->n_disturbed);
}

/* A run file can hold any number. */
static enum ct_status check_measured(const struct ct_loggps_model *measured, const char *path,
                                     struct ct_error *err)
{
    double most_s = fmax(measured->L_s, measured->G_s_per_byte);
    for (size_t i = 0; i < measured->overheads.n; i++)
        most_s = fmax(
            most_s, fmax(measured->overheads.sizes[i].send_s, measured->overheads.sizes[i].recv_s));
    if (!(most_s > CT_MODEL_MAX_S))
        return CT_OK;
    char most[CT_UNITS_TEXT_MAX], limit[CT_UNITS_TEXT_MAX];
    ct_format_duration(most_s, most);
    ct_format_duration(CT_MODEL_MAX_S, limit);
    return ct_fail(err, CT_EINVAL, "%s: a parameter of %s: more than %s", path, most, limit);
}

/* What was not given, by the origins. */
static enum ct_status take_measured(const char *path, bool needs_L, struct ct_parameters *model,
                                    struct ct_error *err)
{
    const struct ct_loggps_model *measured = &model->measured;
    if (needs_L && !*model->L_origin) {
        if (!(measured->L_s >= 0))
            return ct_fail(err, CT_ENODATA,
                           "%s: L comes out as %.4g us: small messages took less than their "
                           "overheads, as on a busy machine; measure again, or give L",
                           path, measured->L_s * 1e6);
        model->L_s = measured->L_s;
        model->L_is_measured = true;
        snprintf(model->L_origin, CT_ORIGIN_MAX, "%s: line through the sizes up to %d B", path,
                 CT_LOGGPS_SMALL_BYTES);
    }
    if (!*model->G_origin) {
        enum ct_status status = ct_loggps_demand_G(&measured->G, err);
        if (status != CT_OK)
            return ct_fail_within(err, status, "%s", path);
        model->G_s_per_byte = measured->G_s_per_byte;
        model->G_is_measured = true;
        snprintf(model->G_origin, CT_ORIGIN_MAX, "%s: round trip of its largest message, %llu B",
                 path, (unsigned long long)measured->largest_bytes);
    }
    if (!*model->o_origin)
        describe_overheads(measured, path, model->o_origin);
    return CT_OK;
}

/* The first measured pair of nodes with the fewest switches between them: where classes of paths
 * were measured, the first rows may be of two ranks of one node. 0: there are no classes. */
static size_t first_between(const struct ct_run *run)
{
    size_t first = 0;
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < run->n_logp && run->n_paths > 0; i++) {
        const struct ct_logp_row *row = &run->logp[i];
        if (i > 0 && row[-1].rank_from == row->rank_from && row[-1].rank_to == row->rank_to)
            continue;
        uint32_t switches = ct_logp_row_switches(run, row);
        if (switches > 0 && switches < least) {
            least = switches;
            first = i;
        }
    }
    return first;
}

/* "FILE: 1.01us over 1 switch, 2.02us over 3" */
static void describe_paths(const char *path, const char *by, struct ct_parameters *model)
{
    const struct ct_path_latencies *paths = &model->paths;
    char L[CT_UNITS_TEXT_MAX];
    size_t used = (size_t)snprintf(model->L_origin, CT_ORIGIN_MAX, "%.100s%s:", path, by);
    for (uint32_t i = 0; i < paths->n && used < CT_ORIGIN_MAX - 48; i++) {
        ct_format_words(model->L_s + paths->beyond_ns[i] * 1e-9, 3, L);
        used += (size_t)snprintf(model->L_origin + used, CT_ORIGIN_MAX - used, "%s %.20s over %u%s",
                                 i > 0 ? "," : "", L, paths->switches[i],
                                 i > 0                     ? ""
                                 : paths->switches[i] == 1 ? " switch"
                                                           : " switches");
    }
}

static enum ct_status read_curve(const char *path, struct ct_logp_curve *curve_p,
                                 struct ct_path_latencies *paths_p, struct ct_error *err)
{
    struct ct_run run;
    CT_TRY(ct_run_read(path, &run, err));
    enum ct_status status = CT_OK;
    if (run.info.kind != CT_RUN_LOGP)
        status = ct_fail(err, CT_EINVAL, "%s: a run of kind %s; logpb makes runs of kind %s", path,
                         ct_run_kind_text(run.info.kind), ct_run_kind_text(CT_RUN_LOGP));
    if (status == CT_OK) {
        struct ct_run between = run;
        size_t first = first_between(&run);
        between.logp += first;
        between.n_logp -= first;
        status = ct_logp_curve_take(&between, curve_p, err);
        if (status == CT_OK && paths_p)
            status = ct_path_latencies_take(&run, paths_p, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "%s", path);
    }
    ct_run_free(&run);
    return status;
}

enum ct_status ct_parameters_measure(const char *path, bool needs_L, struct ct_parameters *model,
                                     struct ct_error *err)
{
    struct ct_logp_curve curve;
    struct ct_path_latencies paths = {.n = 0};
    CT_TRY(read_curve(path, &curve, &paths, err));
    bool has_S = *model->S_origin;
    take_S(&curve, path, model);
    enum ct_status status =
        ct_loggps_model_derive(curve.points, curve.n, model->S_bytes, &model->measured, err);
    model->g_s = ct_loggp_gap_of_one(curve.points, curve.n).value;
    ct_logp_curve_free(&curve);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", path);
    if (!has_S)
        pass_S(path, model);
    status = check_measured(&model->measured, path, err);
    if (status == CT_OK)
        status = take_measured(path, needs_L, model, err);
    if (status == CT_OK && model->L_is_measured && paths.n > 1 && needs_L) {
        for (uint32_t i = 0; i < paths.n && !model->G_is_measured; i++)
            paths.beyond_ns_per_byte[i] = 0; /* a G that is given is that of all paths */
        model->paths = paths;
        describe_paths(path, "", model);
    }
    return status;
}

enum ct_status ct_parameters_take_probes(const char *logp_path, const struct ct_run_list *list,
                                         struct ct_parameters *model, struct ct_error *err)
{
    struct ct_run_info info;
    if (!model->L_is_measured || model->paths.n > 1)
        return CT_OK;
    CT_TRY(ct_run_read_info(logp_path, &info, err));
    enum ct_status status = ct_path_latencies_of_probes(list, info.hosts, &model->paths, err);
    if (model->paths.n > 1)
        describe_paths(logp_path, " and the idle probe", model);
    ct_run_info_free(&info);
    return status;
}

/* ---- of a posterior ---- */

/* Where a posterior has a value that is not given. */
static bool takes_posterior(const struct ct_stack_parameters *at, size_t key, const char *path,
                            char *origin)
{
    if (*origin || !ct_stack_is_given(at, key))
        return false;
    snprintf(origin, CT_ORIGIN_MAX, "%s: most likely value", path);
    return true;
}

static void take_likely(const struct ct_stack_parameters *at, const char *path, bool needs_L,
                        struct ct_parameters *model)
{
    if (needs_L && takes_posterior(at, CT_STACK_KEY_L, path, model->L_origin)) {
        model->L_s = at->L_s;
        model->L_is_measured = true;
    }
    if (takes_posterior(at, CT_STACK_KEY_o, path, model->o_origin)) {
        model->o_s = at->o_s;
        model->o_is_drawn = true;
    }
    if (takes_posterior(at, CT_STACK_KEY_G, path, model->G_origin)) {
        model->G_s_per_byte = at->G_s_per_byte;
        model->G_is_measured = true;
    }
    if (takes_posterior(at, CT_STACK_KEY_S, path, model->S_origin))
        model->S_bytes = at->S_bytes;
}

/*
 * Take what is not given from a posterior of LogGPS: the most likely values.
 * @param needs_L  [in]     whether L is needed
 * @param model    [in,out] ct_parameters_free() is due even on error
 * @return CT_OK; CT_EINVAL (a posterior of other protocols); what ct_posterior_draws_read() returns
 */
static enum ct_status take_posterior(const char *path, bool needs_L, struct ct_parameters *model,
                                     struct ct_error *err)
{
    struct ct_posterior_draws *posterior = malloc(sizeof *posterior);
    if (!posterior)
        return ct_no_memory(err, "%s", path);
    enum ct_status status = ct_posterior_draws_read(path, posterior, err);
    if (status != CT_OK) {
        free(posterior);
        return status;
    }
    model->posterior = posterior;
    const struct ct_stack_parameters at =
        ct_unknowns_at(&posterior->unknowns, posterior->most_likely);
    if (at.family == CT_STACK_RDMA)
        return ct_fail(err, CT_EINVAL,
                       "%s: a posterior of the protocols %s: L, o and G are needed; calibrate with "
                       "'protocols: loggps' in --parameters, or use crosstalk simulate",
                       path, ct_stack_family_names[at.family]);
    take_likely(&at, path, needs_L, model);
    return CT_OK;
}

/* ---- replicates ---- */

static enum ct_status copy_overheads(const struct ct_overheads *overheads,
                                     struct ct_overheads *copy, struct ct_error *err)
{
    size_t size = overheads->n * sizeof *overheads->sizes;
    copy->sizes = malloc(size + 1);
    if (!copy->sizes)
        return ct_no_memory(err, "replicates");
    if (size > 0)
        memcpy(copy->sizes, overheads->sizes, size);
    copy->n = overheads->n;
    return CT_OK;
}

/* Copies of what was measured once, for draws of the others. */
static enum ct_status make_replicates(struct ct_parameters *model, struct ct_error *err)
{
    size_t n = ct_study_count(CT_STUDY_POSTERIOR_DRAWS);
    struct ct_loggps_replicates *replicates = &model->replicates;
    replicates->models = calloc(n, sizeof *replicates->models);
    if (!replicates->models)
        return ct_no_memory(err, "replicates");
    replicates->n = n;
    for (size_t r = 0; r < n; r++) {
        struct ct_loggps_model *drawn = &replicates->models[r];
        drawn->L_s = model->measured.L_s;
        drawn->G_s_per_byte = model->measured.G_s_per_byte;
        CT_TRY(copy_overheads(&model->measured.overheads, &drawn->overheads, err));
    }
    return CT_OK;
}

static struct ct_stack_parameters posterior_at(const struct ct_parameters *model, size_t r)
{
    const struct ct_posterior_draws *posterior = model->posterior;
    return r == SIZE_MAX ? ct_unknowns_at(&posterior->unknowns, posterior->most_likely)
                         : ct_posterior_draw(posterior, r, model->replicates.n);
}

enum ct_status ct_parameters_draw(struct ct_parameters *model, struct ct_error *err)
{
    struct ct_loggps_replicates *replicates = &model->replicates;
    if (!model->posterior)
        return CT_OK;
    enum ct_status status = replicates->n == 0 ? make_replicates(model, err) : CT_OK;
    replicates->level = model->posterior->level;
    for (size_t r = 0; r < replicates->n && status == CT_OK; r++) {
        const struct ct_stack_parameters at = posterior_at(model, r);
        struct ct_loggps_model *drawn = &replicates->models[r];
        if (ct_stack_is_given(&at, CT_STACK_KEY_L))
            drawn->L_s = at.L_s;
        if (ct_stack_is_given(&at, CT_STACK_KEY_o))
            drawn->o_s = at.o_s;
        if (ct_stack_is_given(&at, CT_STACK_KEY_G))
            drawn->G_s_per_byte = at.G_s_per_byte;
    }
    return status;
}

enum ct_status ct_parameters_check_options(const struct ct_parameters *model, uint32_t options,
                                           const char *path, struct ct_error *err)
{
    if (!model->posterior)
        return CT_OK;
    const struct ct_stack_parameters at = posterior_at(model, SIZE_MAX);
    return ct_stack_check_options(&at, options, path, err);
}

bool ct_parameters_has_queues(const struct ct_parameters *model)
{
    if (!model->posterior || model->posterior->network != CT_NETWORK_PACKET)
        return false;
    const struct ct_stack_parameters at = posterior_at(model, SIZE_MAX);
    return ct_stack_is_given(&at, CT_STACK_KEY_QUEUE) ||
           ct_stack_is_given(&at, CT_STACK_KEY_BURST) || ct_stack_is_given(&at, CT_STACK_KEY_AHEAD);
}

void ct_parameters_queues(const struct ct_parameters *model, size_t r,
                          struct ct_port_queues *queues)
{
    if (!ct_parameters_has_queues(model))
        return;
    const struct ct_stack_parameters at = posterior_at(model, r);
    struct ct_simulate_network_setup setup = {.queues = *queues};
    ct_stack_set_network(&at, &setup);
    *queues = setup.queues;
}

/* What classes of paths have beyond the link that L is of. */
static enum ct_status draw_paths(const char *path, struct ct_parameters *model,
                                 struct ct_error *err)
{
    struct ct_run run;
    CT_TRY(ct_run_read(path, &run, err));
    enum ct_status status =
        ct_path_latencies_draw(&run, &model->replicates, &model->drawn_paths, err);
    ct_run_free(&run);
    for (size_t r = 0; r < model->replicates.n && model->drawn_paths && !model->G_is_measured; r++)
        memset(model->drawn_paths[r].beyond_ns_per_byte, 0,
               sizeof model->drawn_paths[r].beyond_ns_per_byte);
    return status;
}

enum ct_status ct_parameters_resample(const char *path, struct ct_parameters *model,
                                      struct ct_error *err)
{
    struct ct_logp_curve curve;
    CT_TRY(read_curve(path, &curve, NULL, err));
    ct_loggps_replicates_free(&model->replicates);
    free(model->drawn_paths);
    model->drawn_paths = NULL;
    enum ct_status status =
        ct_loggps_resample(curve.points, curve.samples, curve.n, model->measured.S_bytes,
                           &curve.resampling, &model->replicates, err);
    ct_logp_curve_free(&curve);
    return status == CT_OK && model->paths.n > 1 ? draw_paths(path, model, err) : status;
}

void ct_parameters_bound_G(double rate_bit_per_s, struct ct_parameters *model)
{
    char measured[CT_ORIGIN_MAX], rate[CT_UNITS_TEXT_MAX];
    double least_s = 8 / rate_bit_per_s;
    if (!model->G_is_measured || model->posterior)
        return;
    model->G_least_s_per_byte = least_s;
    if (model->G_s_per_byte >= least_s)
        return;
    ct_format_rate(rate_bit_per_s, rate);
    snprintf(measured, sizeof measured, "%s", model->G_origin);
    snprintf(model->G_origin, sizeof model->G_origin, "rate of a link, %s; %.4g ns by %.160s", rate,
             ct_ns_from_s(model->G_s_per_byte), measured);
    model->G_s_per_byte = least_s;
}

struct ct_parameters ct_parameters_replicate(const struct ct_parameters *model, size_t r)
{
    struct ct_parameters drawn = *model;
    drawn.measured = model->replicates.models[r];
    if (model->L_is_measured)
        drawn.L_s = drawn.measured.L_s > 0 ? drawn.measured.L_s : 0;
    if (model->G_is_measured && !isnan(drawn.measured.G_s_per_byte))
        drawn.G_s_per_byte = fmax(model->G_least_s_per_byte, drawn.measured.G_s_per_byte);
    if (model->o_is_drawn)
        drawn.o_s = drawn.measured.o_s;
    if (model->drawn_paths)
        drawn.paths = model->drawn_paths[r];
    return drawn;
}

enum ct_status ct_parameters_make(const struct ct_parameters_given *given, bool needs_L,
                                  struct ct_parameters *model_p, struct ct_error *err)
{
    struct ct_parameters model = ct_parameters_none();
    enum ct_status status = CT_OK;
    take_given(given, &model);
    if (given->posterior_path)
        status = take_posterior(given->posterior_path, needs_L, &model, err);
    if (status == CT_OK)
        status = given->logp_path ? ct_parameters_measure(given->logp_path, needs_L, &model, err)
                                  : demand_given(&model, needs_L, err);
    if (status != CT_OK) {
        ct_parameters_free(&model);
        return status;
    }
    model.between_s = given->g.is_measured ? model.g_s : given->g.s;
    if (isnan(model.between_s)) {
        ct_parameters_free(&model);
        return ct_fail(err, CT_ENODATA, "--g measured: %s; give a duration",
                       given->logp_path ? "the run of --logp has no time between messages of 1 byte"
                                        : "it needs --logp, a run of logpb");
    }
    if (!*model.S_origin)
        snprintf(model.S_origin, sizeof model.S_origin, "default");
    *model_p = model;
    return CT_OK;
}

void ct_parameters_free(struct ct_parameters *model)
{
    ct_loggps_model_free(&model->measured);
    ct_loggps_replicates_free(&model->replicates);
    free(model->drawn_paths);
    if (model->posterior)
        ct_posterior_draws_free(model->posterior);
    free(model->posterior);
}

struct ct_interval ct_parameters_L_interval(const struct ct_parameters *model)
{
    return model->L_is_measured ? ct_loggps_L_interval(&model->replicates)
                                : (struct ct_interval){NAN, NAN};
}

struct ct_interval ct_parameters_G_interval(const struct ct_parameters *model)
{
    struct ct_interval interval = {NAN, NAN};
    if (model->G_is_measured)
        interval = ct_loggps_G_interval(&model->replicates);
    if (!isnan(interval.lo) && !isnan(interval.hi)) {
        interval.lo = fmax(interval.lo, model->G_least_s_per_byte);
        interval.hi = fmax(interval.hi, model->G_least_s_per_byte);
    }
    return interval;
}

bool ct_parameters_is_measured(const struct ct_parameters *model)
{
    return model->measured.overheads.n > 0 &&
           (isnan(model->o_s) || model->L_is_measured || model->G_is_measured);
}

const struct ct_overheads *ct_parameters_overheads(const struct ct_parameters *model)
{
    return isnan(model->o_s) ? &model->measured.overheads : NULL;
}

const struct ct_gaps *ct_parameters_gaps(const struct ct_parameters *model)
{
    bool is_measured = model->G_is_measured && model->L_is_measured && isnan(model->o_s);
    return is_measured && !model->posterior && model->measured.gaps.n > 0 ? &model->measured.gaps
                                                                          : NULL;
}

struct ct_loggps ct_parameters_at(const struct ct_parameters *model, double L_s)
{
    return (struct ct_loggps){.o_ns = isnan(model->o_s) ? 0 : ct_ns_from_s(model->o_s),
                              .L_ns = ct_ns_from_s(L_s),
                              .G_ns_per_byte = ct_ns_from_s(model->G_s_per_byte)};
}
