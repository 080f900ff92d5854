#!/usr/bin/env python3
"""Measures what sick links cost six applications on emulated trees, for compare.py.

    examples/prices/measure.py FOLDER [ROUNDS]

Needs crosstalk and the workloads in PATH. Builds two labs, one after the other (tree:4x4, two spines, one queue a
port; 20 Mbit/s, and 10 Mbit/s with a latency), measures L, o and G on each, and traces each application on the
first, once. Each round runs every application on the healthy network and with each fault, in an order drawn with
the round's number as seed. What is in FOLDER is not measured again, so that the same command goes on.
FOLDER/runs.csv and FOLDER/latency/runs.csv get a line a run, with the share of the time that the hypervisor took,
and the load of the machine when the run ended.
"""
import csv
import json
import mmap
import os
import random
import re
import struct
import subprocess
import sys

LAB = os.environ.setdefault("CROSSTALK_LAB", "prices")
# lulesh needs a cube of ranks; the others are on all hosts.
SPREAD = "h1,h2,h5,h6,h9,h10,h13,h14"
APPLICATIONS = {"amg": None, "fft": None, "lulesh": SPREAD, "mcb": None, "milc": None, "vpfft": None}
# The words of 'crosstalk watch --fault'. Four were chosen before anything was measured, so that many cases cost
# something; the others were drawn afterwards (random.Random(45): any direction, 50 to 80 %; random.Random(46): hosts,
# 1 to 4 ms), when the options of compare.py were settled.
CHOSEN = ["leaf0 to spine0 at 40%", "spine0 to leaf1 at 30%", "leaf1 to spine1 at 60%", "n4 to leaf1 at 40%"]
DRAWN = ["leaf0 to n0 at 80%", "leaf1 to n7 at 70%", "spine0 to leaf1 at 70%", "leaf0 to n2 at 50%"]
DELAYS = ["leaf0 to n2 later by 2.8ms", "leaf1 to n6 later by 3.7ms", "leaf0 to n0 later by 3.8ms",
          "leaf2 to n9 later by 1.7ms"]
LOSSES = ["leaf0 to n2 loses 1%", "leaf1 to n6 loses 1%"]


class Network:
    """A lab, the folder of its runs, and its faults."""

    def __init__(self, folder, rate_mbit, latency, faults):
        self.folder, self.rate_mbit, self.faults = folder, rate_mbit, faults
        self.topology = ["--topology", "tree:4x4,2", "--rate", f"{rate_mbit}mbit", "--uplink", f"{rate_mbit}mbit"]
        self.lab = [*self.topology, "--queue", "fifo", *(["--latency", latency] if latency else [])]


NETWORKS = [Network("", 20, None, CHOSEN + DRAWN), Network("latency", 10, "1ms", DELAYS + LOSSES)]
FIELDS = ["round", "fault", "application", "mean_s", "passes", "stolen_frac", "load"]
# Other programs make messages late otherwise; the applications sleep where they compute.
FIRST = ["chrt", "-r", "1"] if subprocess.run(["chrt", "-r", "1", "true"], check=False).returncode == 0 else []


