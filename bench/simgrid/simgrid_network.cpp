#include "bench/simgrid/simgrid_network.h"

extern "C" {
#include "core/option.h"
#include "topology/route.h"
#include "topology/simgrid.h"
}

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>
#include <xbt/config.hpp>

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

namespace
{

/* Where no status can be returned: SimGrid asks. */
void check(enum ct_status status, const ct_error &err)
{
    if (status == CT_OK)
        return;
    std::fprintf(stderr, "crosstalk-simgrid: %s\n", err.text);
    std::exit(ct_exit_code(status));
}

std::string name_of(char *text)
{
    const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
    return text ? std::string(text) : throw std::bad_alloc();
}

/* Hosts are its first vertices, with the numbers of the nodes. */
class network final : public routing::NetZoneImpl
{
    const ct_topology *topology;
    ct_router *router = nullptr;
    ct_route route{};
    std::vector<s4u::Link *> links; /* two directions each, as hops have them */
    s4u::Link *loopback = nullptr;

    void get_local_route(const routing::NetPoint *src, const routing::NetPoint *dst,
                         routing::Route *into, double *latency_s) override
    {
        if (src == dst) {
            add(loopback, into, latency_s);
            return;
        }
        ct_error err{};
        check(ct_route_find(router, static_cast<uint32_t>(src->id()),
                            static_cast<uint32_t>(dst->id()), &route, &err),
              err);
        for (size_t i = 0; i < route.n; i++) {
            const ct_hop &hop = route.hops[i];
            const bool is_back = topology->links[hop.link].end[0] != hop.from;
            add(links[2 * size_t{hop.link} + is_back], into, latency_s);
        }
    }

    static void add(const s4u::Link *link, routing::Route *into, double *latency_s)
    {
        into->link_list_.push_back(link->get_impl());
        if (latency_s)
            *latency_s += link->get_latency();
    }

    void add_link(const char *prefix, uint32_t i, int from_end)
    {
        const ct_link &link = topology->links[i];
        const ct_hop hop = {link.end[from_end], link.end[1 - from_end], i};
        const std::string name = name_of(ct_topology_simgrid_link(topology, prefix, &hop));
        links.push_back(create_link(name, {link.rate_bit_per_s / 8}));
        links.back()->set_latency(link.latency_s)->seal();
    }

  public:
    network(const ct_topology *of, const char *prefix) : NetZoneImpl("network"), topology(of)
    {
        ct_error err{};
        check(ct_router_new(topology, &router, &err), err);
        for (uint32_t v = 0; v < topology->n_nodes; v++) {
            const std::string name = prefix ? prefix + std::to_string(v + 1)
                                            : std::string(ct_topology_name(topology, v));
            create_host(name, {1e9})->seal();
        }
        for (uint32_t i = 0; i < topology->n_links; i++)
            for (int from_end = 0; from_end < 2; from_end++)
                add_link(prefix, i, from_end);
        /* Between ranks of a host, as zones with a table of routes have it. */
        using simgrid::config::get_value;
        loopback = create_link("loopback", {get_value<double>("network/loopback-bw")});
        loopback->set_latency(get_value<double>("network/loopback-lat"))
            ->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)
            ->seal();
        seal();
    }

    ~network() override
    {
        std::free(route.hops);
        ct_router_free(router);
    }
};

} // namespace

void ct_simgrid_network_make(const struct ct_topology *topology, const char *prefix)
{
    new network(topology, prefix); /* the simulation owns it */
}
