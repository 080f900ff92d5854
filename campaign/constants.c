#include "campaign/constants.h"

#include "results/config.h"

const struct ct_constant ct_campaign_constants[CT_CAMPAIGN_N_CONSTANTS] = {
    [CT_CAMPAIGN_LAUNCH] = {"launch_s", 0.6, "s", "crosstalk campaign plan", CT_CONSTANT_FITTED,
                            "starting a program and ending one, in the lab with 8 hosts",
                            "was not recorded"},
    [CT_CAMPAIGN_MARGIN] = {"script_margin", 1.5, "1", "crosstalk campaign script",
                            CT_CONSTANT_CHOSEN,
                            "time asked for by the time expected: attempts that fail are repeated",
                            NULL},
    [CT_CAMPAIGN_MARGIN_S] = {"script_margin_s", 600, "s", "crosstalk campaign script",
                              CT_CONSTANT_CHOSEN,
                              "added to the time asked for, beside script_margin", NULL},
    [CT_CAMPAIGN_REPEAT_LEVEL] =
        {"repeat_level", 0.95, "1", "repetitions: target", CT_CONSTANT_CHOSEN,
         "level of the interval of a mean that is to be as narrow as the target", NULL},
    [CT_CAMPAIGN_PICK_LEVEL] = {"pick_level", 0.9, "1", "grid: adaptive", CT_CONSTANT_CHOSEN,
                                "level of the intervals of verdicts that co-runs are picked for: "
                                "as crosstalk predict has",
                                NULL},
    [CT_CAMPAIGN_STEAL_REPEATED] =
        {"steal_repeated", 0.02, "1", "repetitions: target", CT_CONSTANT_CHOSEN,
         "of a rank's time: runs from which more was stolen are repeated; as processors_noted",
         NULL},
    [CT_CAMPAIGN_PAUSE_RATIO] = {"grid_pause_shortest",
                                 (2.5e4 / 2.6e9) / (CT_CONFIG_MESSAGE_BYTES / 5e9), "message times",
                                 "grid: paper", CT_CONSTANT_PUBLISHED,
                                 "2.5e4 cycles of 2.6 GHz by the time of 40 kB at 5 GB/s: Casas "
                                 "and Bronevetsky, IPDPS 2014, section IV-C",
                                 NULL},
    [CT_CAMPAIGN_STEP_MOST] =
        {"grid_step_max", 10, "1", "grid: paper", CT_CONSTANT_PUBLISHED,
         "from a pause to the next: Casas and Bronevetsky, IPDPS 2014, section IV-C", NULL},
    [CT_CAMPAIGN_STEP_LEAST] = {"grid_step_min", 3, "1", "grid: paper", CT_CONSTANT_CHOSEN,
                                "so that the pauses of slow links still differ", NULL},
    [CT_CAMPAIGN_PAUSE_LONGEST] = {"grid_pause_longest_s", 0.2, "s", "grid: paper",
                                   CT_CONSTANT_CHOSEN,
                                   "so that a run of seconds sees enough messages on slow links",
                                   NULL},
    [CT_CAMPAIGN_VALIDATION_ROUNDS] =
        {"validation_rounds", 200, "1", "crosstalk validate --launcher simgrid", CT_CONSTANT_CHOSEN,
         "of a probe beside a load: so many as 20 s have at the interval of labs", NULL},
    [CT_CAMPAIGN_VALIDATION_SETTLE] =
        {"validation_settle", 0.1, "1", "crosstalk validate --launcher simgrid", CT_CONSTANT_CHOSEN,
         "a load begins before what is measured, by this share of --probe-time: 2 s of 20 in labs",
         NULL},
    [CT_CAMPAIGN_QUIET] =
        {"quiet_utilization", 0.002, "1", "launcher: lab", CT_CONSTANT_CHOSEN,
         "the next run waits until no port passes more than this share of its rate", NULL},
    [CT_CAMPAIGN_QUIET_WINDOW] = {"quiet_window_s", 0.1, "s", "launcher: lab", CT_CONSTANT_CHOSEN,
                                  "the utilization of a port is averaged over this time", NULL},
    [CT_CAMPAIGN_LATE_MEDIAN] =
        {"late_median_s", 20e-6, "s", "launcher: lab, latency", CT_CONSTANT_CHOSEN,
         "a run fails of which half of the packets left the delay line later than that", NULL},
    [CT_CAMPAIGN_LATE_SHARE] = {"late_median_share", 0.02, "1", "launcher: lab, latency",
                                CT_CONSTANT_CHOSEN,
                                "that time, if it is more: this share of the latency, or of "
                                "launcher.lateness",
                                NULL},
    [CT_CAMPAIGN_LATE_P99] = {"late_p99_share", 0.2, "1", "launcher: lab, latency",
                              CT_CONSTANT_CHOSEN,
                              "without launcher.lateness a run fails of which 1 % of the packets "
                              "were later than 100us, or than this share of the latency: they add "
                              "0.2 % to its mean",
                              NULL},
    [CT_CAMPAIGN_SCAN_IDLE_TAIL] =
        {"scan_idle_tail", 5, "1", "crosstalk scan", CT_CONSTANT_CHOSEN,
         "99 % of small messages by their median: above this the idle network is not quiet", NULL},
    [CT_CAMPAIGN_SCAN_IDLE_WAITS] =
        {"scan_idle_waits", 0.01, "1", "crosstalk scan", CT_CONSTANT_CHOSEN,
         "of their time ranks waited for processors: above this it may be these, not the network",
         NULL},
    [CT_CAMPAIGN_SCAN_GROUPS] =
        {"scan_groups_ratio", 1.15, "1", "crosstalk scan", CT_CONSTANT_CHOSEN,
         "latencies of pairs between groups by those within them, at least: a switch more", NULL},
};
