#include "cli/collectives.h"

#include <math.h>
#include <stdlib.h>

/* Rows that there can be: every algorithm, and what was given. */
static size_t most_rows(void)
{
    size_t n_algorithms;
    ct_collective_algorithms(&n_algorithms);
    return n_algorithms + 1;
}

static size_t count_algorithms(enum ct_collective what)
{
    size_t n_algorithms, n = 0;
    const struct ct_collective_algorithm *algorithms = ct_collective_algorithms(&n_algorithms);
    for (size_t i = 0; i < n_algorithms; i++)
        n += algorithms[i].what == what;
    return n;
}

static enum ct_status ask_about(const struct ct_collectives_question *question,
                                const struct ct_collective_algorithm *algorithm,
                                struct ct_collectives_row *row_p, struct ct_error *err)
{
    struct ct_trace_settings traces = *question->traces;
    struct ct_collectives_row row = {.collective = ct_collective_name(algorithm->what),
                                     .algorithm = algorithm->name};
    traces.rules[algorithm->what] = algorithm->name;
    traces.is_known = true;
    enum ct_status status = question->ask(question->data, &traces, &row, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--collectives %s=%s", row.collective, row.algorithm);
    *row_p = row;
    return CT_OK;
}

enum ct_status ct_collectives_compare(const struct ct_collectives_question *question,
                                      struct ct_collectives *found_p, struct ct_error *err)
{
    uint64_t calls[CT_COLLECTIVE_N_COLLECTIVES];
    size_t n_algorithms;
    const struct ct_collective_algorithm *algorithms = ct_collective_algorithms(&n_algorithms);
    CT_TRY(ct_schedule_collectives(question->input, calls, err));
    struct ct_collectives found = {.rows = malloc(most_rows() * sizeof *found.rows)};
    if (!found.rows)
        return ct_no_memory(err, "collectives");
    found.rows[found.n++] = question->given;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n_algorithms && status == CT_OK; i++)
        if (calls[algorithms[i].what] > 0 && count_algorithms(algorithms[i].what) > 1) {
            status = ask_about(question, &algorithms[i], &found.rows[found.n], err);
            found.n++;
        }
    if (status == CT_OK)
        *found_p = found;
    else
        ct_collectives_free(&found);
    return status;
}

void ct_collectives_free(struct ct_collectives *found)
{
    free(found->rows);
    found->rows = NULL;
}

/* ---- table ---- */

static void begin_table(const struct ct_thresholds *thresholds, bool of_wire,
                        struct ct_tables *tables)
{
    const char *lambda = of_wire ? "lambda_wire" : "lambda_L";
    const struct ct_column columns[] = {{"collective", "collective", CT_UNIT_NONE},
                                        {"algorithm", "algorithm", CT_UNIT_NONE},
                                        {"runtime_s", "T", CT_UNIT_SECONDS},
                                        {"longer", "longer by", CT_UNIT_FRACTION},
                                        {lambda, lambda, CT_UNIT_NONE}};
    CT_TABLES_BEGIN(tables, "collectives",
                    "Algorithms of collectives, one exchanged at a time: T, and what is tolerated",
                    columns);
    for (size_t i = 0; i < thresholds->n; i++) {
        char heading[32];
        snprintf(heading, sizeof heading, "%s for +%.4g %%", of_wire ? "wire" : "L",
                 100 * thresholds->frac[i]);
        ct_tables_column(tables,
                         (struct ct_column){of_wire ? "tolerance_wire_s[]" : "tolerance_L_s[]",
                                            heading, CT_UNIT_SECONDS});
    }
}

/* The choice with the shortest run, and the one that tolerates least. */
static void answer_extremes(const struct ct_collectives *found, const char *what, double threshold,
                            struct ct_tables *tables)
{
    const struct ct_collectives_row *given = found->rows, *fastest = given, *least = given;
    char time[CT_UNITS_TEXT_MAX], given_time[CT_UNITS_TEXT_MAX], latency[CT_UNITS_TEXT_MAX],
        given_latency[CT_UNITS_TEXT_MAX];
    for (size_t i = 1; i < found->n; i++) {
        if (found->rows[i].at.runtime_ns < fastest->at.runtime_ns)
            fastest = &found->rows[i];
        if (found->rows[i].largest_ns[0] < least->largest_ns[0])
            least = &found->rows[i];
    }
    if (fastest != given) {
        ct_format_words(fastest->at.runtime_ns * 1e-9, 4, time);
        ct_format_words(given->at.runtime_ns * 1e-9, 4, given_time);
        ct_tables_answer(tables, "Fastest: %s=%s, T %s; as given %s.", fastest->collective,
                         fastest->algorithm, time, given_time);
    }
    if (least != given) {
        ct_format_words(least->largest_ns[0] * 1e-9, 3, latency);
        ct_format_words(given->largest_ns[0] * 1e-9, 3, given_latency);
        ct_tables_answer(tables,
                         "Least tolerant: %s=%s, %.4g %% longer at %s = %s; as given at %s.",
                         least->collective, least->algorithm, 100 * threshold, what, latency,
                         isfinite(given->largest_ns[0]) ? given_latency : "no latency");
    }
}

void ct_collectives_fill(const struct ct_collectives *found, const struct ct_thresholds *thresholds,
                         bool of_wire, struct ct_tables *tables)
{
    double given_ns = found->rows[0].at.runtime_ns;
    begin_table(thresholds, of_wire, tables);
    for (size_t i = 0; i < found->n; i++) {
        const struct ct_collectives_row *row = &found->rows[i];
        ct_tables_cell_text(tables, row->collective);
        ct_tables_cell_text(tables, row->algorithm);
        CT_CELL_NUMBERS(tables, row->at.runtime_ns * 1e-9,
                        given_ns > 0 ? row->at.runtime_ns / given_ns - 1 : 0, row->at.lambda_L);
        for (size_t k = 0; k < thresholds->n; k++)
            ct_tables_cell_number(tables, row->largest_ns[k] * 1e-9);
    }
    if (found->n == 1)
        ct_tables_note(tables, "The program calls no collective that has several algorithms.");
    answer_extremes(found, of_wire ? "a latency of a wire" : "L", thresholds->frac[0], tables);
}
