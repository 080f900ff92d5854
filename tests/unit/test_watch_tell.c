/* What a watch says to others: metrics, journal, commands of alarms, and the verdict on a host. */
#include "core/clock.h"
#include "core/file.h"
#include "tests/unit/unit.h"
#include "topology/read.h"
#include "watch/tell/alarm_command.h"
#include "watch/tell/events.h"
#include "watch/tell/journal.h"
#include "watch/tell/metrics.h"
#include "watch/tell/status_file.h"
#include "watch/tell/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two hosts on a switch, one of whose links loses messages. */
struct said {
    struct ct_topology topology;
    struct ct_watch_host hosts[2];
    struct ct_watch_class class;
    struct ct_watch_alarm alarms[2]; /* newest first */
    struct ct_watch_price price;
    const char *unknown[2];
    struct ct_watch_state state;
};

static const int64_t second_ns = 1000000000, begin_ns = INT64_C(1700000000) * 1000000000;

static void said_open(struct said *said)
{
    const struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_error err;
    *said = (struct said){
        .hosts = {{.name = "n0",
                   .is_present = true,
                   .seen_unix_ns = begin_ns,
                   .offset_s = NAN,
                   .answered = 10,
                   .lost = 2},
                  {.name = "a \"b\"\\\n\xff", .offset_s = -1.5, .skipped = 3}},
        .class = {.switches = 1,
                  .bytes = 128,
                  .n = 40,
                  .median_s = 2e-5,
                  .p90_s = 3e-5,
                  .p99_s = NAN,
                  .healthy_s = 1e-5,
                  .healthy_p99_s = 2e-5},
        .alarms = {{.id = 1,
                    .since_unix_ns = begin_ns - 5 * second_ns,
                    .raised_unix_ns = begin_ns,
                    .kind = CT_WATCH_LOSS,
                    .n_suspects = 1,
                    .suspects = {1},
                    .host = UINT32_MAX,
                    .size = 0.01,
                    .low = 0.005,
                    .high = 0.02,
                    .log_evidence = 12,
                    .reason = "messages are lost (5 of 500 that passed)"}},
        .price = {.alarm = 1, .application = "lammps", .percent = 12, .low = 10, .high = 14},
        .unknown = {"1 probes of hosts that were not listed yet"}};
    assert_int_equal(ct_topology_make("switch:2", &settings, &said->topology, &err), CT_OK);
    said->state = (struct ct_watch_state){.unix_ns = begin_ns,
                                          .topology = &said->topology,
                                          .hosts = said->hosts,
                                          .n_hosts = 2,
                                          .classes = &said->class,
                                          .n_classes = 1,
                                          .alarms = said->alarms,
                                          .n_alarms = 1,
                                          .prices = &said->price,
                                          .n_prices = 1,
                                          .unknown = said->unknown,
                                          .n_unknown = 1,
                                          .false_alarms_per_day = 0.1};
}

static void said_close(struct said *said)
{
    ct_topology_free(&said->topology);
}

/* Owned by the caller. */
static char *metrics_of(const struct said *said, enum ct_watch_exposition exposition)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    ct_watch_metrics_write(&said->state, exposition, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = text; (at = strstr(at, line)); at++)
        if ((at == text || at[-1] == '\n') && at[length] == '\n')
            return;
    fail_msg("no line %s in\n%s", line, text);
}

