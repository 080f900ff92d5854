/** Schedules of a campaign's applications, as models of execution for predictions. */
#ifndef CT_STUDY_SCHEDULES_H
#define CT_STUDY_SCHEDULES_H

#include "core/words.h"
#include "study/campaign.h"
#include "study/parameters.h"
#include "study/simulation.h"

struct ct_schedule_settings {
    const char
        *folder; /**< NULL: schedules and traces in the campaign's folder, if they are there */
    struct ct_model_settings model; /**< LogGPS; NULL: from the campaign's idle logp run */
};

/** Rows --schedules, --L, --o, --G, --S, --logp; offsets in the struct above. */
extern const struct ct_option ct_schedule_options[];

/** Of one application. */
struct ct_schedule {
    char *path; /**< NULL: none was found */
    char *why;  /**< why it serves for nothing; NULL: it does */
    uint32_t n_ranks, n_operations;
    uint32_t ranks_per_node;
    double runtime_s; /**< by the model, on the idle network */
    size_t starts;    /**< replays that a mean run time rests on */
    double L_s;
    struct ct_replay *replay; /**< NULL: none */
};

struct ct_schedules {
    struct ct_schedule *items;             /**< [app] */
    struct ct_predict_response *responses; /**< [app]; refer to items */
    size_t n_apps, n_available;
    struct ct_words notes;        /**< what schedules leave out of traces, a text each */
    struct ct_graph_model *model; /**< NULL: none */
    struct ct_together *together; /**< all that are available */
};

/** Whether there is a folder that schedules or traces are looked for in. */
bool ct_schedules_are_there(const char *directory, const struct ct_schedule_settings *settings);

/**
 * Look for schedules, FOLDER/APP.goal or FOLDER/APP.bin, or else FOLDER/../traces/APP, and for the
 * parameters: the given ones, else those of the first logp run of the idle network. Where something
 * is missing or of no use, the application has no response, and why says it. With at least one
 * schedule the responses become part of the campaign's input, which must not outlive them; nor may
 * they outlive the campaign.
 * @param directory    [in]     the campaign's folder or file
 * @param schedules_p  [out]    ct_schedules_free(); unchanged on error
 * @return CT_OK; CT_ENOENT (a folder that was asked for); CT_EUSAGE (parameters that are no
 *         numbers); CT_ENOMEM
 */
enum ct_status ct_schedules_load(struct ct_loaded_campaign *campaign, const char *directory,
                                 const struct ct_schedule_settings *settings,
                                 struct ct_schedules *schedules_p, struct ct_error *err);
void ct_schedules_free(struct ct_schedules *schedules);

#endif
