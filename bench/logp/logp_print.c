#include "bench/logp/logp_print.h"

#include "bench/logp/logp_summary.h"
#include "model/loggp/constants.h"
#include "topology/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS_WITH_SIZES = 2 }; /* in the table; CSV and JSON have the sizes of all */

struct printer {
    struct ct_tables *tables;
    const struct ct_bench *bench;
    const struct ct_logp_setup *setup;
    const struct ct_logp_gathered *all;
};

#define COLUMNS(table) (table), sizeof(table) / sizeof *(table)

/* ---- numbers ---- */

static const char *host_of(const struct printer *p, uint32_t rank)
{
    const struct ct_layout *layout = &p->bench->layout;
    return ct_layout_host(layout, layout->node_of_rank[rank]);
}

static void print_provenance(const struct printer *p)
{
    const struct ct_logp_link *first = p->all->links;
    ct_bench_add_provenance(p->bench, p->tables);
    ct_tables_provenance(p->tables, "intervals", "%g %% of medians, order statistics",
                         p->setup->level * 100);
    ct_tables_provenance(p->tables, "intervals-of-L-and-G",
                         "%g %%, bootstrap of the repetitions, %.0f replicates, seed %llu",
                         p->setup->level * 100, ct_loggp_constant(CT_LOGGP_REPLICATES),
                         (unsigned long long)p->setup->seed);
    ct_tables_provenance(p->tables, "timer-overhead", "%.3g ns a reading, subtracted",
                         first->timer_overhead_s * 1e9);
    ct_tables_provenance(p->tables, "from-to", "%s (rank %u) to %s (rank %u)%s",
                         host_of(p, first->rank_from), first->rank_from, host_of(p, first->rank_to),
                         first->rank_to, p->all->n_links > 1 ? ", and others" : "");
}

