/**
 * How many bytes messages bring to each link of a simulation, and how long they occupy it.
 *
 * SimGrid asks for the factor of the rate once for each message, when it begins, and says its size
 * and its links. Here it is answered with SimGrid's own factors, and counted. In C++, since
 * SimGrid's interface is.
 *
 * A message occupies a link for bytes / (factor * rate), and the links of the way back for 5 % of
 * that, where SimGrid's setting network/crosstraffic is on: so its models share out the links.
 */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One direction of a link, or a link whose directions share its rate. */
struct ct_simgrid_counter {
    const char *link; /**< its name; borrowed until the process ends */
    double messages, bytes;
    double busy_s; /**< sum over the messages */
};

/**
 * Prepare counting: in the simulation, before any message.
 * @param by_size  [in] the model has factors of the rate by message size, like "SMPI"; false: none
 * @param factors  [in] these, "SIZE:FACTOR;...", the factor of sizes above SIZE, instead of
 * SimGrid's setting smpi/bw-factor, which must not be made then; NULL: its default
 * @param why_p    [out] if it cannot be prepared: the reason; static
 * @return whether it is prepared
 */
bool ct_simgrid_counters_prepare(bool by_size, const char *factors, const char **why_p);

/** Count the messages that begin from now on, beside those before. Nothing happens if they are. */
void ct_simgrid_counters_start(void);
/** Count no further, until the next start. Nothing happens if nothing is counted. */
void ct_simgrid_counters_stop(void);
/** Forget what was counted, and stop. */
void ct_simgrid_counters_clear(void);

/** @return simulated time between starts and stops, seconds; 0: not both have been called */
double ct_simgrid_counters_interval_s(void);

/** After the stop: call a function with each link that a message was on, in the order of names. */
void ct_simgrid_counters_each(void (*take)(const struct ct_simgrid_counter *counter, void *data),
                              void *data);

#ifdef __cplusplus
}
#endif
