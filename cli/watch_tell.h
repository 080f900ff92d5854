/** crosstalk watch: where else it says what it finds: journal, metrics, status, a command. */
#pragma once

#include "core/log.h"
#include "core/option.h"
#include "watch/state.h"

#include <stdio.h>

struct ct_watch_tell_settings {
    const char *journal, *textfile, *status, *on_alarm; /**< NULL: not given */
    double alarm_limit_s;
};

extern const struct ct_option ct_watch_tell_options[];

struct ct_watch_teller;

/** Writes the answer as JSON. */
typedef enum ct_status ct_watch_answer_writer(void *context, FILE *out, struct ct_error *err);

/**
 * @param settings  [in] borrowed
 * @param log       [in] for what fails later; borrowed
 * @return CT_OK; CT_EEXIST (another process has the journal); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_watch_teller_open(const struct ct_watch_tell_settings *settings,
                                    struct ct_log *log, struct ct_watch_teller **teller_p,
                                    struct ct_error *err);

/**
 * Say what is new, to the journal and to programs. What cannot be written is warned of once a
 * minute.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_watch_teller_step(struct ct_watch_teller *teller,
                                    const struct ct_watch_state *state, struct ct_error *err);

/**
 * Replace the files every 10 s. What cannot be written is warned of once a minute.
 * @param is_last  [in] now, whatever the time
 */
void ct_watch_teller_replace(struct ct_watch_teller *teller, const struct ct_watch_state *state,
                             bool is_last, ct_watch_answer_writer *write_answer, void *context);

/** End what runs. NULL: nothing. @return CT_OK; CT_EIO: the journal is not whole */
enum ct_status ct_watch_teller_close(struct ct_watch_teller *teller, struct ct_error *err);
