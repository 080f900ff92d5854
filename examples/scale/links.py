#!/usr/bin/env python3
"""How far 'crosstalk utilization --links' is off the counters of SimGrid with 1024 hosts, as a Markdown row.

    examples/scale/links.py fat-tree|dragonfly turn|halves FOLDER

simulates impactb on all hosts, alone and beside milc and mcb with 512 ranks each, on blocks of 4 hosts in turn
or each on one half, if FOLDER has no files of that yet (minutes). Errors are in points, means over all
directions. Beside them: what they would be if every link were said to be idle, or to be as busy as links are on
average, by the estimate or by the counters. Needs crosstalk and crosstalk-simgrid in PATH.
"""
import json
import os
import subprocess
import sys

NETWORKS = {"fat-tree": ("xgft:16,8,8/1,4,8", ["32gbit", "32gbit"]),
            "dragonfly": ("dragonfly:16,8,8,4", ["32gbit", "100gbit"])}
SETTINGS = ("network/crosstraffic:0 smpi/os:0:2.67e-7:2.5e-10 smpi/ois:0:2.67e-7:2.5e-10 smpi/allreduce:redbcast "
            "smpi/bcast:binomial_tree smpi/reduce:binomial smpi/barrier:ompi_tree smpi/allgather:GB "
            "smpi/gather:ompi_binomial contexts/stack-size:512")
HOSTS = 1024
BLOCKS = {"turn": 4, "halves": HOSTS // 2}


def hosts(wanted):
    return ",".join(f"n{i}" for i in range(HOSTS) if wanted(i))


def simulate(network, jobs, path, counters):
    topology, (rate, uplink) = NETWORKS[network]
    words = ["crosstalk-simgrid", "--topology", topology, "--rate", rate, "--uplink", uplink, "--wire", "187ns",
             "--model", "plain", "--overhead", "100ns", "--set", SETTINGS]
    words += ["--counters", counters] if counters else []
    words += ["--hosts", hosts(lambda i: True), "--start", "500us", "impactb", "--time", "2ms", "--interval", "20us",
              "--outstanding", "1", "--pairing", "links", "--topology", topology, "--seed", "1", "--output", path]
    if jobs:
        block = BLOCKS[jobs]
        words += [":", "--background", "--hosts", hosts(lambda i: i // block % 2 == 0), "workload", "milc", "--loop",
                  "--time", "1h", "--scale", "16", "--compute-time", "400us"]
        words += [":", "--background", "--hosts", hosts(lambda i: i // block % 2 == 1), "workload", "mcb", "--loop",
                  "--time", "1h", "--scale", "1024", "--compute-time", "150us"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def counted(path):
    with open(path, encoding="utf-8") as file:
        links = json.load(file)["links"]
    return {link["link"].rsplit("-", 1)[0]: link["busy_fraction"] for link in links}


def estimated(network, idle, loaded):
    rate, uplink = NETWORKS[network][1]
    command = ["crosstalk", "utilization", "--links", "--link-rate", rate, "--uplink-rate", uplink, "--idle", idle,
               "--loaded", loaded, "--seed", "1", "--format", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["links"]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def points(values):
    return f"{100 * mean(values):.1f}"


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in NETWORKS or sys.argv[2] not in BLOCKS:
        sys.exit(__doc__)
    network, jobs, folder = sys.argv[1:]
    idle, loaded, counters = (os.path.join(folder, f"{network}-{name}")
                              for name in ("idle.h5", f"{jobs}.h5", f"{jobs}.json"))
    if not os.path.exists(idle):
        simulate(network, None, idle, None)
    if not os.path.exists(counters):
        simulate(network, jobs, loaded, counters)
    links, truth = estimated(network, idle, loaded), counted(counters)
    # A link that no message was on is not in the file.
    rows = [(link, truth.get(f"{link['from']}-{link['to']}", 0)) for link in links]
    errors = [(link, abs(link["utilization"] - busy)) for link, busy in rows]
    of_hosts = [error for link, error in errors if link["from"][0] == "n" or link["to"][0] == "n"]
    between = [error for link, error in errors if link["from"][0] != "n" and link["to"][0] != "n"]
    inside = [link["utilization_ci"][0] <= busy <= link["utilization_ci"][1] for link, busy in rows]
    estimate, busy = mean(link["utilization"] for link in links), mean(busy for _, busy in rows)
    cells = [network, jobs, str(len(rows)), f"{100 * busy:.0f} %, {100 * max(b for _, b in rows):.0f} %",
             f"**{points(error for _, error in errors)}**", points(of_hosts), points(between),
             f"{100 * max(error for _, error in errors):.0f}", f"{100 * mean(inside):.0f} %",
             points(b for _, b in rows), points(abs(estimate - b) for _, b in rows),
             points(abs(busy - b) for _, b in rows)]
    print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
