#include "bench/simgrid/simgrid_counters.h"

#include "bench/simgrid/simgrid_factors.h"

#include <map>
#include <memory>
#include <simgrid/s4u.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include <xbt/config.hpp>

namespace s4u = simgrid::s4u;

namespace
{

/* What the way back takes of a link beside what the way there takes, by SimGrid's models. */
constexpr double way_back_frac = 0.05;

struct count {
    double messages = 0, bytes = 0, busy_s = 0;
};

struct counters {
    ct_simgrid_factors factors;
    bool has_way_back = false;
    bool is_counting = false;
    double from_s = 0, counted_s = 0;
    std::unordered_map<const s4u::Link *, count> links;
    std::map<std::string, count> by_name; /* once it has stopped: links end with the simulation */

    /* The bytes, or nothing but the time that they occupy the links. */
    void add(const std::vector<s4u::Link *> &way, double bytes, double occupied_bytes)
    {
        for (const s4u::Link *link : way) {
            count &count = links[link];
            count.messages += bytes >= 0;
            count.bytes += bytes >= 0 ? bytes : 0;
            count.busy_s += occupied_bytes / link->get_bandwidth();
        }
    }

    /* As SimGrid calls it, when a message begins. */
    double begin(double size, const s4u::Host *src, const s4u::Host *dst,
                 const std::vector<s4u::Link *> &way)
    {
        const double found = factors.at(size);
        if (!is_counting || src == dst)
            return found;
        add(way, size, size / found);
        if (has_way_back) {
            std::vector<s4u::Link *> back;
            double latency_s = 0;
            dst->route_to(src, back, &latency_s);
            add(back, -1, way_back_frac * size / found);
        }
        return found;
    }
};

/* The simulation has one; nothing passes it to the function that SimGrid calls. */
std::unique_ptr<counters> current;

} // namespace

bool ct_simgrid_counters_prepare(bool by_size, const char *factors, const char **why_p)
{
    auto fresh = std::make_unique<counters>();
    fresh->has_way_back = simgrid::config::get_value<bool>("network/crosstraffic");
    if (by_size && !fresh->factors.read(factors, "smpi/bw-factor")) {
        *why_p = "smpi/bw-factor: is no list of SIZE:FACTOR;...";
        return false;
    }
    const bool is_set = ct_simgrid_set_model([](auto &model) {
        model.set_bw_factor_cb([](double size, const s4u::Host *src, const s4u::Host *dst,
                                  const std::vector<s4u::Link *> &way,
                                  const std::unordered_set<s4u::NetZone *> &) {
            return current->begin(size, src, dst, way);
        });
    });
    if (!is_set) {
        *why_p = "links cannot be counted with this model of the network and these factors";
        return false;
    }
    current = std::move(fresh);
    return true;
}

void ct_simgrid_counters_start(void)
{
    if (!current || current->is_counting)
        return;
    current->is_counting = true;
    current->from_s = s4u::Engine::get_clock();
}

void ct_simgrid_counters_stop(void)
{
    if (!current || !current->is_counting)
        return;
    current->is_counting = false;
    current->counted_s += s4u::Engine::get_clock() - current->from_s;
    for (const auto &[link, count] : current->links)
        current->by_name[link->get_name()] = count;
}

void ct_simgrid_counters_clear(void)
{
    if (!current)
        return;
    current->is_counting = false;
    current->counted_s = 0;
    current->links.clear();
    current->by_name.clear();
}

double ct_simgrid_counters_interval_s(void)
{
    return current && !current->is_counting ? current->counted_s : 0;
}

void ct_simgrid_counters_each(void (*take)(const struct ct_simgrid_counter *counter, void *data),
                              void *data)
{
    if (!current)
        return;
    for (const auto &[name, count] : current->by_name) {
        const ct_simgrid_counter counter = {name.c_str(), count.messages, count.bytes,
                                            count.busy_s};
        take(&counter, data);
    }
}
