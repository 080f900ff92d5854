/*
 * What crosstalk watch finds in a network that is not ours: probes and loads are messages inside
 * SimGrid, where one fault after the other is made. A line for each fault and each healthy minute:
 *
 *     fault,KIND,FOUND,RIGHT,SECONDS,REASON
 *     healthy,ALARMS,REASON OF THE NEWEST
 *
 * watch_simgrid TOPOLOGY SEED FAULTS HEALTHY_MINUTES PROBES_A_SECOND_AND_HOST LEARN_S
 */
extern "C" {
#include "core/option.h"
#include "core/random.h"
#include "topology/route.h"
#include "topology/spec.h"
#include "watch/find/finder.h"
}

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

namespace
{

constexpr double rate_bytes_per_s = 1e9, latency_s = 1e-6, loads_last_s = 15, begin_unix_s = 1.7e9,
                 load_bytes = 4e6, jitter_frac = 0.01, handling_s = 5e-6;
constexpr uint32_t small_bytes = 64, large_bytes = 16384;

struct fault {
    ct_watch_kind kind{};
    bool is_there = false;
    uint32_t direction = 0; /* but of HOST */
    uint32_t host = 0;      /* HOST, and ROUTE: messages to it */
};

void check(enum ct_status status, const ct_error &err)
{
    if (status == CT_OK)
        return;
    std::fprintf(stderr, "watch_simgrid: %s\n", err.text);
    std::exit(1);
}

/* Routes of topology/route.h, but for messages that a wrong entry sends to a switch beside them. */
class network final : public routing::NetZoneImpl
{
    ct_router *router = nullptr;
    ct_route route{};

    void get_local_route(const routing::NetPoint *src, const routing::NetPoint *dst,
                         routing::Route *into, double *latency) override
    {
        for (uint32_t direction :
             directions(static_cast<uint32_t>(src->id()), static_cast<uint32_t>(dst->id()))) {
            into->link_list_.push_back(links[direction]->get_impl());
            if (latency)
                *latency += links[direction]->get_latency();
        }
    }

    /* To another switch than the direction goes to. */
    uint32_t beside(uint32_t direction) const
    {
        const uint32_t from = topology.links[direction / 2].end[direction % 2];
        for (uint32_t l = 0; l < topology.n_links; l++)
            for (uint32_t end = 0; end < 2; end++)
                if (l != direction / 2 && topology.links[l].end[end] == from &&
                    topology.links[l].end[1 - end] >= topology.n_nodes)
                    return 2 * l + end;
        return direction;
    }

  public:
    const ct_topology &topology;
    std::vector<s4u::Link *> links; /* of directions: 2 link + 1 is the way back */
    std::vector<s4u::Host *> hosts;
    fault now;

    explicit network(const ct_topology &of) : NetZoneImpl("network"), topology(of)
    {
        ct_error err{};
        check(ct_router_new(&topology, &router, &err), err);
        for (uint32_t v = 0; v < topology.n_nodes; v++)
            hosts.push_back(create_host(ct_topology_name(&topology, v), {1e9})->seal());
        for (uint32_t d = 0; d < 2 * topology.n_links; d++) {
            links.push_back(create_link("direction" + std::to_string(d), {rate_bytes_per_s}));
            links.back()->set_latency(latency_s)->seal();
        }
        seal();
    }

    ~network() override
    {
        std::free(route.hops);
        ct_router_free(router);
    }

    std::vector<uint32_t> directions(uint32_t from, uint32_t to)
    {
        std::vector<uint32_t> all;
        ct_error err{};
        check(ct_route_find(router, from, to, &route, &err), err);
        for (size_t i = 0; i < route.n; i++) {
            const ct_hop &hop = route.hops[i];
            const uint32_t direction = 2 * hop.link + (topology.links[hop.link].end[1] == hop.from);
            if (now.is_there && now.kind == CT_WATCH_ROUTE && to == now.host &&
                direction == now.direction) {
                all.push_back(beside(direction));
                all.push_back(all.back() ^ 1U);
            }
            all.push_back(direction);
        }
        return all;
    }
};

class watch
{
    network &net;
    ct_watch_finder *finder = nullptr;
    std::vector<double> load; /* that a host sends, of its link */
    uint64_t random;
    const double probes_per_s, learn_s;

    double draw()
    {
        return ct_random_unit(ct_random_next(&random));
    }
    double draw_exponential()
    {
        return -std::log(1 - draw());
    }
    uint32_t draw_below(uint32_t n)
    {
        return std::min(n - 1, static_cast<uint32_t>(draw() * n));
    }
    uint32_t n_hosts() const
    {
        return net.topology.n_nodes;
    }