def crosstalk(*words, limit=120):
    done = subprocess.run([*FIRST, "timeout", str(limit), "crosstalk", *words], check=False, text=True,
                          capture_output=True)
    if done.returncode != 0:
        sys.exit(f"crosstalk {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def on_hosts(application):
    hosts = APPLICATIONS[application]
    return ["lab", "mpiexec", "--deadline", "100s", *(["--hosts-used", hosts] if hosts else []), "--"]


def place_of(fault):
    """Where the lab shapes a direction: the host, or None at the switches; and the device."""
    kinds, numbers = zip(*(re.fullmatch(r"(leaf|spine|n)(\d+)", word).groups() for word in fault.split()[0:3:2]))
    first, second = map(int, numbers)
    if kinds == ("n", "leaf"):
        return f"h{first + 1}", "eth0"
    if kinds == ("leaf", "n"):
        return None, f"p{second + 1}"
    leaf, spine, end = (first, second, "a") if kinds[0] == "leaf" else (second, first, "b")
    return None, f"u{2 * leaf + spine + 1}{end}"


def at_device(host, *words):
    crosstalk("lab", "exec", *(["--host", host] if host else []), "--", *words)


def shape(network, fault, frac):
    host, device = place_of(fault)
    at_device(host, "tc", "qdisc", "change", "dev", device, "root", "handle", "1:", "tbf", "rate",
              f"{network.rate_mbit * frac:g}mbit", "burst", "1600", "limit", "4mb")


def hold(fault, later_ns):
    """Packets to a host, in the lab's delay line (lab/delay_line.h: later_ns of each port is the first that it has)."""
    facts = json.loads(crosstalk("lab", "status", "--format", "json"))
    path = f"/proc/{facts['holder']}/root{os.environ['CROSSTALK_LAB_DIR']}/{LAB}/ns/delay"
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as page:
        struct.pack_into("<q", page, 8 * int(re.search(r" to n(\d+)", fault).group(1)), later_ns)


def lose(fault, is_sick):
    """One packet in a hundred goes to a device that is down."""
    host, device = place_of(fault)
    if is_sick:
        load_random, above, yes, no = "32 0 0 4294963256", f"53 0 1 {int(0.99 * 2**32)}", "6 0 0 4294967295", "6 0 0 0"
        at_device(host, "sh", "-ec", f"ip link show lost >/dev/null 2>&1 || ip link add lost type bridge; "
                  f"tc qdisc add dev {device} clsact; tc filter add dev {device} egress protocol all prio 1 bpf bytecode "
                  f"'4,{load_random},{above},{yes},{no}' action mirred egress redirect dev lost")
    else:
        at_device(host, "tc", "qdisc", "del", "dev", device, "clsact")


def make(network, fault, is_sick):
    number = float(re.search(r"([\d.]+)(%|ms)$", fault).group(1))
    if " at " in fault:
        shape(network, fault, number / 100 if is_sick else 1)
    elif " later by " in fault:
        hold(fault, int(1e6 * number) if is_sick else 0)
    else:
        lose(fault, is_sick)


def stolen():
    with open("/proc/stat", encoding="ascii") as file:
        times = [int(word) for word in file.readline().split()[1:9]]
    return times[7], sum(times)


def run(application, seed):
    before = stolen()
    answer = json.loads(crosstalk(*on_hosts(application), "workload", application, "--loop", "--time", "3s",
                                  "--seed", str(seed), "--format", "json"))
    after = stolen()
    with open("/proc/loadavg", encoding="ascii") as file:
        load = file.read().split()[0]
    return {"mean_s": f"{answer['mean_s']:.6f}", "passes": answer["passes"],
            "stolen_frac": f"{(after[0] - before[0]) / max(after[1] - before[1], 1):.4f}", "load": load}


def measure_parameters():
    if not os.path.exists("logp.h5"):
        crosstalk("lab", "mpiexec", "--hosts-used", "h1,h2", "--", "logpb", "--max-size", "256KiB", "--time", "40s",
                  "--seed", "1", "--output", "logp-part.h5", "-q")
        os.rename("logp-part.h5", "logp.h5")


def trace():
    for application in APPLICATIONS:
        traces = f"traces/{application}"
        if not os.path.exists(traces):
            crosstalk("trace", "-o", "traces.part", "--", "crosstalk", *on_hosts(application), "workload",
                      application, "--loop", "--time", "3s", "--seed", "1")
            os.makedirs("traces", exist_ok=True)
            os.rename("traces.part", traces)


def known(path):
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(FIELDS) + "\n")
    with open(path, encoding="utf-8") as file:
        return {(int(row["round"]), row["fault"], row["application"]) for row in csv.DictReader(file)}


def measure(network, rounds):
    path = "runs.csv"
    there = known(path)
    for number in range(1, rounds + 1):
        order = ["healthy", *network.faults]
        random.Random(number).shuffle(order)
        for fault in order:
            missing = [name for name in APPLICATIONS if (number, fault, name) not in there]
            if missing and fault != "healthy":
                make(network, fault, True)
            for application in missing:
                row = {"round": number, "fault": fault, "application": application, **run(application, number)}
                with open(path, "a", encoding="utf-8") as file:
                    csv.DictWriter(file, FIELDS, lineterminator="\n").writerow(row)
                print(*row.values(), flush=True)
            if missing and fault != "healthy":
                make(network, fault, False)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 4
    os.environ.setdefault("CROSSTALK_LAB_DIR", os.path.join(folder, "state"))
    for network in NETWORKS:
        os.makedirs(os.path.join(folder, network.folder), exist_ok=True)
        os.chdir(os.path.join(folder, network.folder))
        crosstalk("lab", "up", "-q", *network.lab)
        try:
            measure_parameters()
            if network is NETWORKS[0]:
                trace()
            measure(network, rounds)
        finally:
            subprocess.run(["crosstalk", "lab", "down", "-q"], check=False)


if __name__ == "__main__":
    main()
