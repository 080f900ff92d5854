#include "bench/simgrid/simgrid_factors.h"

#include <iterator>
#include <simgrid/s4u.hpp>
#include <simgrid/simix.hpp>
#include <sstream>
#include <xbt/config.hpp>

bool ct_simgrid_factors::read(const char *text, const char *setting)
{
    std::istringstream list(text ? text : simgrid::config::get_value<std::string>(setting));
    for (std::string entry; std::getline(list, entry, ';');) {
        std::istringstream words(entry);
        double size, factor;
        char colon, more;
        if (!(words >> size >> colon >> factor) || colon != ':' || words >> more || factor <= 0)
            return false;
        by_size[size] = factor;
    }
    return !by_size.empty();
}

double ct_simgrid_factors::at(double size) const
{
    auto next = by_size.lower_bound(size); /* the first that does not hold */
    return next == by_size.begin() ? 1.0 : std::prev(next)->second;
}

bool ct_simgrid_set_model(
    const std::function<void(simgrid::kernel::resource::NetworkModelIntf &)> &set)
{
    auto *root = simgrid::s4u::Engine::get_instance()->get_netzone_root();
    try {
        simgrid::kernel::actor::simcall_answered([&] { set(*root->get_network_model()); });
    } catch (const std::exception &) {
        return false;
    }
    return true;
}
