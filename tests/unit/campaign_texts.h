/* Campaign files as texts, for the tests of spec and plan. */
#pragma once

#include "campaign/plan.h"

#define HEAD "campaign: c\nlauncher: {kind: mpiexec}\n"
#define APPS                                                                                       \
    "applications:\n"                                                                              \
    "  - {name: fft, command: \"workload fft --iterations 10\", slots: 2}\n"                       \
    "  - {name: other, command: \"./app 'in put'\", passes: driver, pass: 4s}\n"
#define CONFIGS                                                                                    \
    "configurations:\n"                                                                            \
    "  - {partners: 1, messages: 2, bubble: 100ms, message_size: 20kB}\n"                          \
    "  - {partners: 4, messages: 1, bubble: 500us}\n"                                              \
    "  - {partners: 4, messages: 1, bubble: 1ms, slots: 2}\n"
#define ADAPTIVE "campaign: c\nlauncher: {kind: mpiexec, hosts: 4, rate: 40gbit}\ngrid: adaptive\n"
#define WHOLE                                                                                      \
    "campaign: whole\nseed: 7\nretries: 1\n"                                                       \
    "launcher: {kind: lab, hosts: 6, rate: 20mbit, queue: fifo, lab: second}\n"                    \
    "durations: {impact: 5s, runtime: 6s, settle: 1.5s, start: 4s, deadline_factor: 2.5}\n"        \
    "probe: {interval: 25ms, message_size: 2KiB, slots: 1, pairing: random, options: '--wait "     \
    "block'}\n"                                                                                    \
    "repetitions: {idle: 3, baseline: 2, impact: 1, compression: 2, corun: 1}\n" APPS CONFIGS

/* Of a good file; another one fails the test. Free with ct_campaign_spec_free(). */
struct ct_campaign_spec read_spec(const char *text);

/* Likewise; ct_plan_free(). */
struct ct_plan make_plan(const struct ct_campaign_spec *spec, uint64_t seed);

/* The run with this name; there must be one. */
const struct ct_plan_run *find_run(const struct ct_plan *plan, const char *id);