static void metrics_have_what_is_known(void **state)
{
    (void)state;
    struct said said;
    said_open(&said);
    char *text = metrics_of(&said, CT_WATCH_PROMETHEUS);
    assert_line(text, "# TYPE crosstalk_watch_probes_total counter");
    assert_line(text, "crosstalk_watch_probes_total{host=\"n0\",fate=\"lost\"} 2");
    assert_line(text, "crosstalk_watch_host_present{host=\"a \\\"b\\\"\\\\\\n?\"} 0");
    assert_line(text, "crosstalk_watch_latency_seconds{switches=\"1\",bytes=\"128\",way=\"one "
                      "way\",percentile=\"50\"} 2e-05");
    assert_line(text, "crosstalk_watch_fault_since_timestamp_seconds{place=\"s0 to "
                      "n0\",kind=\"loss\"} 1699999995");
    assert_line(text, "crosstalk_watch_slowdown_ratio{application=\"lammps\",place=\"s0 to "
                      "n0\",kind=\"loss\"} 0.12");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "percentile=\"99\"} nan"));
    assert_null(strstr(text, "link_busy")); /* not known */
    assert_null(strstr(text, "# EOF"));
    free(text);
    text = metrics_of(&said, CT_WATCH_OPENMETRICS);
    assert_line(text, "# TYPE crosstalk_watch_probes counter");
    assert_line(text, "# UNIT crosstalk_watch_latency_seconds seconds");
    assert_line(text, "# EOF");
    free(text);
    said_close(&said);
}

/* Two alarms of a kind at a place would be one series twice. */
static void a_series_is_there_once(void **state)
{
    (void)state;
    struct said said;
    said_open(&said);
    said.alarms[1] = said.alarms[0];
    said.alarms[0].id = 2;
    said.state.n_alarms = 2;
    char *text = metrics_of(&said, CT_WATCH_PROMETHEUS);
    const char *at = strstr(text, "\ncrosstalk_watch_fault_since_timestamp_seconds{");
    assert_non_null(at);
    assert_null(strstr(at + 1, "\ncrosstalk_watch_fault_since_timestamp_seconds{"));
    assert_line(text, "crosstalk_watch_alarms_total 2");
    free(text);
    said_close(&said);
}

/* ---- the journal ---- */

static char *journal_of(const char *path)
{
    struct ct_text text;
    struct ct_error err;
    if (ct_file_read(path, &text, &err) != CT_OK)
        fail_msg("%s", err.text);
    return text.text;
}

struct listener {
    struct ct_watch_journal *journal;
    int n[3]; /* by enum ct_watch_event */
};

static void listen_to(void *taker, const struct ct_watch_state *state,
                      const struct ct_watch_alarm *alarm, enum ct_watch_event event)
{
    struct listener *listener = taker;
    listener->n[event]++;
    ct_watch_journal_alarm(listener->journal, state, alarm, event);
}

static void next_events(struct ct_watch_events *events, const struct said *said,
                        struct listener *listener)
{
    struct ct_error err;
    assert_int_equal(ct_watch_events_next(events, &said->state, listen_to, listener, &err), CT_OK);
}

static enum ct_status reopen(const char *path, struct ct_watch_events *events,
                             struct listener *listener)
{
    struct ct_error err;
    if (listener->journal)
        assert_int_equal(ct_watch_journal_close(listener->journal, &err), CT_OK);
    ct_watch_events_free(events);
    return ct_watch_journal_open(path, &listener->journal, &events->told_unix_ns, &err);
}

