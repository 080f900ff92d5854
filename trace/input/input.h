/**
 * What a path of the command line or a campaign is: asked once, where it enters, and passed on with
 * it.
 */
#pragma once

#include "trace/convert/convert.h"

enum ct_input_kind {
    CT_INPUT_ABSENT,   /**< there is no such path */
    CT_INPUT_SCHEDULE, /**< a file, a pipe, or "-": GOAL's text or LogGOPSim's binary form, which
                          the first bytes show when the file is read: a pipe is read once */
    CT_INPUT_TRACES,   /**< folder of `crosstalk trace` */
    CT_INPUT_ALLPROF,  /**< another folder: of liballprof, or an error when it is read */
    CT_INPUT_OTF2,     /**< archive: anchor file or folder */
    CT_INPUT_GENERATED /**< the text of a program (trace/convert/generate.h) */
};

struct ct_input {
    enum ct_input_kind kind;
    const char *path; /**< borrowed */
};

struct ct_input ct_input_of(const char *path);

/** Whether it is a program with calls, which becomes a schedule, and not a schedule. */
static inline bool ct_input_has_calls(struct ct_input input)
{
    return input.kind > CT_INPUT_SCHEDULE;
}

/**
 * Whether a path of the command line may be a program or a schedule; asked before options that are
 * missing.
 * @return CT_OK; CT_ENOENT (there is no such path, or it has folders with traces and is none)
 */
enum ct_status ct_input_check(struct ct_input input, struct ct_error *err);

/**
 * Open what has calls.
 * @param events_p  [out] to be closed; unchanged on error
 * @return CT_OK; CT_ENOENT (no traces there); CT_EFORMAT (a file, or a form that is not read; the
 *         message has which it is); else as ct_generate_open(), ct_trace_events_open(),
 *         ct_allprof_open(), ct_otf2_open()
 */
enum ct_status ct_input_open(struct ct_input input, struct ct_events *events_p,
                             struct ct_error *err);

/**
 * The schedule of what has calls.
 * @param goal_p   [out] ct_goal_free(); unchanged on error
 * @param notes_p  [out] ct_convert_notes_free(); unchanged on error
 * @return as ct_input_open() and ct_convert_events()
 */
enum ct_status ct_input_convert(struct ct_input input, const struct ct_convert_options *options,
                                struct ct_goal *goal_p, struct ct_convert_notes *notes_p,
                                struct ct_error *err);

/** Put its path before what was found wrong in it. @return the status */
enum ct_status ct_input_fail_within(struct ct_input input, enum ct_status status,
                                    struct ct_error *err);
