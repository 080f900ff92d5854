#include "cli/window.h"

#include <math.h>

bool ct_window_is_given(const struct ct_window_settings *settings)
{
    return settings->from_s > 0 || isfinite(settings->to_s);
}

enum ct_status ct_window_of(const struct ct_window_settings *settings,
                            struct ct_timeline_window *window_p, struct ct_error *err)
{
    if (settings->to_s < settings->from_s) {
        char from[CT_UNITS_TEXT_MAX], to[CT_UNITS_TEXT_MAX];
        ct_format_duration(settings->from_s, from);
        ct_format_duration(settings->to_s, to);
        return ct_fail(err, CT_EUSAGE, "--to %s: is before --from %s", to, from);
    }
    window_p->from_ns = (uint64_t)llround(1e9 * settings->from_s);
    window_p->to_ns =
        isfinite(settings->to_s) ? (uint64_t)llround(1e9 * settings->to_s) : UINT64_MAX;
    return CT_OK;
}
