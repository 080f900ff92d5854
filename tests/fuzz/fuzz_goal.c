/* Schedules in both forms: any bytes are read or refused, and what is read survives being written.
 */
#include "lp-bridge/goal/goal.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static enum ct_status read_any(const uint8_t *data, size_t size, struct ct_goal *goal_p)
{
    if (ct_goal_is_binary(data, size))
        return ct_goal_read_binary(data, size, "input", goal_p, NULL);
    FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
    if (!in)
        return CT_ENOMEM;
    enum ct_status status = ct_goal_read_text(in, "input", goal_p, NULL);
    fclose(in);
    return status;
}

static void check_form(const struct ct_goal *goal,
                       enum ct_status (*write)(const struct ct_goal *, FILE *, struct ct_error *))
{
    char *bytes = NULL;
    size_t size = 0;
    struct ct_goal back;
    FILE *out = open_memstream(&bytes, &size);
    if (!out)
        return;
    enum ct_status status = write(goal, out, NULL);
    fclose(out);
    if (status != CT_OK || read_any((uint8_t *)bytes, size, &back) != CT_OK)
        abort();
    if (back.n_ops != goal->n_ops || back.n_deps != goal->n_deps || back.n_ranks != goal->n_ranks)
        abort();
    ct_goal_free(&back);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_goal goal;
    if (read_any(data, size, &goal) != CT_OK)
        return 0;
    if (goal.n_ranks < 10000) {
        check_form(&goal, ct_goal_write_text);
        check_form(&goal, ct_goal_write_binary);
    }
    ct_goal_free(&goal);
    return 0;
}
