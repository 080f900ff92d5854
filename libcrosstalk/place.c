/* Ranks on nodes: how often each pair of nodes counts, and where ranks run best. */
#include "libcrosstalk/network.h"
#include "libcrosstalk/parameters.h"
#include "libcrosstalk/schedule.h"
#include "lp-bridge/place/compare.h"
#include "lp-bridge/place/network.h"
#include "study/pair_parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum ct_status build_graph(const struct crosstalk_schedule *schedule,
                                  const struct crosstalk_parameters *given,
                                  const struct ct_parameters *model, bool peers,
                                  struct ct_graph *graph_p, struct ct_error *err)
{
    const struct ct_graph_options options = {.eager_max_bytes = model->S_bytes,
                                             .serialize = given->serialize,
                                             .serialize_nic = given->serialize_nic,
                                             .overheads = ct_parameters_overheads(model),
                                             .peers = peers};
    enum ct_status status = ct_graph_build(&schedule->goal, &options, graph_p, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", schedule->path);
}

/* ---- lambda by pair ---- */

static enum ct_status publish_pairs(const struct ct_pair_sensitivity *found,
                                    const struct ct_pairs *of,
                                    struct crosstalk_pair_lambda **pairs_p, size_t *n_p,
                                    struct ct_error *err)
{
    struct crosstalk_pair_lambda *pairs = calloc(found->n_pairs + 1, sizeof *pairs);
    if (!pairs)
        return ct_no_memory(err, "pairs");
    for (size_t i = 0; i < found->n_pairs; i++) {
        const struct ct_pair_use *use = &found->pairs[i];
        const struct ct_loggps *costs = &of->classes[use->class];
        pairs[i] = (struct crosstalk_pair_lambda){.from = use->from,
                                                  .to = use->to,
                                                  .messages = use->messages,
                                                  .L_s = costs->L_ns * 1e-9,
                                                  .o_s = costs->o_ns * 1e-9,
                                                  .G_s_per_byte = costs->G_ns_per_byte * 1e-9,
                                                  .lambda_L = use->lambda.latencies,
                                                  .lambda_G = use->lambda.bytes};
    }
    *pairs_p = pairs;
    *n_p = found->n_pairs;
    return CT_OK;
}

enum crosstalk_status crosstalk_pair_lambdas(const struct crosstalk_schedule *schedule,
                                             const char *pairs_path,
                                             const struct crosstalk_network *network,
                                             struct crosstalk_pair_lambda **pairs_p, size_t *n_p,
                                             double *runtime_s_p, struct crosstalk_error *error)
{
    struct ct_error err;
    struct crosstalk_parameters nothing;
    struct ct_pair_parameters parameters = {.hosts = NULL};
    struct ct_parameters model = ct_parameters_none();
    struct ct_graph graph = {0};
    struct ct_pair_evaluator *evaluator = NULL;
    struct ct_pair_sensitivity found = {.n_pairs = 0};
    const struct ct_pair_given given = {.path = pairs_path,
                                        .o_s = NAN,
                                        .G_s_per_byte = NAN,
                                        .L_node_s = network->L_node_s,
                                        .G_node_s_per_byte = network->G_node_s_per_byte,
                                        .ranks_per_node = network->ranks_per_node};
    crosstalk_parameters_init(&nothing);
    enum ct_status status = ct_facade_network_check(network, &err);
    if (status == CT_OK) {
        struct ct_results_guest guest = ct_facade_enter_results();
        status = ct_pair_parameters_read(&given, &parameters, &err);
        ct_facade_leave_results(guest);
    }
    if (status == CT_OK) {
        model.S_bytes = (size_t)parameters.S_bytes;
        status = build_graph(schedule, &nothing, &model, true, &graph, &err);
    }
    if (status == CT_OK)
        status = ct_pair_evaluator_new(&graph, &parameters.pairs, &evaluator, &err);
    if (status == CT_OK)
        status = ct_pair_sensitivity_find(evaluator, 0, &found, &err);
    if (status == CT_OK)
        status = publish_pairs(&found, &parameters.pairs, pairs_p, n_p, &err);
    if (status == CT_OK)
        *runtime_s_p = found.runtime_ns * 1e-9;
    ct_pair_sensitivity_free(&found);
    ct_pair_evaluator_free(evaluator);
    ct_graph_free(&graph);
    ct_pair_parameters_free(&parameters);
    return ct_facade_return(status, &err, error);
}

/* ---- the best mapping ---- */

/* What messages between nodes cost. */
static enum ct_status find_nodes(const struct crosstalk_network *network,
                                 const struct ct_parameters *model, struct ct_pairs *pairs_p,
                                 struct ct_error *err)
{
    bool by_class = model->paths.n > 1;
    if (!network->topology)
        return ct_fail(err, CT_EINVAL, "topology: none; which nodes are there?");
    if (isnan(network->wire_s) && !by_class)
        return ct_fail(err, CT_EINVAL,
                       "wire_s, switch_s: missing: give them, or a run of logpb with classes of "
                       "paths");
    const struct ct_wires_setup setup = {
        .topology = &network->topology->of,
        .ranks_per_node = network->ranks_per_node,
        .switch_ns = isnan(network->switch_s) ? 0 : ct_ns_from_s(network->switch_s),
        .L_node_ns = ct_ns_from_s(network->L_node_s),
        .G_node_ns_per_byte = ct_ns_from_s(network->G_node_s_per_byte),
        .by_switches = model->paths};
    const struct ct_loggps at = ct_parameters_at(model, by_class ? model->L_s : network->wire_s);
    return ct_place_network(&setup, &at, NULL, 0, pairs_p, err);
}

static void publish_placement(const struct ct_place_result *found, uint32_t *node_of_rank,
                              struct crosstalk_placement *placement_p)
{
    *placement_p = (struct crosstalk_placement){.before_s = found->block_ns * 1e-9,
                                                .after_s = found->after_ns * 1e-9,
                                                .bound_s = found->bound_ns * 1e-9,
                                                .evaluations = found->evaluations};
    memcpy(node_of_rank, found->mapping, found->n_ranks * sizeof *node_of_rank);
}

enum crosstalk_status crosstalk_place(const struct crosstalk_schedule *schedule,
                                      const struct crosstalk_parameters *parameters,
                                      const struct crosstalk_network *network, size_t evaluations,
                                      uint64_t seed, uint32_t *node_of_rank,
                                      struct crosstalk_placement *placement_p,
                                      struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_parameters model;
    struct ct_pairs pairs = {0};
    struct ct_graph graph = {0};
    struct ct_placer *placer = NULL;
    struct ct_place_result found;
    const struct ct_place_search search = {.evaluations = evaluations, .seed = seed};
    enum ct_status status = ct_facade_network_check(network, &err);
    if (status == CT_OK)
        status = ct_facade_parameters(parameters, false, &model, &err);
    if (status != CT_OK)
        return ct_facade_return(status, &err, error);
    status = find_nodes(network, &model, &pairs, &err);
    if (status == CT_OK)
        status = build_graph(schedule, parameters, &model, false, &graph, &err);
    if (status == CT_OK)
        status = ct_placer_new(&graph, &pairs, parameters->threads, &placer, &err);
    if (status == CT_OK)
        status = ct_place_compare(placer, &search, NULL, NULL, &found, &err);
    if (status == CT_OK) {
        publish_placement(&found, node_of_rank, placement_p);
        ct_place_result_free(&found);
    }
    ct_placer_free(placer);
    ct_graph_free(&graph);
    ct_pairs_free(&pairs);
    ct_parameters_free(&model);
    return ct_facade_return(status, &err, error);
}
