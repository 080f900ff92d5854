#include "libcrosstalk/schedule.h"

#include "trace/input/schedule_file.h"

#include <stdlib.h>
#include <string.h>

void crosstalk_conversion_init(struct crosstalk_conversion *conversion_p)
{
    *conversion_p =
        (struct crosstalk_conversion){.compute_scale = ct_convert_defaults().compute_scale};
}

static enum ct_status take_conversion(const struct crosstalk_conversion *conversion,
                                      struct ct_convert_options *options, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    *options = ct_convert_defaults();
    if (!conversion)
        return CT_OK;
    if (!(conversion->compute_scale >= 0 && conversion->compute_scale <= CT_COMPUTE_SCALE_MAX))
        return ct_fail(err, CT_EINVAL, "compute_scale %g: not within 0 and %g",
                       conversion->compute_scale, CT_COMPUTE_SCALE_MAX);
    options->compute_scale = conversion->compute_scale;
    const char *const *texts = conversion->collectives;
    for (; texts && *texts && status == CT_OK; texts++)
        status = ct_collective_rules_parse(&options->rules, *texts, err);
    return status;
}

enum crosstalk_status crosstalk_schedule_open(const char *path,
                                              const struct crosstalk_conversion *conversion,
                                              struct crosstalk_schedule **schedule_p,
                                              struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_convert_options options;
    enum ct_status status = take_conversion(conversion, &options, &err);
    if (status != CT_OK)
        return ct_facade_return(status, &err, error);
    struct crosstalk_schedule *schedule = calloc(1, sizeof *schedule);
    char *copy = strdup(path);
    if (!schedule || !copy)
        status = ct_no_memory(&err, "%s", path);
    else
        status =
            ct_schedule_read(ct_input_of(path), &options, &schedule->goal, &schedule->notes, &err);
    if (status != CT_OK) {
        free(copy);
        free(schedule);
        return ct_facade_return(status, &err, error);
    }
    schedule->path = copy;
    *schedule_p = schedule;
    return CROSSTALK_OK;
}

void crosstalk_schedule_close(struct crosstalk_schedule *schedule)
{
    if (schedule) {
        ct_goal_free(&schedule->goal);
        ct_argv_free(&schedule->notes);
        free(schedule->path);
    }
    free(schedule);
}

uint32_t crosstalk_schedule_ranks(const struct crosstalk_schedule *schedule)
{
    return schedule->goal.n_ranks;
}

uint64_t crosstalk_schedule_operations(const struct crosstalk_schedule *schedule)
{
    return schedule->goal.n_ops;
}

size_t crosstalk_schedule_note_count(const struct crosstalk_schedule *schedule)
{
    return schedule->notes.n;
}

const char *crosstalk_schedule_note(const struct crosstalk_schedule *schedule, size_t i)
{
    return schedule->notes.item[i];
}
