#include "bench/common/bench.h"

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
    {.name = "output",
     .letter = 'o',
     .type = CT_OPTION_STRING,
     .offset = FIELD(output),
     .argument = "FILE.h5",
     .initial = "",
     .help = "run file to write; without this option the answer is printed only"},
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
     .help = "CompressionB configuration that runs beside, P:M:B with the pattern and the burst if "
             "they "
             "differ from the default: 4:1:10ms, 7:1:10ms:alltoall:20ms/40ms; recorded"},
    {.name = "format",
     .type = CT_OPTION_CHOICE,
     .offset = FIELD(format),
     .argument = "FORMAT",
     .initial = "table",
     .choices = ct_format_names,
     .help = "form of standard output"},
    {.name = "seed",
     .type = CT_OPTION_SEED,
     .offset = FIELD(seed),
     .argument = "N",
     .help = "seed of everything random"},
    {.name = "quiet",
     .letter = 'q',
     .type = CT_OPTION_FLAG,
     .offset = FIELD(quiet),
     .help = "print warnings, errors and the answer only"},
    {0}};
