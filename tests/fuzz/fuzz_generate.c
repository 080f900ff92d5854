/* Texts of generated programs: refused, or a program whose schedule has a graph. */
#include "lp-bridge/graph/graph.h"
#include "tests/fuzz/fuzz.h"
#include "trace/convert/generate.h"
#include "trace/convert/generate_spec.h"
#include "trace/input/input.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 40, VISITS_MAX = 60, BYTES_MAX = 1 << 30 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct ct_convert_options options = ct_convert_defaults();
    const struct ct_graph_options lazy = {.eager_max_bytes = BYTES_MAX};
    struct ct_generate_spec spec;
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_graph graph;
    char *text = strndup((const char *)data, size);
    if (!text)
        return 0;
    if (ct_generate_spec_parse(text, &spec, NULL) == CT_OK && spec.n_ranks <= RANKS_MAX &&
        spec.rounds * (2 * spec.levels + 1) <= VISITS_MAX) {
        if (ct_input_convert(ct_input_of(text), &options, &goal, &notes, NULL) != CT_OK ||
            goal.n_ranks != spec.n_ranks || notes.n_cut > 0 ||
            ct_graph_build(&goal, &lazy, &graph, NULL) != CT_OK)
            abort();
        ct_graph_free(&graph);
        ct_goal_free(&goal);
        ct_convert_notes_free(&notes);
    }
    free(text);
    return 0;
}
