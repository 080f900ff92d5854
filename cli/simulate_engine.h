/* crosstalk simulate on one of several networks, with the software stack of MPI, and where the time
 * of ranks goes. */
#pragma once

#include "cli/model_options.h"
#include "cli/simulate_network.h"
#include "lp-bridge/goal/goal.h"
#include "study/network_draws.h"

struct ct_engine_settings {
    int network;            /* enum ct_simulate_network_kind */
    const char *parameters; /* NULL: LogGPS */
    size_t packet_bytes, buffer_bytes;
    uint64_t draws; /* of a posterior, or of what was measured */
    bool ranks;
};

/* Rows of the network of packets; size_t. */
#define CT_ENGINE_ROW_PACKET(structure_, member_)                                                  \
    {                                                                                              \
        CT_OPTION(SIZE, "packet", structure_, member_),                                            \
            .initial = "4KiB", CT_RANGE(1, 1 << 30),                                               \
            .help = "largest packet, with --network packet. Larger ones take less time to "        \
                    "simulate; a "                                                                 \
                    "short message then waits behind them at ports"                                \
    }
#define CT_ENGINE_ROW_BUFFER(structure_, member_)                                                  \
    {                                                                                              \
        CT_OPTION(SIZE, "buffer", structure_, member_),                                            \
            .initial = "64KiB", CT_RANGE(1, 1 << 30),                                              \
            .help =                                                                                \
                "buffer at the end of a link, with --network packet: packets for which it has no " \
                "room wait before the link. A link is idle at times if the buffer holds less "     \
                "than the link carries in its latency"                                             \
    }

/* Refuse --packet, --buffer and queues that the network does not have.
 * @return CT_OK; CT_EUSAGE */
enum ct_status ct_engine_check_network(int network, size_t packet_bytes, size_t buffer_bytes,
                                       const struct ct_port_queues *queues, struct ct_error *err);

/* Names of networks in earlier versions: former of struct ct_option. */
extern const char *const ct_engine_former_networks[];

/* Rows --network, --parameters, --draws, --packet, --buffer, --ranks. */
extern const struct ct_option ct_engine_options[];

/*
 * Refuse options that do not go together.
 * @param queues  [in] as given
 * @return CT_OK; CT_EUSAGE
 */
enum ct_status ct_engine_check(const struct ct_engine_settings *settings,
                               const struct ct_model_settings *model,
                               const struct ct_fabric_settings *fabric,
                               const struct ct_port_queues *queues, struct ct_error *err);

/* Whether L, o and G are needed. */
bool ct_engine_needs_model(const struct ct_engine_settings *settings);

/* What is simulated. */
struct ct_engine_request {
    const struct ct_engine_settings *settings;
    uint32_t options; /* that were given and are keys of parameters: ct_stack_check_options() */
    const struct ct_fabric_settings *fabric_settings;
    const struct ct_fabric *fabric;
    const struct ct_parameters *model; /* not read with --parameters */
    const struct ct_port_queues *queues;
    const struct ct_goal *goals; /* n */
    size_t n;
    size_t first;                        /* place of goals[0] among the programs of the fabric */
    unsigned threads;                    /* simulations at the same time */
    const struct ct_observer *observers; /* of struct ct_network_runs_setup; NULL: none */
    bool is_bare; /* only run times are asked: neither gains, nor how uncertain parameters are */
};

struct ct_engine_answer {
    struct ct_stack_parameters parameters; /* with --parameters; of a posterior the most likely */
    size_t n_draws;                        /* of uncertain parameters; 0: they are certain, or: */
    bool is_too_large;                     /* for draws to take seconds */
    double spread_level;                   /* of the intervals */
    struct ct_network_spread spreads[CT_SIMULATE_JOBS_MAX];
    struct ct_network_run runs[CT_SIMULATE_JOBS_MAX];
    struct ct_rank_times *times; /* owned */
    struct ct_busy_links busy;   /* owned; with a topology only */
};

/* @return CT_OK; what ct_stack_read() or ct_posterior_draws_read(), ct_network_runs() and
 * ct_network_draws() return */
enum ct_status ct_engine_find(const struct ct_engine_request *request,
                              struct ct_engine_answer *answer_p, struct ct_error *err);
void ct_engine_answer_free(struct ct_engine_answer *answer);

/* The parameters of --parameters. */
void ct_engine_provenance(const struct ct_engine_request *request,
                          const struct ct_engine_answer *answer, struct ct_tables *tables);

/* Columns of the times of the parts, in seconds and as shares of the run time. */
#define CT_PART_COLUMNS                                                                            \
    {"compute_s", NULL, CT_UNIT_LONG_SECONDS}, {"stack_s", NULL, CT_UNIT_LONG_SECONDS},            \
        {"sync_s", NULL, CT_UNIT_LONG_SECONDS}, {"network_s", NULL, CT_UNIT_LONG_SECONDS},         \
        {"compute_frac", "compute", CT_UNIT_FRACTION}, {"stack_frac", "stack", CT_UNIT_FRACTION},  \
        {"sync_frac", "synchronization", CT_UNIT_FRACTION},                                        \
    {                                                                                              \
        "network_frac", "network", CT_UNIT_FRACTION                                                \
    }

/* Cells of these columns. @param n  [in] what the times are divided by, so that they are means */
void ct_parts_fill(const struct ct_time_shares *shares, double n, struct ct_tables *tables);

/* Tables "breakdown" and, if they are asked for or found, "ranks", "links" of a topology and
 * "uncertainty". */
void ct_engine_fill(const struct ct_engine_request *request, const struct ct_engine_answer *answer,
                    const char *const *names, struct ct_tables *tables);