/* Once, by this process or by the next one that reads the same probes. */
static void a_narrower_place_is_told(void **state)
{
    (void)state;
    struct said said;
    struct ct_watch_events events = {0};
    struct listener listener = {.journal = NULL};
    struct ct_error err;
    char folder[] = "/tmp/watch-tell-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/journal", folder);
    said_open(&said);
    struct ct_watch_alarm *alarm = &said.alarms[0];
    alarm->n_suspects = 0;
    for (int i = 0; i < 2; i++) { /* told by the same process, then by another one */
        assert_int_equal(reopen(path, &events, &listener), CT_OK);
        next_events(&events, &said, &listener);
        if (i == 1)
            assert_int_equal(reopen(path, &events, &listener), CT_OK);
        alarm->n_suspects = 1 + (i == 0);
        alarm->suspects[1] = 3;
        alarm->narrowed_unix_ns = begin_ns + (1 + i) * second_ns;
        next_events(&events, &said, &listener);
        next_events(&events, &said, &listener);
        assert_int_equal(listener.n[CT_WATCH_FAULT], 1);
        assert_int_equal(listener.n[CT_WATCH_NARROWED], 1 + i);
    }
    assert_int_equal(reopen(path, &events, &listener), CT_OK);
    assert_int_equal(events.told_unix_ns, begin_ns + 2 * second_ns);
    next_events(&events, &said, &listener);
    assert_int_equal(listener.n[CT_WATCH_NARROWED], 2);
    assert_int_equal(ct_watch_journal_close(listener.journal, &err), CT_OK);
    ct_watch_events_free(&events);
    char *text = journal_of(path);
    assert_non_null(strstr(text, "\"event\": \"fault\", \"id\": 1, \"kind\": \"loss\", "
                                 "\"place\": \"more than 4 links\""));
    assert_non_null(strstr(text, "{\"time\": \"2023-11-14T22:13:21Z\", \"unix_ns\": "
                                 "1700000001000000000, \"event\": \"place\", \"id\": 1, \"kind\": "
                                 "\"loss\", \"place\": \"s0 to n0 or s0 to n1\", \"since\": "));
    assert_non_null(strstr(text, "\"event\": \"place\", \"id\": 1, \"kind\": \"loss\", "
                                 "\"place\": \"s0 to n0\", \"since\": "));
    free(text);
    char *metrics = metrics_of(&said, CT_WATCH_PROMETHEUS);
    assert_line(metrics, "crosstalk_watch_alarms_total 1"); /* it is no second alarm */
    free(metrics);
    unlink(path);
    rmdir(folder);
    said_close(&said);
}