    /* NaN: lost */
    double send(uint32_t from, uint32_t to, double bytes)
    {
        const double begin_s = s4u::Engine::get_clock();
        if (net.now.is_there && net.now.kind == CT_WATCH_LOSS)
            for (uint32_t direction : net.directions(from, to))
                if (direction == net.now.direction && draw() < 0.01)
                    return NAN;
        try {
            s4u::Comm::sendto(net.hosts[from], net.hosts[to], static_cast<uint64_t>(bytes));
        } catch (const simgrid::NetworkFailureException &) {
            return NAN;
        }
        return (s4u::Engine::get_clock() - begin_s) * (1 + jitter_frac * draw_exponential());
    }

    ct_watch_sample probe_once(uint32_t from)
    {
        const fault &fault = net.now;
        ct_watch_sample sample{};
        sample.unix_ns = static_cast<int64_t>((begin_unix_s + s4u::Engine::get_clock()) * 1e9);
        sample.from = from;
        sample.to = (from + 1 + draw_below(n_hosts() - 1)) % n_hosts();
        sample.bytes = sample.answer_bytes = draw() < 0.5 ? large_bytes : small_bytes;
        double hold_s = handling_s * (1 + draw_exponential()),
               late_s = handling_s * (1 + draw_exponential()), slower = 1;
        if (fault.is_there && fault.kind == CT_WATCH_HOST &&
            (sample.to == fault.host || from == fault.host)) {
            (sample.to == fault.host ? hold_s : late_s) += 8 * handling_s * draw_exponential();
            slower = 1.05; /* its processor handles what comes and goes */
        }
        const double there_s = slower * send(from, sample.to, sample.bytes),
                     back_s =
                         std::isnan(there_s) ? NAN : slower * send(sample.to, from, sample.bytes);
        const bool is_lost = std::isnan(back_s);
        sample.fate = static_cast<uint8_t>(is_lost ? CT_WATCH_LOST : CT_WATCH_ANSWERED);
        sample.round_s = static_cast<float>(there_s + back_s);
        sample.there_s = static_cast<float>(is_lost ? NAN : there_s);
        sample.back_s = static_cast<float>(back_s);
        sample.hold_s = static_cast<float>(hold_s);
        sample.late_s = static_cast<float>(late_s);
        return sample;
    }

    void probe(uint32_t from)
    {
        for (;;) {
            s4u::this_actor::sleep_for(draw_exponential() / probes_per_s);
            const ct_watch_sample sample = probe_once(from);
            ct_error err{};
            check(ct_watch_finder_take(finder, &sample, 1, &err), err);
        }
    }

    /* Messages of 4 ms, one after the other, to hosts at random. */
    void use(uint32_t from)
    {
        for (;;) {
            if (!(load[from] > 0)) {
                s4u::this_actor::sleep_for(0.1);
                continue;
            }
            s4u::this_actor::sleep_for(draw_exponential() * load_bytes / rate_bytes_per_s *
                                       (1 / load[from] - 1));
            send(from, (from + 1 + draw_below(n_hosts() - 1)) % n_hosts(), load_bytes);
        }
    }

    /* Programs come and go: up to half of a link of most hosts, nearly all of it of a few. */
    void change_loads()
    {
        for (;;) {
            for (double &share : load) {
                const double kind = draw(), amount = draw();
                share = kind < 0.1 ? 0.5 + 0.4 * amount : kind < 0.5 ? 0.5 * amount : 0;
            }
            s4u::this_actor::sleep_for(loads_last_s);
        }
    }

    void draw_fault()
    {
        fault &fault = net.now;
        for (;;) {
            fault = {};
            fault.kind = static_cast<ct_watch_kind>(draw_below(CT_WATCH_ROUTE + 1));
            fault.host = draw_below(n_hosts());
            fault.direction = draw_below(2 * net.topology.n_links);
            if (fault.kind != CT_WATCH_ROUTE)
                return;
            const std::vector<uint32_t> path =
                net.directions((fault.host + n_hosts() / 2 + 1) % n_hosts(), fault.host);
            if (path.size() >= 4) {
                fault.direction = path[1];
                return;
            }
        }
    }

    void make_fault(bool is_there)
    {
        s4u::Link *link = net.links[net.now.direction];
        net.now.is_there = is_there;
        if (net.now.kind == CT_WATCH_RATE)
            link->set_bandwidth(rate_bytes_per_s * (is_there ? 0.8 : 1));
        if (net.now.kind == CT_WATCH_DELAY)
            link->set_latency(latency_s * (is_there ? 1.2 : 1));
    }

    void wait_for_alarm(size_t known, double most_s)
    {
        s4u::Link *link = net.links[net.now.direction];
        for (double end_s = s4u::Engine::get_clock() + most_s;
             n_alarms() == known && s4u::Engine::get_clock() < end_s;) {
            if (net.now.kind == CT_WATCH_FLAP) {
                link->turn_off();
                s4u::this_actor::sleep_for(1);
                link->turn_on();
                s4u::this_actor::sleep_for(59);
            } else {
                s4u::this_actor::sleep_for(10);
            }
        }
    }

