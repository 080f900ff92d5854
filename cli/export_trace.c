#include "cli/export_trace.h"

#include "cli/trace_options.h"
#include "core/picture.h"
#include "lp-bridge/goal/smpi.h"
#include "trace/otf2/otf2.h"

#include <string.h>

/* A timeline, its name, and one of the functions that write it. */
struct job {
    struct ct_timeline *timeline;
    struct ct_input input;
    enum ct_status (*write)(struct ct_timeline *timeline, const char *name, FILE *out,
                            struct ct_error *err);
};

static enum ct_status write_job(FILE *out, const void *data, struct ct_error *err)
{
    const struct job *job = data;
    return job->write(job->timeline, job->input.path, out, err);
}

static enum ct_status run_export(struct job job, const struct ct_timeline_window *window,
                                 const char *output, struct ct_error *err)
{
    struct ct_events events;
    CT_TRY(ct_input_open(job.input, &events, err));
    enum ct_status status = ct_timeline_of(&events, window, &job.timeline, err);
    if (status == CT_OK)
        status = ct_picture_make(output, write_job, &job, err);
    else
        ct_fail_within(err, status, "%s", job.input.path);
    ct_timeline_free(job.timeline);
    events.close(events.context);
    return status;
}

enum ct_status ct_export_trace_events(struct ct_input input,
                                      const struct ct_timeline_window *window, const char *output,
                                      struct ct_error *err)
{
    return run_export((struct job){NULL, input, ct_timeline_write_json}, window, output, err);
}

enum ct_status ct_export_drawing(struct ct_input input, const struct ct_timeline_window *window,
                                 const char *output, struct ct_error *err)
{
    return run_export((struct job){NULL, input, ct_timeline_draw}, window, output, err);
}

enum ct_status ct_export_archive(struct ct_input input, const char *directory, struct ct_error *err)
{
    struct ct_events events;
    CT_TRY(ct_input_open(input, &events, err));
    enum ct_status status = ct_otf2_write(&events, directory, err);
    events.close(events.context);
    return status;
}

enum ct_status ct_export_smpi(const char *command, struct ct_input input, const char *directory,
                              struct ct_error *err)
{
    const struct ct_trace_settings settings = {.compute_scale = 1};
    struct ct_goal goal;
    CT_TRY(ct_schedule_load(command, input, &settings, &goal, err));
    enum ct_status status = ct_goal_write_smpi(&goal, directory, err);
    ct_goal_free(&goal);
    return status;
}
