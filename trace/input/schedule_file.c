#include "trace/input/schedule_file.h"

#include "trace/rehearse/steps.h"

#include <inttypes.h>

static void note_conversion(const char *path, uint32_t n_ranks,
                            const struct ct_convert_notes *found, struct ct_argv *notes)
{
    if (found->n_cut > 0)
        ct_argv_add(notes,
                    "%s: %u of %u traces end before MPI_Finalize, the first that of rank %u: what "
                    "has its counterpart is used; %" PRIu64 " events at their ends have none",
                    path, found->n_cut, n_ranks, found->first_cut, found->unused);
    else if (found->unused > 0)
        ct_argv_add(notes,
                    "%s: %" PRIu64 " events have no counterpart, since the recording of ranks was "
                    "turned off before: left out",
                    path, found->unused);
    if (found->n_threaded > 0)
        ct_argv_add(
            notes,
            "%s: %u of %u ranks call MPI by several threads at once: all their messages are "
            "in the schedule, but not the order of the threads: the calls of a rank follow "
            "one another as they ended",
            path, found->n_threaded, n_ranks);
    if (found->longer > 0)
        ct_argv_add(notes,
                    "%s: %" PRIu64 " receives are longer than their messages: the size of the "
                    "message is used",
                    path, found->longer);
    if (found->accesses > 0)
        ct_argv_add(notes,
                    "%s: %" PRIu64
                    " one-sided accesses: the rank that is accessed answers at once, "
                    "whatever it does; where it does so in calls of MPI, tolerance --progress "
                    "both has the upper bound",
                    path, found->accesses);
    if (found->dropped > 0)
        ct_argv_add(notes, "%s: %" PRIu64 " messages were cancelled or never completed: left out",
                    path, found->dropped);
    for (size_t i = 0; i < found->n_unmodelled; i++) {
        char text[CT_TRACE_COUNT_TEXT_MAX];
        ct_trace_unmodelled_describe(&found->unmodelled[i], text);
        ct_argv_add(notes, "%s: %s is not in the schedule %s", path, found->unmodelled[i].name,
                    text);
    }
}

enum ct_status ct_schedule_windows_open(struct ct_input input,
                                        const struct ct_convert_options *options, uint64_t weight,
                                        struct ct_schedule_windows *windows_p, struct ct_error *err)
{
    *windows_p = (struct ct_schedule_windows){.input = input};
    if (!ct_input_has_calls(input))
        return weight == CT_WINDOW_WHOLE
                   ? CT_OK
                   : ct_goal_windows_open(input.path, weight, &windows_p->binary, err);
    CT_TRY(ct_input_open(input, &windows_p->events, err));
    /* An archive is read rank by rank only. */
    enum ct_status status = ct_windows_open(&windows_p->events, options,
                                            input.kind == CT_INPUT_OTF2 ? CT_WINDOW_WHOLE : weight,
                                            &windows_p->windows, err);
    if (status != CT_OK)
        windows_p->events.close(windows_p->events.context);
    return status;
}

enum ct_status ct_schedule_windows_next(struct ct_schedule_windows *windows, struct ct_goal *goal_p,
                                        struct ct_error *err)
{
    if (!windows->windows)
        return windows->binary ? ct_goal_windows_next(windows->binary, goal_p, err)
                               : ct_goal_read(windows->input.path, goal_p, err);
    enum ct_status status = ct_windows_next(windows->windows, goal_p, err);
    windows->failed = status != CT_OK;
    return ct_input_fail_within(windows->input, status, err);
}

void ct_schedule_windows_close(struct ct_schedule_windows *windows, struct ct_argv *notes)
{
    struct ct_convert_notes found;
    ct_goal_windows_free(windows->binary);
    if (!windows->windows)
        return;
    ct_windows_take_notes(windows->windows, &found);
    if (!windows->failed)
        note_conversion(windows->input.path, windows->events.n_ranks, &found, notes);
    ct_convert_notes_free(&found);
    ct_windows_free(windows->windows);
    windows->events.close(windows->events.context);
}

enum ct_status ct_schedule_read(struct ct_input input, const struct ct_convert_options *options,
                                struct ct_goal *goal_p, struct ct_argv *notes, struct ct_error *err)
{
    const struct ct_convert_options defaults = ct_convert_defaults();
    struct ct_convert_notes found;
    if (!ct_input_has_calls(input))
        return ct_goal_read(input.path, goal_p, err);
    CT_TRY(ct_input_convert(input, options ? options : &defaults, goal_p, &found, err));
    note_conversion(input.path, goal_p->n_ranks, &found, notes);
    ct_convert_notes_free(&found);
    if (notes->failed) {
        ct_goal_free(goal_p);
        return ct_no_memory(err, "%s", input.path);
    }
    return CT_OK;
}

enum ct_status ct_schedule_find_steps(struct ct_input input, struct ct_convert_part *part_p,
                                      uint64_t *n_steps_p, struct ct_error *err)
{
    struct ct_events events;
    struct ct_rehearsal rehearsal;
    struct ct_steps steps;
    if (input.kind == CT_INPUT_OTF2) /* of all ranks in turn, which it cannot be read in */
        return ct_fail(err, CT_EUNSUPPORTED,
                       "%s: steps are found in traces, not in an archive; use --pass-from and "
                       "--pass-to",
                       input.path);
    CT_TRY(ct_input_open(input, &events, err));
    enum ct_status status = ct_rehearse(&events, 0, &rehearsal, err);
    events.close(events.context);
    if (status != CT_OK)
        return status;
    status = ct_steps_find(&rehearsal, &steps, err);
    ct_rehearsal_free(&rehearsal);
    if (status != CT_OK)
        return status;
    *part_p = (struct ct_convert_part){steps.first, steps.first + steps.n * steps.period};
    *n_steps_p = steps.n;
    return CT_OK;
}

static enum ct_status summarize_input(struct ct_input input, struct ct_trace_summary *summary_p,
                                      struct ct_error *err)
{
    struct ct_events events;
    CT_TRY(ct_input_open(input, &events, err));
    enum ct_status status = ct_events_summarize(&events, summary_p, err);
    events.close(events.context);
    return status;
}

enum ct_status ct_schedule_collectives(struct ct_input input, uint64_t *calls_p,
                                       struct ct_error *err)
{
    struct ct_trace_summary summary;
    CT_TRY(summarize_input(input, &summary, err));
    ct_convert_collectives(summary.kinds, calls_p);
    ct_trace_summary_free(&summary);
    return CT_OK;
}

enum ct_status ct_schedule_traced_time(struct ct_input input, double *time_s_p,
                                       struct ct_error *err)
{
    struct ct_trace_summary summary;
    CT_TRY(summarize_input(input, &summary, err));
    *time_s_p = 1e-9 * (double)summary.longest_ns;
    ct_trace_summary_free(&summary);
    return CT_OK;
}