static void print_parameters(const struct printer *p)
{
    static const struct ct_column columns[] = {{"parameter", "parameter", CT_UNIT_NONE},
                                               {"value_s", "value", CT_UNIT_SECONDS},
                                               {"ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"ci_s[]", "to", CT_UNIT_SECONDS}};
    size_t n = p->all->n_links;
    for (size_t i = 0; i < CT_LOGP_N_PARAMETERS; i++)
        CT_TABLES_NUMBER(p->tables, ct_logp_parameters[i].key, NULL, SECONDS,
                         ct_logp_overall(&ct_logp_parameters[i], p->all->links, n).value);
    CT_TABLES_NUMBER(p->tables, "P", "P", COUNT, p->bench->size);
    double per_byte_s =
        ct_logp_overall(&ct_logp_parameters[CT_LOGP_GAP_PER_BYTE], p->all->links, n).value;
    CT_TABLES_NUMBER(p->tables, "bandwidth", "m / g(m), m largest", BYTES_PER_S, 1 / per_byte_s);
    ct_tables_begin(p->tables, "parameters{}",
                    n == 1 ? "Parameters, 95 % intervals"
                           : "Parameters: medians over all directions, least and greatest",
                    COLUMNS(columns));
    for (size_t i = 0; i < CT_LOGP_N_PARAMETERS; i++) {
        struct ct_estimate estimate = ct_logp_overall(&ct_logp_parameters[i], p->all->links, n);
        ct_tables_cell_text(p->tables, ct_logp_parameters[i].heading);
        CT_CELL_NUMBERS(p->tables, estimate.value, estimate.ci.lo, estimate.ci.hi);
    }
}

/* A packet is a segment of TCP. Ratios of times carry over to a machine whose groups are these. */
static void print_groups(const struct printer *p)
{
    static const double packet_bytes = 1448;
    static const struct ct_column columns[] = {{"network", "network", CT_UNIT_NONE},
                                               {"transfer", "1 KiB G / L", CT_UNIT_NONE},
                                               {"overhead", "o / L", CT_UNIT_NONE},
                                               {"packets", "packets under way", CT_UNIT_NONE},
                                               {"factor", "differs by", CT_UNIT_NONE}};
    double values[CT_LOGP_N_PARAMETERS];
    for (size_t i = 0; i < CT_LOGP_N_PARAMETERS; i++)
        values[i] = ct_logp_overall(&ct_logp_parameters[i], p->all->links, p->all->n_links).value;
    struct ct_machine_groups here =
        ct_machine_groups(values[CT_LOGP_L], values[CT_LOGP_O], values[CT_LOGP_G], packet_bytes);
    ct_tables_begin(p->tables, "groups", "Groups without dimension, beside those of machines",
                    COLUMNS(columns));
    ct_tables_cell_text(p->tables, "this one");
    CT_CELL_NUMBERS(p->tables, here.transfer, here.overhead, here.packets, NAN);
    for (size_t i = 0; i < CT_MACHINES_N; i++) {
        const struct ct_machine *machine = &ct_machines[i];
        struct ct_machine_groups there =
            ct_machine_groups(machine->leaf_s, machine->o_s, machine->G_s, machine->packet_bytes);
        ct_tables_cell_text(p->tables, machine->name);
        CT_CELL_NUMBERS(p->tables, there.transfer, there.overhead, there.packets,
                        ct_machine_distance(&here, &there));
    }
}

static void answer_in_words(struct printer *p)
{
    size_t n = p->all->n_links;
    char L[CT_UNITS_TEXT_MAX], o[CT_UNITS_TEXT_MAX];
    bool is_G_known = true;
    for (size_t i = 0; i < n && is_G_known && p->setup->methods != CT_LOGP_ONLY_SATURATION; i++) {
        struct ct_error why;
        is_G_known = ct_loggps_demand_G(&p->all->links[i].loggp.G, &why) == CT_OK;
        ct_tables_detail(p->tables, true); /* the answer says so */
        if (!is_G_known)
            ct_tables_note(p->tables, "Warning: rank %u to rank %u: %s.",
                           p->all->links[i].rank_from, p->all->links[i].rank_to, why.text);
        ct_tables_detail(p->tables, false);
    }
    const double L_s = ct_logp_overall(&ct_logp_parameters[CT_LOGP_L], p->all->links, n).value,
                 o_s = ct_logp_overall(&ct_logp_parameters[CT_LOGP_O], p->all->links, n).value,
                 G_s = ct_logp_overall(&ct_logp_parameters[CT_LOGP_GAP_PER_BYTE], p->all->links, n)
                           .value;
    if (isnan(L_s) || isnan(o_s)) {
        ct_tables_answer(p->tables, "The run was too short for the parameters of the network.");
        return;
    }
    ct_format_words(L_s, 2, L);
    ct_format_words(o_s, 2, o);
    if (is_G_known && G_s > 0)
        ct_tables_answer(p->tables,
                         "The network takes %s for a message and a program %s to send it; %.3g "
                         "MB/s. -o FILE.h5 is for crosstalk %s.",
                         L, o, 1e-6 / G_s, n > 2 ? "place --pairs" : "tolerance --logp");
    else
        ct_tables_answer(
            p->tables,
            "The network takes %s for a message and a program %s to send it; these "
            "sizes do not determine its bandwidth: measure larger ones (--max-size), or for "
            "longer (--time), on a quiet network.",
            L, o);
}

static void print_threshold(const struct printer *p)
{
    const struct ct_loggp_threshold *threshold = &p->all->links[0].threshold;
    const struct {
        struct ct_column column;
        double value;
    } numbers[] = {
        {{"S_bytes", "S, largest eager size", CT_UNIT_BYTES}, (double)threshold->eager_bytes},
        {{"S_below_bytes", "S is less than", CT_UNIT_BYTES}, (double)threshold->rendezvous_bytes},
        {{"S_jump_s", threshold->by_receiver ? "o_r jumps by" : "o_s jumps by", CT_UNIT_SECONDS},
         threshold->jump_s},
        {{"S_confidence", "confidence of S", CT_UNIT_FRACTION}, threshold->confidence}};
    if (p->setup->methods == CT_LOGP_ONLY_SATURATION)
        return;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        ct_tables_detail(p->tables, i > 0 && !threshold->found);
        ct_tables_number(p->tables, numbers[i].column, threshold->found ? numbers[i].value : NAN);
    }
    ct_tables_detail(p->tables, false);
}

/* ---- sizes ---- */

/* One column a value and two an interval, as the file has them. */
static const struct ct_column size_columns[] = {{"rank_from", "from", CT_UNIT_COUNT},
                                                {"rank_to", "to", CT_UNIT_COUNT},
                                                {"bytes", "size", CT_UNIT_BYTES},
                                                {"os_s", "o_s", CT_UNIT_SECONDS},
                                                {"os_ci_s[]", NULL, CT_UNIT_SECONDS},
                                                {"os_ci_s[]", NULL, CT_UNIT_SECONDS},
                                                {"or_s", "o_r", CT_UNIT_SECONDS},
                                                {"or_ci_s[]", NULL, CT_UNIT_SECONDS},
                                                {"or_ci_s[]", NULL, CT_UNIT_SECONDS},
                                                {"or_expected_s", "o_r expected", CT_UNIT_SECONDS},
                                                {"or_expected_ci_s[]", NULL, CT_UNIT_SECONDS},
                                                {"or_expected_ci_s[]", NULL, CT_UNIT_SECONDS},
                                                {"g_s", "g", CT_UNIT_SECONDS},
                                                {"g_ci_s[]", "95 % from", CT_UNIT_SECONDS},
                                                {"g_ci_s[]", "to", CT_UNIT_SECONDS},
                                                {"g_saturation_s", "g saturation", CT_UNIT_SECONDS},
                                                {"rtt_s", "round trip", CT_UNIT_SECONDS},
                                                {"rtt_ci_s[]", NULL, CT_UNIT_SECONDS},
                                                {"rtt_ci_s[]", NULL, CT_UNIT_SECONDS},
                                                {"repetitions", "repetitions", CT_UNIT_COUNT}};

static void print_estimate(struct ct_tables *tables, struct ct_estimate estimate)
{
    CT_CELL_NUMBERS(tables, estimate.value, estimate.ci.lo, estimate.ci.hi);
}

static void print_size(const struct printer *p, const struct ct_logp_link *link,
                       const struct ct_loggp_point *point)
{
    CT_CELL_NUMBERS(p->tables, link->rank_from, link->rank_to, (double)point->bytes);
    print_estimate(p->tables, point->os_s);
    print_estimate(p->tables, point->or_s);
    print_estimate(p->tables, point->or_expected_s);
    print_estimate(p->tables, point->g_s);
    ct_tables_cell_number(p->tables, point->g_saturation_s.value);
    print_estimate(p->tables, point->rtt_s);
    ct_tables_cell_number(p->tables, point->repetitions);
}

static void print_sizes(const struct printer *p)
{
    bool is_table = p->bench->options->format == CT_FORMAT_TABLE;
    size_t n = p->all->n_links;
    if (is_table && n > LINKS_WITH_SIZES)
        n = 1;
    ct_tables_begin(p->tables, "sizes",
                    n < p->all->n_links ? "Message sizes of the first direction" : "Message sizes",
                    COLUMNS(size_columns));
    for (size_t i = 0; i < n; i++) {
        const struct ct_logp_link *link = &p->all->links[i];
        const struct ct_loggp_point *points = ct_logp_points_of(p->all, i);
        for (size_t k = 0; k < link->n_points; k++)
            print_size(p, link, &points[k]);
    }
}

/* ---- methods ---- */

static struct ct_logp_cost sum_costs(const struct printer *p, enum ct_logp_method method)
{
    struct ct_logp_cost sum = {.elapsed_s = 0};
    for (size_t i = 0; i < p->all->n_links; i++) {
        struct ct_logp_cost cost = ct_logp_cost_of(&p->all->links[i], method);
        sum.elapsed_s += cost.elapsed_s;
        sum.messages += cost.messages;
        sum.bytes += cost.bytes;
    }
    return sum;
}

static void print_methods(const struct printer *p)
{
    static const struct ct_column columns[] = {{"method", "method", CT_UNIT_NONE},
                                               {"elapsed_s", "time", CT_UNIT_LONG_SECONDS},
                                               {"messages", "messages", CT_UNIT_COUNT},
                                               {"bytes", "data", CT_UNIT_BYTES}};
    static const char *const elapsed_keys[] = {"elapsed_s.fast", "elapsed_s.saturation"};
    ct_tables_begin(p->tables, "methods{}", "Cost of the methods, all directions",
                    COLUMNS(columns));
    struct ct_logp_cost costs[2];
    for (int method = CT_LOGP_FAST; method <= CT_LOGP_SATURATION; method++) {
        struct ct_logp_cost cost = costs[method] = sum_costs(p, (enum ct_logp_method)method);
        bool used = cost.messages > 0;
        ct_tables_cell_text(p->tables, ct_logp_method_names[method]);
        CT_CELL_NUMBERS(p->tables, used ? cost.elapsed_s : NAN, used ? (double)cost.messages : NAN,
                        used ? (double)cost.bytes : NAN);
    }
    for (int method = CT_LOGP_FAST; method <= CT_LOGP_SATURATION; method++)
        CT_TABLES_NUMBER(p->tables, elapsed_keys[method], NULL, LONG_SECONDS,
                         costs[method].messages > 0 ? costs[method].elapsed_s : NAN);
    const struct ct_logp_cost *fast = &costs[CT_LOGP_FAST], *slow = &costs[CT_LOGP_SATURATION];
    if (p->setup->methods == CT_LOGP_BOTH && fast->bytes > 0)
        ct_tables_note(p->tables, "Saturation took %.3g times the time and %.3g times the data.",
                       slow->elapsed_s / fast->elapsed_s,
                       (double)slow->bytes / (double)fast->bytes);
}

/* ---- checks ---- */

static void print_checks(const struct printer *p)
{
    static const struct ct_column columns[] = {{"rank_from", NULL, CT_UNIT_COUNT},
                                               {"rank_to", NULL, CT_UNIT_COUNT},
                                               {"bytes", "size", CT_UNIT_BYTES},
                                               {"g_s", "g by round trips", CT_UNIT_SECONDS},
                                               {"g_ci_s[]", "95 % from", CT_UNIT_SECONDS},
                                               {"g_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"g_again_s", "behind another", CT_UNIT_SECONDS},
                                               {"g_again_ci_s[]", "95 % from", CT_UNIT_SECONDS},
                                               {"g_again_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"agrees", "agrees", CT_UNIT_NONE}};
    if (p->setup->methods == CT_LOGP_ONLY_SATURATION)
        return;
    ct_tables_begin(p->tables, "checks",
                    "Does a message cost the same after another as after silence?",
                    COLUMNS(columns));
    for (size_t i = 0; i < p->all->n_links; i++) {
        const struct ct_logp_link *link = &p->all->links[i];
        for (size_t k = 0; k < link->n_checks; k++) {
            CT_CELL_NUMBERS(p->tables, link->rank_from, link->rank_to,
                            (double)link->checks[k].bytes);
            print_estimate(p->tables, link->checks[k].g_s);
            print_estimate(p->tables, link->checks[k].g_again_s);
            ct_tables_cell_text(p->tables, link->checks[k].agrees ? "yes" : "no");
        }
    }
}

/* ---- directions and pairs ---- */

static const struct ct_column link_columns[] = {{"rank_from", "rank", CT_UNIT_COUNT},
                                                {"host_from", "from", CT_UNIT_NONE},
                                                {"rank_to", "rank", CT_UNIT_COUNT},
                                                {"host_to", "to", CT_UNIT_NONE},
                                                {"L_s", "L", CT_UNIT_SECONDS},
                                                {"o_s", "o", CT_UNIT_SECONDS},
                                                {"g_s", "g", CT_UNIT_SECONDS},
                                                {"G_s_per_byte", "G per byte", CT_UNIT_SECONDS},
                                                {"g0_s", "g(0)", CT_UNIT_SECONDS},
                                                {"gap_per_byte_s", "g(m) / m", CT_UNIT_SECONDS},
                                                {"outlier", "an outlier in", CT_UNIT_NONE}};

static void append_text(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", more);
}

/* Which parameters of a link are outliers; outlier: n_links for each parameter in turn. */
static void name_outliers(const struct printer *p, size_t i, const bool *outlier, char *text,
                          size_t size)
{
    text[0] = '\0';
    for (size_t k = 0; k < CT_LOGP_N_PARAMETERS; k++)
        if (outlier[k * p->all->n_links + i])
            append_text(text, size, ct_logp_parameters[k].key);
}

static void print_link(const struct printer *p, const struct ct_logp_link *link,
                       const char *stands_out)
{
    ct_tables_cell_number(p->tables, link->rank_from);
    ct_tables_cell_text(p->tables, host_of(p, link->rank_from));
    ct_tables_cell_number(p->tables, link->rank_to);
    ct_tables_cell_text(p->tables, host_of(p, link->rank_to));
    for (size_t k = 0; k < CT_LOGP_N_PARAMETERS; k++)
        ct_tables_cell_number(p->tables, ct_logp_value(&ct_logp_parameters[k], link).value);
    ct_tables_cell_text(p->tables, stands_out);
}

enum { OUTLIERS_SHOWN = 3 }; /* others with --all */

static enum ct_status print_links(const struct printer *p)
{
    size_t n = p->all->n_links;
    size_t n_named = 0;
    char stands_out[128];
    bool *outlier = calloc(CT_LOGP_N_PARAMETERS * n, sizeof *outlier);
    enum ct_status status = outlier ? CT_OK : CT_ENOMEM;
    for (size_t k = 0; k < CT_LOGP_N_PARAMETERS && status == CT_OK; k++)
        status = ct_logp_find_outliers(&ct_logp_parameters[k], p->all->links, n, outlier + k * n);
    if (status == CT_OK) {
        ct_tables_begin(p->tables, "pairs", "Pairs", COLUMNS(link_columns));
        for (size_t i = 0; i < n; i++) {
            name_outliers(p, i, outlier, stands_out, sizeof stands_out);
            print_link(p, &p->all->links[i], stands_out);
        }
    }
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        const struct ct_logp_link *link = &p->all->links[i];
        name_outliers(p, i, outlier, stands_out, sizeof stands_out);
        ct_tables_detail(p->tables, *stands_out && n_named++ >= OUTLIERS_SHOWN);
        if (*stands_out)
            ct_tables_note(p->tables, "%s (rank %u) to %s (rank %u) is an outlier: %s.",
                           host_of(p, link->rank_from), link->rank_from, host_of(p, link->rank_to),
                           link->rank_to, stands_out);
    }
    ct_tables_detail(p->tables, false);
    free(outlier);
    return status;
}

/* Each pair once: parameters there and back, and whether they differ beyond their intervals. */
static void print_directions(const struct printer *p)
{
    static const struct ct_column columns[] = {
        {"rank_a", "rank a", CT_UNIT_COUNT},      {"rank_b", "rank b", CT_UNIT_COUNT},
        {"parameter", "parameter", CT_UNIT_NONE}, {"a_to_b_s", "a to b", CT_UNIT_SECONDS},
        {"b_to_a_s", "b to a", CT_UNIT_SECONDS},  {"ratio", "ratio", CT_UNIT_NONE},
        {"differs", "differs", CT_UNIT_NONE}};
    ct_tables_begin(p->tables, "directions", "Both directions", COLUMNS(columns));
    for (size_t i = 0; i < p->all->n_links; i++) {
        const struct ct_logp_link *there = &p->all->links[i];
        const struct ct_logp_link *back = ct_logp_opposite(p->all->links, p->all->n_links, there);
        if (!back || there->rank_from > there->rank_to)
            continue;
        for (size_t k = 0; k < CT_LOGP_N_PARAMETERS; k++) {
            struct ct_estimate a = ct_logp_value(&ct_logp_parameters[k], there);
            struct ct_estimate b = ct_logp_value(&ct_logp_parameters[k], back);
            CT_CELL_NUMBERS(p->tables, there->rank_from, there->rank_to);
            ct_tables_cell_text(p->tables, ct_logp_parameters[k].heading);
            CT_CELL_NUMBERS(p->tables, a.value, b.value, b.value / a.value);
            ct_tables_cell_text(p->tables, ct_estimate_differ(a, b) ? "yes" : "no");
        }
    }
}

/* ---- warnings ---- */

static void note_doubts(const struct printer *p, const struct ct_logp_link *link,
                        const struct ct_logp_doubts *doubts)
{
    if (doubts->n_receive_above_gap > 0)
        ct_tables_note(p->tables,
                       "Warning: o_r(m) > g(m) for %zu sizes, from %llu B: o_r is of unexpected "
                       "messages, g of expected ones, and bounds what receiving those takes.",
                       doubts->n_receive_above_gap,
                       (unsigned long long)doubts->receive_above_gap_bytes);
    if (doubts->n_below_resolution > 0)
        ct_tables_note(p->tables,
                       "Warning: a value of %zu sizes, from %llu B, is below the timer's "
                       "resolution of %.3g ns.",
                       doubts->n_below_resolution,
                       (unsigned long long)doubts->below_resolution_bytes,
                       link->timer_resolution_s * 1e9);
    if (doubts->n_checks_failed > 0)
        ct_tables_note(p->tables,
                       "Warning: messages directly after others cost more or less than after "
                       "silence, at %zu of %llu sizes checked, from %llu B: g by equation does not "
                       "hold there; %s.",
                       doubts->n_checks_failed, (unsigned long long)link->n_checks,
                       (unsigned long long)doubts->check_failed_bytes,
                       p->setup->gap == CT_LOGP_GAP_EQUATION
                           ? "use --gap auto or --method saturation"
                           : "it was measured by trains");
}

static void note_cut(const struct printer *p, const struct ct_logp_cut *cut, bool is_incomplete)
{
    char sizes[CT_LOGP_CUT_MAX];
    ct_logp_cut_format(cut->powers, sizes);
    if (is_incomplete)
        ct_tables_note(p->tables,
                       "Warning: incomplete: --time or a signal ended the measurement.%s%s%s",
                       cut->powers ? " Not measured: " : "", sizes, cut->powers ? "." : "");
    ct_tables_detail(p->tables, true);
    if (cut->n_hurried > 0)
        ct_tables_note(p->tables,
                       "%llu sizes had fewer repetitions than --epsilon asks for; a larger --time "
                       "gives them more.",
                       (unsigned long long)cut->n_hurried);
    ct_tables_detail(p->tables, false);
}

static void print_warnings(const struct printer *p)
{
    const struct ct_logp_link *link = p->all->links;
    struct ct_logp_doubts doubts = ct_logp_doubts_of(link, ct_logp_points_of(p->all, 0));
    ct_tables_detail(p->tables, true); /* of single sizes; the answer does not rest on them */
    note_doubts(p, link, &doubts);
    ct_tables_detail(p->tables, false);
    bool fast = p->setup->methods != CT_LOGP_ONLY_SATURATION;
    struct ct_logp_cut cut = ct_logp_cut_of(p->all->links, p->all->n_links);
    if (!link->is_complete || cut.powers || cut.n_hurried > 0)
        note_cut(p, &cut, !link->is_complete || cut.powers);
    if (link->is_complete && fast && !link->g0_is_settled)
        ct_tables_note(p->tables,
                       "Warning: the gap of empty messages did not settle up to trains of %llu: "
                       "g(0), and with it g(m) by equation, is uncertain.",
                       (unsigned long long)link->g0_train);
    else if (link->is_complete && fast && !link->gap_is_stable)
        ct_tables_note(p->tables, "Warning: the gap per byte is not stable up to the largest size: "
                                  "a larger --max-size gives a better G.");
    ct_tables_detail(p->tables, true);
    if (link->n_bends > 0)
        ct_tables_note(p->tables,
                       "%llu sizes are off the line through those before them; a larger "
                       "--max-sizes halves the distances there.",
                       (unsigned long long)link->n_bends);
    ct_tables_detail(p->tables, false);
    if (link->loggp.L_s.value <= 0)
        ct_tables_note(p->tables, "Warning: L is not above 0: overheads take all of the delay.");
}

/* ---- the whole ---- */

enum ct_status ct_logp_print(const struct ct_bench *bench, const struct ct_logp_setup *setup,
                             const struct ct_logp_gathered *all, struct ct_error *err)
{
    struct printer p = {
        .tables = ct_tables_new(bench->command->name, (enum ct_format)bench->options->format),
        .bench = bench,
        .setup = setup,
        .all = all};
    enum ct_status status = p.tables ? CT_OK : CT_ENOMEM;
    if (status == CT_OK) {
        print_provenance(&p);
        print_parameters(&p);
        answer_in_words(&p);
        print_threshold(&p);
        print_sizes(&p);
        print_groups(&p);
        print_methods(&p);
        print_checks(&p);
        if (ct_logp_opposite(all->links, all->n_links, all->links))
            print_directions(&p);
        if (all->n_links > 1)
            status = print_links(&p);
    }
    if (status == CT_OK) {
        print_warnings(&p);
        status = ct_tables_print(p.tables, stdout, err);
    } else {
        status = ct_no_memory(err, "summary");
    }
    ct_tables_free(p.tables);
    return status;
}
