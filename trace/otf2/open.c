/* Traces of any form. */
#include "trace/otf2/otf2.h"

enum ct_status ct_traces_open(const char *path, struct ct_events *events_p, struct ct_error *err)
{
    return ct_otf2_is_archive(path) ? ct_otf2_open(path, events_p, err)
                                    : ct_events_open(path, events_p, err);
}