static void a_journal_goes_on(void **state)
{
    (void)state;
    struct said said;
    struct ct_watch_events events = {0};
    struct listener listener = {0};
    struct ct_watch_journal *second = NULL;
    struct ct_error err;
    char folder[] = "/tmp/watch-tell-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/journal", folder);
    said_open(&said);
    assert_int_equal(ct_file_save(path, "{\"time\": \"20", 12, &err), CT_OK); /* was killed */

    assert_int_equal(ct_watch_journal_open(path, &listener.journal, &events.told_unix_ns, &err),
                     CT_OK);
    assert_int_equal(events.told_unix_ns, 0);
    assert_int_equal(ct_watch_journal_open(path, &second, &events.told_unix_ns, &err), CT_EEXIST);
    next_events(&events, &said, &listener);
    next_events(&events, &said, &listener);
    ct_watch_journal_unknown(listener.journal, &said.state);
    said.unknown[0] = "22 probes of hosts that were not listed yet"; /* the same sentence */
    ct_watch_journal_unknown(listener.journal, &said.state);
    said.state.n_unknown = 0;
    ct_watch_journal_unknown(listener.journal, &said.state);
    assert_int_equal(ct_watch_journal_close(listener.journal, &err), CT_OK);
    ct_watch_events_free(&events);
    char *text = journal_of(path);
    assert_int_equal(strncmp(text, "{\"time\": \"2023-11-14", 20), 0); /* the half line is gone */
    assert_line(text,
                "{\"time\": \"2023-11-14T22:13:20Z\", \"unix_ns\": 1700000000000000000, \"event\": "
                "\"fault\", \"id\": 1, \"kind\": \"loss\", \"place\": \"s0 to n0\", \"since\": "
                "\"2023-11-14T22:13:15Z\", \"size\": 0.01, \"low\": 0.005, \"high\": 0.02, "
                "\"log_evidence\": 12, \"reason\": \"messages are lost (5 of 500 that passed)\"}");
    assert_line(text, "{\"time\": \"2023-11-14T22:13:20Z\", \"unix_ns\": 1700000000000000000, "
                      "\"event\": \"unknown\", \"what\": \"1 probes of hosts that were not listed "
                      "yet\"}");
    assert_null(strstr(text, "\"event\": \"unknown\", \"what\": \"22"));
    assert_non_null(strstr(text, "\"event\": \"known\", \"what\": \"22"));
    free(text);

    /* Another process: the alarm was told, its end was not. */
    said.alarms[0].ended_unix_ns = begin_ns + 60 * second_ns;
    assert_int_equal(ct_watch_journal_open(path, &listener.journal, &events.told_unix_ns, &err),
                     CT_OK);
    assert_int_equal(events.told_unix_ns, begin_ns);
    next_events(&events, &said, &listener);
    assert_int_equal(ct_watch_journal_close(listener.journal, &err), CT_OK);
    assert_int_equal(listener.n[CT_WATCH_FAULT], 1);
    assert_int_equal(listener.n[CT_WATCH_OVER], 1);
    ct_watch_events_free(&events);

    /* It is there again, and ends again. */
    said.alarms[0].kind = CT_WATCH_FLAP;
    said.alarms[0].raised_unix_ns = begin_ns + 90 * second_ns;
    said.alarms[0].ended_unix_ns = 0;
    assert_int_equal(ct_watch_journal_open(path, &listener.journal, &events.told_unix_ns, &err),
                     CT_OK);
    for (int i = 0; i < 2; i++) {
        next_events(&events, &said, &listener);
        next_events(&events, &said, &listener);
        said.alarms[0].ended_unix_ns = i == 0 ? said.alarms[0].raised_unix_ns + second_ns : 0;
        next_events(&events, &said, &listener);
        said.alarms[0].raised_unix_ns += 60 * second_ns;
        said.alarms[0].ended_unix_ns = 0;
    }
    assert_int_equal(ct_watch_journal_close(listener.journal, &err), CT_OK);
    assert_int_equal(listener.n[CT_WATCH_FAULT], 3);
    assert_int_equal(listener.n[CT_WATCH_OVER], 2);
    ct_watch_events_free(&events);

    /* The date was set back by a year: what comes now is new all the same. */
    int64_t raised_ns = said.alarms[0].raised_unix_ns;
    assert_int_equal(ct_watch_journal_open(path, &listener.journal, &events.told_unix_ns, &err),
                     CT_OK);
    said.state.n_alarms = 0;
    next_events(&events, &said, &listener);
    said.state.n_alarms = 1;
    said.alarms[0].raised_unix_ns -= 365 * 86400 * second_ns;
    next_events(&events, &said, &listener);
    said.alarms[0].raised_unix_ns = raised_ns;
    assert_int_equal(ct_watch_journal_close(listener.journal, &err), CT_OK);
    assert_int_equal(listener.n[CT_WATCH_FAULT], 4);
    ct_watch_events_free(&events);

    /* What is no journal is left as it is. */
    assert_int_equal(ct_file_save(path, "notes\nof mine", 13, &err), CT_OK);
    assert_int_equal(ct_watch_journal_open(path, &listener.journal, &events.told_unix_ns, &err),
                     CT_EFORMAT);
    assert_non_null(strstr(err.text, "is no journal"));
    text = journal_of(path);
    assert_string_equal(text, "notes\nof mine");
    free(text);
    unlink(path);
    rmdir(folder);
    said_close(&said);
}

/* What is not known before the first probe is of now. */
static void a_journal_has_no_date_of_1970(void **state)
{
    (void)state;
    char folder[] = "/tmp/watch-tell-XXXXXX", path[64];
    const char *unknown = "what is healthy";
    const struct ct_watch_state none = {.unknown = &unknown, .n_unknown = 1};
    struct ct_watch_journal *journal;
    struct ct_error err;
    int64_t told;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/journal", folder);
    assert_int_equal(ct_watch_journal_open(path, &journal, &told, &err), CT_OK);
    ct_watch_journal_unknown(journal, &none);
    assert_int_equal(ct_watch_journal_close(journal, &err), CT_OK);
    char *text = journal_of(path);
    assert_non_null(strstr(text, "\"what\": \"what is healthy\""));
    assert_null(strstr(text, "1970"));
    free(text);
    unlink(path);
    rmdir(folder);
}

