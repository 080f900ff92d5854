/**
 * Answering SimGrid's network model, which asks for factors of the rate and of the latency of each
 * message, and factors by message size, as SimGrid's settings have them:
 * "65472:0.94;15424:0.70;0:0.21", the factor of sizes above each size. SimGrid takes no notice of
 * its own settings where it is answered, so the answer has these.
 */
#pragma once

#include <functional>
#include <map>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <string>

class ct_simgrid_factors
{
    std::map<double, double> by_size; /* the size above which they hold */

  public:
    /**
     * @param text     [in] the list; NULL: that of the setting
     * @param setting  [in] SimGrid's, such as "smpi/bw-factor"
     * @return false: it is no list of SIZE:FACTOR;... with factors above 0
     */
    bool read(const char *text, const char *setting);

    /** 1 below all sizes, and where nothing was read. */
    double at(double size) const;
};

/**
 * Call a function with the network model, where it may be changed. By a rank, before any message.
 * @return false: the model has factors of its own, which cannot be replaced
 */
bool ct_simgrid_set_model(
    const std::function<void(simgrid::kernel::resource::NetworkModelIntf &)> &set);
