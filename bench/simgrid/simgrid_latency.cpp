#include "bench/simgrid/simgrid_latency.h"

#include "bench/simgrid/simgrid_factors.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <simgrid/s4u.hpp>
#include <unordered_set>
#include <vector>

namespace s4u = simgrid::s4u;

namespace
{

struct latency {
    double added_s;
    ct_simgrid_factors factors;

    double factor(double size, const s4u::Host *src, const s4u::Host *dst) const
    {
        if (src == dst)
            return factors.at(size);
        std::vector<s4u::Link *> links;
        double route_s = 0;
        src->route_to(dst, links, &route_s);
        if (route_s <= 0) { /* no status can be returned: SimGrid asks */
            std::fprintf(stderr,
                         "crosstalk-simgrid: --add-latency: the route from %s to %s has no "
                         "latency, to which some could be added\n",
                         src->get_cname(), dst->get_cname());
            std::_Exit(1); /* else SimGrid tells what all ranks wait for */
        }
        return factors.at(size) + added_s / route_s;
    }
};

/* The simulation has one; nothing passes it to the function that SimGrid calls. */
std::unique_ptr<const latency> current;

} // namespace

bool ct_simgrid_latency_add(double added_s, bool by_size, const char *factors, const char **why_p)
{
    auto fresh = std::make_unique<latency>(latency{added_s, {}});
    if (by_size && !fresh->factors.read(factors, "smpi/lat-factor")) {
        *why_p = "smpi/lat-factor: is no list of SIZE:FACTOR;...";
        return false;
    }
    const bool is_set = ct_simgrid_set_model([](auto &model) {
        model.set_lat_factor_cb([](double size, const s4u::Host *src, const s4u::Host *dst,
                                   const std::vector<s4u::Link *> &,
                                   const std::unordered_set<s4u::NetZone *> &) {
            return current->factor(size, src, dst);
        });
    });
    if (!is_set) {
        *why_p = "latency cannot be added with this model of the network and these factors";
        return false;
    }
    current = std::move(fresh);
    return true;
}
