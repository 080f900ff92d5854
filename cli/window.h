/** Options for a window of time, of commands that show traces. */
#pragma once

#include "core/option.h"
#include "trace/timeline/timeline.h"

/** Given values; to_s = INFINITY: not given. */
struct ct_window_settings {
    double from_s, to_s;
};

/** Initial values; the options have no defaults that could be printed. */
#define CT_WINDOW_INITIAL                                                                          \
    {                                                                                              \
        .to_s = (double)INFINITY                                                                   \
    }

enum { CT_WINDOW_S_MAX = 1000000000 }; /**< some 30 years */

/* A path of members in offsetof() has no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
/** Rows --from and --to; offset of a struct ct_window_settings. */
#define CT_ROWS_WINDOW(structure_, member_, of_)                                                   \
    {CT_OPTION(DURATION, "from", structure_, member_.from_s), .initial = "0s",                     \
     .max = CT_WINDOW_S_MAX,                                                                       \
     .help = of_ "only calls and messages from this time on, since the start of the traces"},      \
    {                                                                                              \
        CT_OPTION(DURATION, "to", structure_, member_.to_s),                                       \
            .argument = "DURATION", .max = CT_WINDOW_S_MAX,                                        \
            .help = of_ "only calls and messages until this time"                                  \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/** Whether any of the options is given. */
bool ct_window_is_given(const struct ct_window_settings *settings);

/** @return CT_OK; CT_EUSAGE (ends before it begins) */
enum ct_status ct_window_of(const struct ct_window_settings *settings,
                            struct ct_timeline_window *window_p, struct ct_error *err);
