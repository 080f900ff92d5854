/** crosstalk watch: what found faults cost the applications of a folder. */
#pragma once

#include "cli/model_options.h"
#include "cli/simulate_network.h"
#include "watch/state.h"

struct ct_watch_price_settings {
    const char *applications, *fault; /**< NULL: not given */
    struct ct_fabric_settings fabric; /**< with the topology of the watch */
    struct ct_model_settings model;
    int order;           /**< enum ct_port_order */
    size_t burst_bytes;  /**< as simulate/network.h has them */
    double retransmit_s; /**< NaN: not given */
    bool has_order, has_burst;
};

/** Rows --spines, --rate, --uplink, of what is watched, and all rows of prices but those of the
 * model; offsets in the struct above. */
extern const struct ct_option ct_watch_network_options[], ct_watch_price_options[];

/** Defaults, to be set before the options are parsed. */
struct ct_watch_price_settings ct_watch_price_defaults(void);

/** Applications, where they are, and their prices so far. */
struct ct_watch_prices;

/**
 * @param command   [in]  for warnings; borrowed
 * @param prices_p  [out] ct_watch_prices_free(); without applications, if none are asked for
 * @return CT_OK; CT_EUSAGE (options that do not go together, parameters that are missing);
 * CT_ENOENT (no such folder); CT_ENODATA (nothing in it); what ct_fabric_open() returns
 */
enum ct_status ct_watch_prices_open(const char *command,
                                    const struct ct_watch_price_settings *settings,
                                    struct ct_watch_prices **prices_p, struct ct_error *err);
void ct_watch_prices_free(struct ct_watch_prices *prices);

/** The network that is watched. Borrowed. */
const struct ct_topology *ct_watch_prices_topology(const struct ct_watch_prices *prices);

/**
 * Price the alarms that last and have no price yet, and leave out those that are forgotten.
 * @param state  [in,out] prices are set, which last until the next call
 * @return CT_OK; CT_ENOMEM, CT_EINTR
 */
enum ct_status ct_watch_prices_join(struct ct_watch_prices *prices, struct ct_watch_state *state,
                                    struct ct_error *err);

/**
 * Price the fault of --fault: an alarm with the number 0.
 * @return CT_OK; as ct_fault_parse() and ct_watch_prices_join()
 */
enum ct_status ct_watch_prices_ask(struct ct_watch_prices *prices, struct ct_watch_state *state,
                                   struct ct_error *err);

/** Table "prices". */
void ct_watch_prices_fill(const struct ct_watch_state *state, struct ct_tables *tables);

/**
 * The sentence on an alarm: "lammps +12 % [10, 14], milc +3 % [2, 4]", the largest first, then why
 * others have no price.
 * @return false: it has none, and nothing is written
 */
bool ct_watch_prices_write(const struct ct_watch_state *state, uint64_t alarm, char *text,
                           size_t room);
