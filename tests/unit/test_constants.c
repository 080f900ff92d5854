/* The rows of all tables of constants: whole, and distinguished by their names. */
#include "calibrate/constants.h"
#include "campaign/constants.h"
#include "lp-bridge/collective/constants.h"
#include "lp-bridge/envelope/constants.h"
#include "lp-bridge/place/constants.h"
#include "model/constants.h"
#include "model/loggp/constants.h"
#include "predict/constants.h"
#include "simulate/constants.h"
#include "study/constants.h"
#include "unit.h"
#include "watch/find/constants.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const struct ct_constant *rows;
    size_t n;
} tables[] = {{ct_simulate_constants, CT_SIMULATE_N_CONSTANTS},
              {ct_calibrate_constants, CT_CALIBRATE_N_CONSTANTS},
              {ct_predict_constants, CT_PREDICT_N_CONSTANTS},
              {ct_study_constants, CT_STUDY_N_CONSTANTS},
              {ct_model_constants, CT_MODEL_N_CONSTANTS},
              {ct_loggp_constants, CT_LOGGP_N_CONSTANTS},
              {ct_envelope_constants, CT_ENVELOPE_N_CONSTANTS},
              {ct_collective_constants, CT_COLLECTIVE_N_CONSTANTS},
              {ct_place_constants, CT_PLACE_N_CONSTANTS},
              {ct_campaign_constants, CT_CAMPAIGN_N_CONSTANTS},
              {ct_watch_constants, CT_WATCH_N_CONSTANTS}};
enum { N_TABLES = sizeof tables / sizeof *tables };

static bool is_line(const char *text)
{
    return text && *text && !strchr(text, '\n');
}

/* A row that was left out of a table has no name. */
static void test_rows_are_whole(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TABLES; t++)
        for (size_t i = 0; i < tables[t].n; i++) {
            const struct ct_constant *row = &tables[t].rows[i];
            if (!is_line(row->name))
                fail_msg("table %zu, row %zu has no name", t, i);
            if (!is_line(row->unit) || !is_line(row->model) || !is_line(row->from) ||
                !isfinite(row->value))
                fail_msg("%s: a value, a unit, a model or an origin is missing", row->name);
            if (row->origin == CT_CONSTANT_FITTED ? !is_line(row->off_by) : row->off_by != NULL)
                fail_msg("%s: how far it is off belongs to what was fitted", row->name);
            assert_true(is_line(ct_constant_origin_text(row->origin)));
        }
}

static size_t count_of(const char *name)
{
    size_t n = 0;
    for (size_t t = 0; t < N_TABLES; t++)
        for (size_t i = 0; i < tables[t].n; i++)
            n += !strcmp(tables[t].rows[i].name, name);
    return n;
}

static void test_names_differ(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TABLES; t++)
        for (size_t i = 0; i < tables[t].n; i++)
            if (count_of(tables[t].rows[i].name) != 1)
                fail_msg("%s is there more than once", tables[t].rows[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_are_whole),
                                       cmocka_unit_test(test_names_differ)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
