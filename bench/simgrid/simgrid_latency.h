/**
 * Latency that is added to every message between hosts, on every path the same.
 *
 * SimGrid asks for the factor of the latency once for each message, when it begins, and says its
 * size and its hosts, whose route has the latency l. The answer is SimGrid's own factor f(size) and
 * more:
 *
 *     f(size) + added / l
 *
 * so that the message takes `added` longer, whatever the model makes of latencies. In C++, since
 * SimGrid's interface is.
 */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * In the simulation, before any message. A message whose route has no latency ends the process
 * with a message: nothing can be added to it.
 * @param added_s  [in]  > 0
 * @param by_size  [in]  the model has factors of the latency by message size, like "SMPI"
 * @param factors  [in]  these, "SIZE:FACTOR;...", the factor of sizes above SIZE, instead of
 * SimGrid's setting smpi/lat-factor, which must not be made then; NULL: its default
 * @param why_p    [out] if it cannot be added: the reason; static
 * @return whether it is added
 */
bool ct_simgrid_latency_add(double added_s, bool by_size, const char *factors, const char **why_p);

#ifdef __cplusplus
}
#endif