static void a_full_disk_is_waited_for(void **state)
{
    (void)state;
    struct said said;
    struct ct_watch_journal *journal;
    struct ct_error err;
    int64_t told;
    if (access("/dev/full", W_OK) != 0)
        skip();
    said_open(&said);
    assert_int_equal(ct_watch_journal_open("/dev/full", &journal, &told, &err), CT_OK);
    ct_watch_journal_alarm(journal, &said.state, &said.alarms[0], CT_WATCH_FAULT);
    assert_int_equal(ct_watch_journal_flush(journal, &err), CT_EIO);
    assert_non_null(strstr(err.text, "/dev/full"));
    assert_int_equal(ct_watch_journal_close(journal, &err), CT_EIO);
    said_close(&said);
}

/* ---- commands ---- */

static void write_program(const char *path, const char *text)
{
    struct ct_error err;
    assert_int_equal(ct_file_save(path, text, strlen(text), &err), CT_OK);
    assert_int_equal(chmod(path, 0755), 0);
}

static void a_program_has_the_facts(void **state)
{
    (void)state;
    struct said said;
    struct ct_watch_command *command;
    struct ct_error err;
    struct ct_log log = ct_log_open("test", true);
    char folder[] = "/tmp/watch-tell-XXXXXX", program[64], text[256];
    assert_non_null(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/program", folder);
    snprintf(text, sizeof text,
             "#!/bin/sh\necho \"$CROSSTALK_WATCH_EVENT $CROSSTALK_WATCH_KIND at "
             "$CROSSTALK_WATCH_PLACE $#\" >>%s/out\n",
             folder);
    write_program(program, text);
    said_open(&said);
    assert_int_equal(ct_watch_command_new(program, 20, &log, &command, &err), CT_OK);
    ct_watch_command_alarm(command, &said.state, &said.alarms[0], CT_WATCH_FAULT);
    ct_watch_command_alarm(command, &said.state, &said.alarms[0], CT_WATCH_OVER);
    ct_watch_command_free(command);
    snprintf(text, sizeof text, "%s/out", folder);
    char *out = journal_of(text);
    assert_string_equal(out, "fault loss at s0 to n0 0\nover loss at s0 to n0 0\n");
    free(out);
    unlink(text);
    unlink(program);
    rmdir(folder);
    said_close(&said);
}

static void a_program_that_hangs_is_ended(void **state)
{
    (void)state;
    struct said said;
    struct ct_watch_command *command;
    struct ct_error err;
    char *text = NULL, program[] = "/tmp/watch-tell-XXXXXX";
    size_t size;
    struct ct_log log = ct_log_open("test", true);
    log.stream = open_memstream(&text, &size);
    int fd = mkstemp(program);
    assert_true(fd >= 0);
    close(fd);
    write_program(program, "#!/bin/sh\nexec sleep 1000\n");
    said_open(&said);
    assert_int_equal(ct_watch_command_new(program, 0.1, &log, &command, &err), CT_OK);
    ct_watch_command_alarm(command, &said.state, &said.alarms[0], CT_WATCH_FAULT);
    ct_watch_command_free(command);
    assert_int_equal(ct_watch_command_new("/nowhere/program", 0.1, &log, &command, &err),
                     CT_ENOENT);
    assert_int_equal(ct_watch_command_new("no-program-of-this-name", 0.1, &log, &command, &err),
                     CT_ENOENT);
    assert_int_equal(ct_watch_command_new("true", 1, &log, &command, &err), CT_OK);
    ct_watch_command_free(command);
    assert_int_equal(ct_watch_command_new(program, 0.1, &log, &command, &err), CT_OK);
    unlink(program); /* after it was looked for */
    ct_watch_command_alarm(command, &said.state, &said.alarms[0], CT_WATCH_FAULT);
    ct_watch_command_free(command);
    fclose(log.stream);
    assert_non_null(strstr(text, "since it took too long"));
    assert_non_null(strstr(text, "cannot be started for alarm 1: No such file"));
    free(text);
    said_close(&said);
}

/* ---- the verdict ---- */

static void hosts_have_a_verdict(void **state)
{
    (void)state;
    static const char json[] =
        "{\"newest_unix_s\": 1000, \"false_alarms_per_day\": 0.1, \"has_learned\": 1, "
        "\"hosts_seen\": [{\"host\": \"n1\", \"present\": 1}, {\"host\": \"h12\", \"node\": "
        "\"n11\", \"present\": 1}, {\"host\": \"n2\", \"present\": 0}], \"alarms\": [{\"kind\": "
        "\"loss\", \"where\": \"n11 "
        "to leaf0\", \"size\": \"1 %\", \"since\": \"noon\", \"ended\": \"lasts\"}, {\"kind\": "
        "\"loss\", \"where\": \"n1 to leaf0\", \"ended\": \"2026\"}]}";
    static const struct {
        const char *json, *host;
        double now_s;
        enum ct_watch_verdict verdict;
        const char *text;
    } rows[] = {
        {json, "n1", 1030, CT_WATCH_WELL, "no fault (probes of 30 s ago"},
        {json, "n11", 1030, CT_WATCH_SICK, "n11 to leaf0: loss 1 %, since noon"},
        {json, "h12", 1030, CT_WATCH_SICK, "h12: n11 to leaf0"},
        {json, NULL, 1030, CT_WATCH_SICK, "n11 to leaf0"},
        {json, "", 1030, CT_WATCH_UNSURE, "does not have this host"},
        {json, "n1", 900, CT_WATCH_UNSURE, "which clock is wrong"},
        {json, "n2", 1030, CT_WATCH_UNSURE, "takes no part"},
        {json, "n3", 1030, CT_WATCH_UNSURE, "does not have this host"},
        {json, "n11", 1100, CT_WATCH_UNSURE, "100 s old"},
        {"{\"false_alarms_per_day\": 1, \"alarms\": []}", NULL, 0, CT_WATCH_UNSURE, "old"},
        {"{\"newest_unix_s\": 0, \"false_alarms_per_day\": 1, \"alarms\": []}", NULL, 1e9,
         CT_WATCH_UNSURE, "no probe yet"},
        {"{\"newest_unix_s\": null, \"false_alarms_per_day\": 1, \"alarms\": []}", NULL, 1e9,
         CT_WATCH_UNSURE, "no probe yet"},
        {"{}", NULL, 0, CT_WATCH_UNSURE, "not the answer"},
        {"[1", NULL, 0, CT_WATCH_UNSURE, "not the answer"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_watch_health health;
        ct_watch_health_read(rows[i].json, strlen(rows[i].json), rows[i].host, rows[i].now_s, 60,
                             &health);
        if (health.verdict != rows[i].verdict || !strstr(health.text, rows[i].text))
            fail_msg("row %zu: %d: %s", i, health.verdict, health.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(metrics_have_what_is_known),
                                       cmocka_unit_test(a_series_is_there_once),
                                       cmocka_unit_test(a_narrower_place_is_told),
                                       cmocka_unit_test(a_journal_goes_on),
                                       cmocka_unit_test(a_journal_has_no_date_of_1970),
                                       cmocka_unit_test(a_full_disk_is_waited_for),
                                       cmocka_unit_test(a_program_has_the_facts),
                                       cmocka_unit_test(a_program_that_hangs_is_ended),
                                       cmocka_unit_test(hosts_have_a_verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