    bool is_right(const ct_watch_alarm &alarm) const
    {
        const uint32_t *end = alarm.suspects + alarm.n_suspects;
        return net.now.kind == CT_WATCH_HOST
                   ? alarm.host == net.now.host
                   : std::find(alarm.suspects, end, net.now.direction) != end;
    }

    size_t n_alarms()
    {
        return ct_watch_finder_state(finder)->n_alarms;
    }

    void try_fault()
    {
        const size_t known = n_alarms();
        const double begin_s = begin_unix_s + s4u::Engine::get_clock();
        draw_fault();
        make_fault(true);
        wait_for_alarm(known, net.now.kind == CT_WATCH_ROUTE  ? 600
                              : net.now.kind == CT_WATCH_FLAP ? 180
                                                              : 60);
        const ct_watch_state *state = ct_watch_finder_state(finder);
        const ct_watch_alarm *first =
            state->n_alarms > known ? &state->alarms[state->n_alarms - known - 1] : nullptr;
        const double found_s =
            first ? static_cast<double>(first->raised_unix_ns) / 1e9 - begin_s : NAN;
        std::printf("fault,%s,%d,%d,%.1f,%s\n", ct_watch_kind_names[net.now.kind], first != nullptr,
                    first && is_right(*first), found_s, first ? first->reason : "");
        std::fflush(stdout);
        make_fault(false);
        s4u::this_actor::sleep_for(60);
    }

    void experiment(int n_faults, int n_minutes)
    {
        s4u::this_actor::sleep_for(learn_s + 30);
        for (int i = 0; i < n_minutes; i++) {
            const size_t known = n_alarms();
            s4u::this_actor::sleep_for(60);
            const ct_watch_state *state = ct_watch_finder_state(finder);
            std::printf("healthy,%zu,%s\n", state->n_alarms - known,
                        state->n_alarms > known ? state->alarms[0].reason : "");
            std::fflush(stdout);
        }
        for (int i = 0; i < n_faults; i++)
            try_fault();
    }

  public:
    watch(network &of, uint64_t seed, double rate, double learn)
        : net(of), load(of.topology.n_nodes), random(seed), probes_per_s(rate), learn_s(learn)
    {
        const ct_watch_rules rules = {0.1, learn_s};
        std::vector<ct_watch_host> listed(n_hosts());
        ct_error err{};
        check(ct_watch_finder_new(&net.topology, &rules, &finder, &err), err);
        for (uint32_t v = 0; v < n_hosts(); v++)
            std::snprintf(listed[v].name, sizeof listed[v].name, "%s",
                          ct_topology_name(&net.topology, v));
        check(ct_watch_finder_hosts(finder, listed.data(), listed.size(), &err), err);
    }
    watch(const watch &) = delete;
    watch &operator=(const watch &) = delete;
    ~watch()
    {
        ct_watch_finder_free(finder);
    }

    void start(int n_faults, int n_minutes)
    {
        const auto run = [this](const char *name, uint32_t host, auto what) {
            return s4u::Actor::create(name, net.hosts[host], what);
        };
        for (uint32_t v = 0; v < n_hosts(); v++) {
            run("probe", v, [this, v] { probe(v); })->daemonize();
            run("use", v, [this, v] { use(v); })->daemonize();
        }
        run("loads", 0, [this] { change_loads(); })->daemonize();
        run("experiment", 0, [this, n_faults, n_minutes] { experiment(n_faults, n_minutes); });
    }
};

} // namespace

int main(int argc, char **argv)
{
    s4u::Engine engine(&argc, argv);
    for (const char *setting :
         {"network/model:CM02", "network/crosstraffic:0", "network/weight-S:0",
          "network/TCP-gamma:1e12", "contexts/stack-size:128"})
        s4u::Engine::set_config(setting);
    if (argc != 7) {
        std::fprintf(
            stderr, "watch_simgrid TOPOLOGY SEED FAULTS HEALTHY_MINUTES PROBES_A_SECOND LEARN_S\n");
        return 2;
    }
    const ct_topology_settings settings = ct_topology_defaults();
    ct_topology topology{};
    ct_error err{};
    check(ct_topology_make(argv[1], &settings, &topology, &err), err);
    auto *net = new network(topology); /* the simulation owns it */
    watch watched(*net, std::strtoull(argv[2], nullptr, 10), std::strtod(argv[5], nullptr),
                  std::strtod(argv[6], nullptr));
    watched.start(std::atoi(argv[3]), std::atoi(argv[4]));
    engine.run();
    return 0;
}
