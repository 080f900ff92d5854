#include "bench/common/bench.h"
#include "core/option_rows.h"

static enum ct_status parse_config(const char *text, void *field, struct ct_error *err)
{
    struct ct_bench_config given = {.given = true};
    enum ct_status status = ct_config_parse(text, &given.config, err);
    if (status == CT_OK)
        *(struct ct_bench_config *)field = given;
    return status;
}

#define FIELD(member) offsetof(struct ct_bench_options, member)

const struct ct_option ct_bench_option_rows[] = {
    {.name = "time",
     .type = CT_OPTION_DURATION,
     .offset = FIELD(time_s),
     .argument = "DURATION",
     .initial = "60s",
     .min = 1e-3,
     .max = 1e7,
     .help = "end after this time"},
    CT_ROW_OUTPUT(FIELD(output), "FILE.h5",
                  "run file to write; without this option results are printed only", .initial = ""),
    {.name = "label",
     .type = CT_OPTION_STRING,
     .offset = FIELD(label),
     .argument = "TEXT",
     .initial = "",
     .help = "application that is measured, or that runs beside a probe; recorded as 'app'"},
    {.name = "with",
     .type = CT_OPTION_STRING,
     .offset = FIELD(with),
     .argument = "TEXT",
     .initial = "",
     .help = "application that runs beside the measured one; recorded"},
    {.name = "config",
     .type = CT_OPTION_CUSTOM,
     .offset = FIELD(config),
     .argument = "P:M:B",
     .parse = parse_config,
     .help = "CompressionB configuration that runs beside, P:M:B with pattern, burst, size of a "
             "message and ranks per node where they differ from the default: 4:1:10ms, "
             "7:1:10ms:alltoall:20ms/40ms, 4:1:10ms:8KiB:x2; recorded"},
    CT_ROW_FORMAT(FIELD(format), "format of standard output"),
    CT_ROW_SEED(FIELD(seed), "seed of everything random"),
    CT_ROW_QUIET(FIELD(quiet)),
    {0}};
