/* crosstalk tolerance --write-lp: the linear program of a schedule as a file for other solvers. */
#include "cli/tolerance_pairs.h"
#include "cli/wire_tolerance.h"
#include "core/file.h"
#include "core/log.h"
#include "lp-bridge/envelope/of_graph.h"
#include "lp-bridge/lp/lp.h"

#include <stdio.h>
#include <string.h>

/* Forms of files, by their ending. */
static const struct writer {
    const char *ending;
    enum ct_status (*write)(const struct ct_lp *lp, const struct ct_lp_form *form, FILE *out,
                            struct ct_error *err);
} writers[] = {{".mps", ct_lp_write_mps}, {".lp", ct_lp_write_lp}};

static const struct writer *find_writer(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof writers / sizeof *writers; i++)
        if (!strcmp(dot, writers[i].ending))
            return &writers[i];
    return NULL;
}

/* The run time at l, which the threshold of the tolerance form refers to. */
static enum ct_status set_limit(const struct ct_wire_subject *subject, double threshold_frac,
                                struct ct_lp_form *form, struct ct_error *err)
{
    static const struct ct_thresholds none = {.n = 0};
    double runtime_ns = 0;
    struct ct_tolerance found;
    enum ct_status status;
    if (subject->network->wires) {
        status = ct_wire_tolerance(subject, CT_OF_WIRE, &none, &found, NULL, err);
        runtime_ns = status == CT_OK ? found.runtime_ns : 0;
    } else {
        status = ct_runtime_of_graph(subject->graph, &subject->at, &runtime_ns, err);
    }
    if (status == CT_OK) {
        form->tolerance = true;
        form->limit_ns = (1 + threshold_frac) * runtime_ns;
    }
    return status;
}

static enum ct_status build_model(const struct ct_wire_subject *subject, struct ct_lp *lp_p,
                                  struct ct_error *err)
{
    struct ct_wires_plane plane;
    if (!subject->network->wires)
        return ct_lp_build(subject->graph, subject->at.o_ns, lp_p, err);
    ct_wires_plane(subject->network->wires, &subject->at, CT_WIRES_LATENCY, CT_WIRES_GAP, &plane);
    return ct_lp_build_on(subject->graph, &plane.plane, lp_p, err);
}

static enum ct_status make_program(const struct ct_tolerance_question *question,
                                   const struct ct_parameters *model, struct ct_lp *lp_p,
                                   struct ct_lp_form *form_p, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = question->settings;
    struct ct_graph graph = {0};
    struct ct_network network = {.wires = NULL};
    enum ct_status status = ct_graph_load(question->command->name, question->input,
                                          &settings->graph, model, &graph, err);
    const struct ct_wire_base base = {model, &settings->machine.model};
    if (status == CT_OK)
        status = ct_network_open(&settings->machine.wires, &graph, &base, &network, err);
    struct ct_loggps at = ct_network_at(&network, &settings->machine.wires, model);
    const struct ct_wire_subject subject = {
        .graph = &graph, .network = &network, .at = at, .threads = 1};
    *form_p = (struct ct_lp_form){.L_ns = at.L_ns, .G_ns_per_byte = at.G_ns_per_byte};
    if (status == CT_OK && settings->has_thresholds)
        status = set_limit(&subject, settings->thresholds.frac[0], form_p, err);
    if (status == CT_OK)
        status = build_model(&subject, lp_p, err);
    ct_network_free(&network);
    ct_graph_free(&graph);
    return status;
}

/* In what is added to the L and G of every pair. */
static enum ct_status make_program_of_pairs(const struct ct_tolerance_question *question,
                                            struct ct_lp *lp_p, struct ct_lp_form *form_p,
                                            struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = question->settings;
    struct ct_pair_subject subject = {.evaluator = NULL};
    struct ct_pairs_plane plane;
    const double nothing_added = 0;
    struct ct_line line = {0};
    *form_p = (struct ct_lp_form){.L_ns = 0};
    enum ct_status status = ct_pair_open(question, &subject, err);
    if (status == CT_OK && settings->has_thresholds) {
        status = ct_evaluator_lines(ct_pair_evaluator_added(subject.evaluator), &nothing_added, 1,
                                    1, &line, err);
        form_p->tolerance = true;
        form_p->limit_ns = (1 + settings->thresholds.frac[0]) * line.cost_ns;
    }
    if (status == CT_OK) {
        ct_pairs_plane(&subject.parameters.pairs, &plane);
        status = ct_lp_build_on(&subject.graph, &plane.plane, lp_p, err);
    }
    ct_pair_close(&subject);
    return status;
}

struct written {
    const struct ct_lp *lp;
    const struct ct_lp_form *form;
    const struct writer *writer;
};

static enum ct_status write_to(FILE *out, const void *data, struct ct_error *err)
{
    const struct written *written = data;
    return written->writer->write(written->lp, written->form, out, err);
}

static enum ct_status save_model(const struct ct_tolerance_question *question,
                                 const struct ct_lp *lp, const struct ct_lp_form *form,
                                 struct ct_error *err)
{
    const char *path = question->settings->lp_path;
    const struct written written = {lp, form, find_writer(path)};
    struct ct_log log = ct_log_open(question->command->name, question->settings->answer.view.quiet);
    CT_TRY(ct_file_make(path, write_to, &written, err));
    ct_log_info(&log, "%s: %d rows, %d columns, %d elements", path, lp->n_rows, lp->n_columns,
                lp->row_start[lp->n_rows]);
    return CT_OK;
}

static enum ct_status make_model(const struct ct_tolerance_question *question, struct ct_lp *lp_p,
                                 struct ct_lp_form *form_p, struct ct_error *err)
{
    const struct ct_machine_settings *machine = &question->settings->machine;
    struct ct_parameters model;
    if (machine->pairs_path)
        return make_program_of_pairs(question, lp_p, form_p, err);
    bool needs_L = !machine->wires.topology || ct_wire_adds_to_L(&machine->wires, &machine->model);
    CT_TRY(ct_wire_check(&machine->wires, &machine->model, CT_WIRE_OR_LINKS, err));
    CT_TRY(ct_model_parameters(&machine->model, needs_L, &model, err));
    enum ct_status status = make_program(question, &model, lp_p, form_p, err);
    ct_parameters_free(&model);
    return status;
}

enum ct_status ct_lp_answer(const struct ct_tolerance_question *question, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = question->settings;
    struct ct_lp lp = {0};
    struct ct_lp_form form;
    if (!find_writer(settings->lp_path))
        return ct_fail(err, CT_EUSAGE, "--write-lp: '%s': ends neither in .mps nor in .lp",
                       settings->lp_path);
    if (settings->has_thresholds && settings->thresholds.n > 1)
        return ct_fail(err, CT_EUSAGE, "--threshold: a file asks one question: give one fraction");
    enum ct_status status = make_model(question, &lp, &form, err);
    if (status == CT_OK)
        status = save_model(question, &lp, &form, err);
    ct_lp_free(&lp);
    return status;
}
