/* Campaign files: what is read must have a plan, or be refused; whatever is read is freed. */
#include "campaign/commands.h"
#include "campaign/plan.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_plan(const struct ct_campaign_spec *spec)
{
    struct ct_plan plan;
    struct ct_error err;
    if (ct_plan_make(spec, spec->seed, &plan, &err) != CT_OK)
        return;
    for (size_t i = 0; i < plan.n_runs && i < 20; i++) {
        struct ct_argv words = {0};
        const struct ct_plan_run *run = &plan.runs[i];
        /* Words of the file were checked when it was read. */
        if (ct_command_measured(spec, run, "out.h5", &words, &err) != CT_OK || words.n == 0 ||
            strchr(run->id, '/'))
            abort();
        ct_argv_free(&words);
        for (size_t j = 0; j < ct_command_n_backgrounds(spec, run); j++) {
            if (ct_command_background(spec, run, j, "sent.h5", 60, &words, &err) != CT_OK ||
                words.n == 0)
                abort();
            ct_argv_free(&words);
        }
    }
    ct_plan_free(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_campaign_spec spec;
    struct ct_error err;
    if (ct_campaign_spec_parse((const char *)data, size, "input", &spec, &err) != CT_OK)
        return 0;
    check_plan(&spec);
    ct_campaign_spec_free(&spec);
    return 0;
}
