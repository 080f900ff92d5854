#include "tests/unit/campaign_texts.h"

#include "tests/unit/unit.h"

#include <string.h>

struct ct_campaign_spec read_spec(const char *text)
{
    struct ct_campaign_spec spec;
    struct ct_error err;
    if (ct_campaign_spec_parse(text, strlen(text), "file.yaml", &spec, &err) != CT_OK)
        fail_msg("%s", err.text);
    return spec;
}

struct ct_plan make_plan(const struct ct_campaign_spec *spec, uint64_t seed)
{
    struct ct_plan plan;
    struct ct_error err;
    if (ct_plan_make(spec, seed, &plan, &err) != CT_OK)
        fail_msg("%s", err.text);
    return plan;
}

const struct ct_plan_run *find_run(const struct ct_plan *plan, const char *id)
{
    for (size_t i = 0; i < plan->n_runs; i++)
        if (!strcmp(plan->runs[i].id, id))
            return &plan->runs[i];
    fail_msg("no run %s", id);
    return NULL;
}
