#include "bench/common/bench.h"

#include <string.h>

/* "P:M:B", such as 4:1:10ms. */
static enum ct_status parse_config(const char *text, void *field, struct ct_error *err)
{
    const char *first = strchr(text, ':');
    const char *second = first ? strchr(first + 1, ':') : NULL;
    char partners_text[24] = "", messages_text[24] = "";
    if (!second || first - text >= (ptrdiff_t)sizeof partners_text ||
        second - first - 1 >= (ptrdiff_t)sizeof messages_text)
        return ct_fail(err, CT_EINVAL, "'%s': not P:M:B, such as 4:1:10ms", text);
    memcpy(partners_text, text, (size_t)(first - text));
    memcpy(messages_text, first + 1, (size_t)(second - first - 1));
    uint64_t partners, messages;
    double bubble_s;
    if (ct_parse_u64(partners_text, &partners, NULL) != CT_OK ||
        ct_parse_u64(messages_text, &messages, NULL) != CT_OK ||
        ct_parse_duration(second + 1, &bubble_s, NULL) != CT_OK || partners < 1 || messages < 1 ||
        partners > UINT32_MAX || messages > UINT32_MAX)
        return ct_fail(err, CT_EINVAL, "'%s': not P:M:B, such as 4:1:10ms", text);
    *(struct ct_bench_config *)field = (struct ct_bench_config){
        .given = true,
        .config = {
            .partners = (uint32_t)partners, .messages = (uint32_t)messages, .bubble_s = bubble_s}};
    return CT_OK;
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
     .help = "CompressionB configuration that runs beside, such as 4:1:10ms; recorded"},
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
