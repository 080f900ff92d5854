#include "trace/convert/convert.h"

#include <stdlib.h>

struct ct_convert_options ct_convert_defaults(void)
{
    return (struct ct_convert_options){.compute_scale = 1};
}

void ct_convert_notes_free(struct ct_convert_notes *notes)
{
    free(notes->unmodelled);
    *notes = (struct ct_convert_notes){0};
}

enum ct_status ct_convert_events(const struct ct_events *events,
                                 const struct ct_convert_options *options, struct ct_goal *goal_p,
                                 struct ct_convert_notes *notes_p, struct ct_error *err)
{
    struct ct_windows *windows;
    enum ct_status status = ct_windows_open(events, options, CT_WINDOW_WHOLE, &windows, err);
    if (status != CT_OK)
        return status;
    status = ct_windows_next(windows, goal_p, err);
    if (status == CT_OK)
        ct_windows_take_notes(windows, notes_p);
    ct_windows_free(windows);
    return status;
}
