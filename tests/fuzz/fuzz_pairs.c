/* Pairs of nodes: any rows of a logp run become parameters that a graph can be computed with, or
 * are refused. Bytes are one of the number of paths, then paths of 3, then rows of 6 each. */
#include "study/pair_parameters.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 3, ROW_BYTES = 6, ROWS_MAX = 4096 };

static double time_of(uint8_t byte)
{
    static const double odd[] = {NAN, INFINITY, -1e-6, 0, 1e300, -INFINITY, 1e-300, 2000};
    return byte < sizeof odd / sizeof *odd ? odd[byte] : byte * 1e-7;
}

/* Values near the ends of their type, too. */
static uint32_t number_of(uint8_t byte)
{
    return byte < 128 ? byte : UINT32_MAX - (255 - byte);
}

static struct ct_logp_row row_of(const uint8_t *bytes)
{
    struct ct_logp_row row = {.bytes = bytes[2] < 64 ? bytes[2] : (uint64_t)1 << (bytes[2] & 63),
                              .os_s = time_of(bytes[3]),
                              .or_s = time_of(bytes[4]),
                              .g_s = NAN,
                              .rtt_s = time_of(bytes[5]),
                              .repetitions = 1,
                              .rank_from = number_of(bytes[0]),
                              .rank_to = number_of(bytes[1]),
                              .method = bytes[5] == 255};
    row.os_lo_s = row.os_hi_s = row.or_lo_s = row.or_hi_s = row.g_lo_s = row.g_hi_s = NAN;
    row.rtt_lo_s = row.rtt_hi_s = NAN;
    row.or_expected_s = row.or_expected_lo_s = row.or_expected_hi_s = NAN;
    return row;
}

static void check(const struct ct_pair_parameters *parameters)
{
    const struct ct_pairs *pairs = &parameters->pairs;
    size_t n = (size_t)pairs->n_places * pairs->n_places;
    if (pairs->n_places == 0 || pairs->n_places > CT_PAIRS_PLACES_MAX || pairs->n_classes == 0)
        abort();
    for (size_t i = 0; i < n; i++)
        if (pairs->class_of[i] >= pairs->n_classes && pairs->class_of[i] != UINT32_MAX)
            abort();
    for (uint32_t c = 0; c < pairs->n_classes; c++)
        if (!(pairs->classes[c].o_ns >= 0 && pairs->classes[c].L_ns >= 0 &&
              pairs->classes[c].G_ns_per_byte >= 0 && pairs->classes[c].o_ns <= 1e12 &&
              pairs->classes[c].L_ns <= 1e12 && pairs->classes[c].G_ns_per_byte <= 1e12))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct ct_logp_row rows[ROWS_MAX];
    static struct ct_path_row paths[UINT8_MAX];
    struct ct_run run = {.info = {.kind = CT_RUN_LOGP}, .logp = rows, .paths = paths};
    struct ct_pair_given given = {.path = "run",
                                  .o_s = NAN,
                                  .G_s_per_byte = NAN,
                                  .L_node_s = NAN,
                                  .G_node_s_per_byte = NAN,
                                  .ranks_per_node = 1};
    struct ct_pair_parameters parameters;
    if (size == 0)
        return 0;
    size_t wanted = *data++;
    for (size--; run.n_paths < wanted && size >= PATH_BYTES; size -= PATH_BYTES) {
        paths[run.n_paths++] =
            (struct ct_path_row){number_of(data[0]), number_of(data[1]), number_of(data[2])};
        data += PATH_BYTES;
    }
    for (; run.n_logp < ROWS_MAX && size >= ROW_BYTES; size -= ROW_BYTES) {
        rows[run.n_logp++] = row_of(data);
        data += ROW_BYTES;
    }
    for (int inside = 0; inside < 2; inside++) {
        if (inside)
            given.L_node_s = given.G_node_s_per_byte = 1e-9;
        if (ct_pair_parameters_of_run(&run, &given, &parameters, NULL) != CT_OK)
            continue;
        check(&parameters);
        ct_pair_parameters_free(&parameters);
    }
    return 0;
}
