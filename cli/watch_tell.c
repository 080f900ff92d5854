#include "cli/watch_tell.h"

#include "core/clock.h"
#include "core/file.h"
#include "watch/tell/alarm_command.h"
#include "watch/tell/events.h"
#include "watch/tell/journal.h"
#include "watch/tell/metrics.h"

#include <stdlib.h>

static const double replace_s = 10, warn_s = 60;

const struct ct_option ct_watch_tell_options[] = {
    {CT_OPTION(STRING, "journal", struct ct_watch_tell_settings, journal), .argument = "FILE.jsonl",
     .help = "add a line of JSON for each alarm that is raised, gets a narrower place or ends, and "
             "for what becomes unknown"},
    {CT_OPTION(STRING, "textfile", struct ct_watch_tell_settings, textfile),
     .argument = "FILE.prom", .target = CT_FILE_STREAM,
     .help = "metrics in Prometheus' text format, replaced every 10 s, for node_exporter's "
             "textfile collector"},
    {CT_OPTION(STRING, "status", struct ct_watch_tell_settings, status), .argument = "FILE.json",
     .target = CT_FILE_STREAM,
     .help = "the answer as JSON, replaced every 10 s, for crosstalk watch check"},
    {CT_OPTION(STRING, "on-alarm", struct ct_watch_tell_settings, on_alarm), .argument = "PROGRAM",
     .help = "start this program for each alarm that is raised, gets a narrower place or ends, one "
             "at a time, without a shell and without arguments; its environment has "
             "CROSSTALK_WATCH_EVENT, _ID, _KIND, _PLACE, _SINCE, _TEXT and _REASON"},
    {CT_OPTION(DURATION, "alarm-limit", struct ct_watch_tell_settings, alarm_limit_s),
     .initial = "30s", CT_RANGE(0.1, 3600),
     .help = "with --on-alarm: the program is ended after this time"},
    {0}};

struct ct_watch_teller {
    const struct ct_watch_tell_settings *settings;
    struct ct_log *log;
    struct ct_watch_journal *journal;
    struct ct_watch_command *command;
    struct ct_watch_events events;
    double replaced_s, warned_s; /* ct_clock_now_s() */
};

enum ct_status ct_watch_teller_open(const struct ct_watch_tell_settings *settings,
                                    struct ct_log *log, struct ct_watch_teller **teller_p,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    struct ct_watch_teller *teller = calloc(1, sizeof *teller);
    if (!teller)
        return ct_no_memory(err, "alarms");
    teller->settings = settings;
    teller->log = log;
    teller->replaced_s = teller->warned_s = ct_clock_now_s() - warn_s;
    if (settings->journal)
        status = ct_watch_journal_open(settings->journal, &teller->journal,
                                       &teller->events.told_unix_ns, err);
    if (status == CT_OK && settings->on_alarm)
        status = ct_watch_command_new(settings->on_alarm, settings->alarm_limit_s, log,
                                      &teller->command, err);
    if (status == CT_OK) {
        *teller_p = teller;
        return CT_OK;
    }
    ct_watch_journal_close(teller->journal, NULL);
    free(teller);
    return status;
}

static void tell_event(void *taker, const struct ct_watch_state *state,
                       const struct ct_watch_alarm *alarm, enum ct_watch_event event)
{
    struct ct_watch_teller *teller = taker;
    if (teller->journal)
        ct_watch_journal_alarm(teller->journal, state, alarm, event);
    if (teller->command)
        ct_watch_command_alarm(teller->command, state, alarm, event);
}

/* The watch goes on. */
static void warn_of(struct ct_watch_teller *teller, enum ct_status status,
                    const struct ct_error *why)
{
    double now_s = ct_clock_now_s();
    if (status == CT_OK || now_s - teller->warned_s < warn_s)
        return;
    ct_log_warn(teller->log, "%s", why->text);
    teller->warned_s = now_s;
}

static enum ct_status write_metrics(FILE *out, const void *data, struct ct_error *err)
{
    (void)err;
    ct_watch_metrics_write(data, CT_WATCH_PROMETHEUS, out);
    return CT_OK;
}

struct answer {
    ct_watch_answer_writer *write;
    void *context;
};

static enum ct_status write_answer_to(FILE *out, const void *data, struct ct_error *err)
{
    const struct answer *answer = data;
    return answer->write(answer->context, out, err);
}

enum ct_status ct_watch_teller_step(struct ct_watch_teller *teller,
                                    const struct ct_watch_state *state, struct ct_error *err)
{
    struct ct_error why;
    CT_TRY(ct_watch_events_next(&teller->events, state, tell_event, teller, err));
    if (teller->journal) {
        ct_watch_journal_unknown(teller->journal, state);
        warn_of(teller, ct_watch_journal_flush(teller->journal, &why), &why);
    }
    if (teller->command)
        ct_watch_command_step(teller->command);
    return CT_OK;
}

void ct_watch_teller_replace(struct ct_watch_teller *teller, const struct ct_watch_state *state,
                             bool is_last, ct_watch_answer_writer *write_answer, void *context)
{
    const struct answer answer = {write_answer, context};
    struct ct_error err;
    if (!is_last && ct_clock_now_s() - teller->replaced_s < replace_s)
        return;
    if (teller->settings->textfile)
        warn_of(teller, ct_file_make(teller->settings->textfile, write_metrics, state, &err), &err);
    if (teller->settings->status)
        warn_of(teller, ct_file_make(teller->settings->status, write_answer_to, &answer, &err),
                &err);
    teller->replaced_s = ct_clock_now_s();
}

enum ct_status ct_watch_teller_close(struct ct_watch_teller *teller, struct ct_error *err)
{
    if (!teller)
        return CT_OK;
    ct_watch_command_free(teller->command);
    ct_watch_events_free(&teller->events);
    enum ct_status status = ct_watch_journal_close(teller->journal, err);
    free(teller);
    return status;
}
