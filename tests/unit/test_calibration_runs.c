/* What a run of logpb has for a calibration, and simulations that are stored. */
#include "calibrate/runs/calibration_runs.h"
#include "calibrate/runs/calibration_store.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIPS = 3, TRAINS = 3, MESSAGES = 5 };

/* Two sizes; the larger one has trains, of which one more was of another length. */
static struct ct_run run_of(struct ct_logp_row *rows, struct ct_logp_repetition *repetitions)
{
    size_t n = 0;
    for (uint32_t i = 0; i < 2; i++) {
        rows[i] = (struct ct_logp_row){
            .bytes = i * 1000, .rank_to = 1, .rtt_s = (i + 2) * 1e-6, .or_s = 1e-6};
        for (size_t r = 0; r < 2 * TRIPS; r++) {
            bool is_send = r % 2 == 0;
            size_t trip = r / 2;
            double value_s = (i + 2) * 1e-6 + ((double)trip - 1) * 1e-8;
            repetitions[n++] =
                (struct ct_logp_repetition){.bytes = i * 1000,
                                            .messages = 1,
                                            .rank_to = 1,
                                            .quantity = is_send ? CT_LOGP_SEND : CT_LOGP_ROUND_TRIP,
                                            .value_s = is_send ? 1e-6 : value_s};
        }
    }
    for (size_t r = 0; r <= TRAINS; r++)
        repetitions[n++] = (struct ct_logp_repetition){.bytes = 1000,
                                                       .messages = r < TRAINS ? MESSAGES : 9,
                                                       .rank_to = 1,
                                                       .quantity = CT_LOGP_ROUND_TRIP,
                                                       .value_s = 5e-6 + (double)r * 1e-6};
    return (struct ct_run){.info = {.kind = CT_RUN_LOGP},
                           .logp = rows,
                           .n_logp = 2,
                           .repetitions = repetitions,
                           .n_repetitions = n};
}

static void test_of_run(void **state)
{
    (void)state;
    struct ct_logp_row rows[3];
    struct ct_logp_repetition repetitions[4 * TRIPS + TRAINS + 1];
    struct ct_run run = run_of(rows, repetitions);
    struct ct_measured measured;
    struct ct_error err;
    assert_int_equal(ct_measured_of_run(&run, &measured, NULL), CT_OK);
    assert_int_equal(measured.n, 3);
    assert_int_equal(measured.series[0].output.quantity, CT_BENCHMARK_THROUGHPUT);
    assert_int_equal(measured.series[0].output.bytes, 1000);
    assert_int_equal(measured.series[0].n, TRAINS);
    /* m / g(m), g(m) = (5 us - 3 us) / 4 */
    assert_near(measured.series[0].values[0], 1000 / 0.5e-6, 1e-3);
    assert_int_equal(measured.series[1].output.bytes, 0);
    assert_int_equal(measured.series[2].n, TRIPS);
    assert_near(measured.series[2].values[2], 3.01e-6, 1e-15);
    ct_measured_free(&measured);
    repetitions[4 * TRIPS].value_s = 2e-6; /* a train that is shorter than a round trip */
    assert_int_equal(ct_measured_of_run(&run, &measured, NULL), CT_OK);
    assert_int_equal(measured.n, 2);
    ct_measured_free(&measured);
    rows[2] = rows[1];
    run.n_logp = 3;
    assert_int_equal(ct_measured_of_run(&run, &measured, &err), CT_EINVAL);
    assert_string_equal(err.text, "/logp: size 1000 B is there twice, in rows 1 and 2");
    run.n_logp = 2;
    run.n_repetitions = 0;
    assert_int_equal(ct_measured_of_run(&run, &measured, &err), CT_ENODATA);
}

/* What is there is found, up to the first entry that is not intact. */
static void test_store(void **state)
{
    (void)state;
    char folder[] = "/tmp/crosstalk_store_XXXXXX", output[64], name[96];
    struct ct_calibration_store *store;
    double values[2] = {0, 0};
    unsigned char bytes[400];
    assert_non_null(mkdtemp(folder));
    snprintf(output, sizeof output, "%s/p.h5", folder);
    snprintf(name, sizeof name, "%s%s", output, CT_CALIBRATION_STORE_SUFFIX);
    assert_int_equal(ct_calibration_store_open(output, 2, &store, NULL), CT_OK);
    for (uint64_t i = 0; i < 3; i++) {
        const uint64_t key[] = {i, 7};
        const double made[] = {(double)i, (double)i / 2};
        assert_int_equal(ct_calibration_store_add(store, key, made, NULL), CT_OK);
    }
    ct_calibration_store_close(store);
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(ct_calibration_store_count(bytes, n, 2), 3);
    assert_int_equal(ct_calibration_store_count(bytes, n - 1, 2), 2);
    assert_int_equal(ct_calibration_store_count(bytes, n, 3), 0);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= 16;
        assert_true(ct_calibration_store_count(bytes, n, 2) < 3);
        bytes[i] ^= 16;
    }
    assert_int_equal(truncate(name, (off_t)n - 1), 0);
    assert_int_equal(ct_calibration_store_open(output, 2, &store, NULL), CT_OK);
    assert_true(ct_calibration_store_find(store, (const uint64_t[]){1, 7}, values));
    assert_near(values[1], 0.5, 0);
    assert_false(ct_calibration_store_find(store, (const uint64_t[]){2, 7}, values));
    ct_calibration_store_close(store);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_of_run), cmocka_unit_test(test_store)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
