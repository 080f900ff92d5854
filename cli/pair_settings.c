#include "cli/pair_settings.h"

#include <math.h>

static enum ct_status check_model(const struct ct_machine_settings *machine,
                                  struct ct_parameters_given *given_p, struct ct_error *err)
{
    const struct ct_model_settings *model = &machine->model;
    if (model->logp_path)
        return ct_fail(err, CT_EUSAGE, "--logp, --pairs: give one of them");
    if (model->posterior_path)
        return ct_fail(err, CT_EUSAGE, "--parameters, --pairs: give one of them");
    if (model->L)
        return ct_fail(err, CT_EUSAGE, "--L: with --pairs each pair has its own");
    if (machine->wires.topology)
        return ct_fail(err, CT_EUSAGE, "--topology, --pairs: give one of them");
    /* What is inside a node is given, or the run may know it. */
    struct ct_wire_settings wires = machine->wires;
    if (isnan(wires.L_node_s) && isnan(wires.G_node_s_per_byte))
        wires.ranks_per_node = 1;
    CT_TRY(ct_wire_check(&wires, model, CT_WIRE_ANY, err));
    return ct_model_given(model, given_p, err);
}

static struct ct_pair_given given_of(const struct ct_machine_settings *machine,
                                     const struct ct_parameters_given *model)
{
    return (struct ct_pair_given){.path = machine->pairs_path,
                                  .o_s = model->o_s,
                                  .G_s_per_byte = model->G_s_per_byte,
                                  .L_node_s = machine->wires.L_node_s,
                                  .G_node_s_per_byte = machine->wires.G_node_s_per_byte,
                                  .ranks_per_node = (uint32_t)machine->wires.ranks_per_node};
}

enum ct_status ct_pair_settings_read(const struct ct_machine_settings *machine,
                                     struct ct_pair_parameters *parameters_p,
                                     struct ct_parameters *model_p, struct ct_error *err)
{
    struct ct_parameters_given given;
    CT_TRY(check_model(machine, &given, err));
    const struct ct_pair_given of_pairs = given_of(machine, &given);
    CT_TRY(ct_pair_parameters_read(&of_pairs, parameters_p, err));
    model_p->S_bytes = given.has_S ? given.S_bytes : (size_t)parameters_p->S_bytes;
    return CT_OK;
}

enum ct_status ct_pair_settings_draw(const struct ct_machine_settings *machine,
                                     const struct ct_pair_parameters *parameters,
                                     struct ct_pair_draws *draws_p, struct ct_error *err)
{
    struct ct_parameters_given given;
    CT_TRY(ct_model_given(&machine->model, &given, err));
    const struct ct_pair_given of_pairs = given_of(machine, &given);
    return ct_pair_draws_read(&of_pairs, parameters, draws_p, err);
}

void ct_pair_classes_fill(const struct ct_pair_parameters *parameters,
                          const struct ct_pair_lambda *lambdas, double runtime_s,
                          struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"class", "class", CT_UNIT_COUNT},
                                               {"links", "links measured", CT_UNIT_COUNT},
                                               {"L_s", "L", CT_UNIT_SECONDS},
                                               {"o_s", "o", CT_UNIT_SECONDS},
                                               {"G_s_per_byte", "G per byte", CT_UNIT_SECONDS},
                                               {"lambda_L", "lambda", CT_UNIT_NONE},
                                               {"rho_L", "share of T", CT_UNIT_FRACTION},
                                               {"lambda_G", "bytes on path", CT_UNIT_NONE}};
    const struct ct_pairs *pairs = &parameters->pairs;
    CT_TABLES_BEGIN(tables, "classes", "Classes of paths, by switches between (0: inside a node)",
                    columns);
    for (uint32_t c = 0; c < pairs->n_classes; c++) {
        const struct ct_loggps *of = &pairs->classes[c];
        double L_s = of->L_ns * 1e-9;
        CT_CELL_NUMBERS(tables, parameters->classes[c].path_class, parameters->classes[c].n_links,
                        L_s, of->o_ns * 1e-9, of->G_ns_per_byte * 1e-9, lambdas[c].latencies,
                        runtime_s > 0 ? lambdas[c].latencies * L_s / runtime_s : 0,
                        lambdas[c].bytes);
    }
}
