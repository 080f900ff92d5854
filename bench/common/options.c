#include "bench/common/bench.h"
#include "core/option_rows.h"

static enum ct_status parse_config(const char *text, void *field, struct ct_error *err)
{
    struct ct_bench_config given = {.given = true};
    CT_TRY(ct_config_parse(text, &given.config, err));
    *(struct ct_bench_config *)field = given;
    return CT_OK;
}

const struct ct_option ct_bench_option_rows[] = {
    {CT_OPTION(DURATION, "time", struct ct_bench_options, time_s), .initial = "60s",
     CT_RANGE(1e-3, 1e7), .help = "end after this time"},
    CT_ROW_OUTPUT(struct ct_bench_options, output, "FILE.h5",
                  "run file to write; without this option results are printed only", .initial = ""),
    {CT_OPTION(STRING, "label", struct ct_bench_options, label), .argument = "TEXT", .initial = "",
     .help = "application that is measured, or that runs beside a probe; recorded as 'app'"},
    {CT_OPTION(STRING, "with", struct ct_bench_options, with), .argument = "TEXT", .initial = "",
     .help = "application that runs beside the measured one; recorded"},
    {CT_OPTION(CUSTOM, "config", struct ct_bench_options, config), .argument = "P:M:B",
     .parse = parse_config,
     .help = "CompressionB configuration that runs beside, P:M:B with pattern, burst, size of a "
             "message and ranks per node where they differ from the default: 4:1:10ms, "
             "7:1:10ms:alltoall:20ms/40ms, 4:1:10ms:8KiB:x2; recorded"},
    CT_ROW_FORMAT(struct ct_bench_options, format, "format of standard output"),
    CT_ROW_SEED(struct ct_bench_options, seed, "seed of everything random"),
    CT_ROWS_VIEW(struct ct_bench_options, view),
    {0}};
