#!/usr/bin/env python3
"""Measures what slower links cost six applications on an emulated tree, for compare.py.

    examples/prices/measure.py FOLDER [ROUNDS]

Needs crosstalk and the workloads in PATH. Builds a lab (tree:4x4, two spines, 20 Mbit/s, one queue a port),
measures L, o and G and traces each application on it, once; then each round runs every application on the
healthy network and with each fault, in an order drawn with the round's number as seed. What is in FOLDER is
not measured again, so that the same command goes on. FOLDER/runs.csv gets a line a run, with the share of the
time that the hypervisor took, and the load of the machine when the run ended.
"""
import csv
import json
import os
import random
import re
import subprocess
import sys

LAB = os.environ.setdefault("CROSSTALK_LAB", "prices")
NETWORK = ["--topology", "tree:4x4,2", "--rate", "20mbit", "--uplink", "20mbit"]
# lulesh needs a cube of ranks; the others are on all hosts.
SPREAD = "h1,h2,h5,h6,h9,h10,h13,h14"
APPLICATIONS = {"amg": None, "fft": None, "lulesh": SPREAD, "mcb": None, "milc": None, "vpfft": None}
# The words of 'crosstalk watch --fault'. Four were chosen before anything was measured, so that many cases cost
# something; four were drawn afterwards (random.Random(45): any direction, 50 to 80 %), when the options of
# compare.py were settled.
CHOSEN = ["leaf0 to spine0 at 40%", "spine0 to leaf1 at 30%", "leaf1 to spine1 at 60%", "n4 to leaf1 at 40%"]
DRAWN = ["leaf0 to n0 at 80%", "leaf1 to n7 at 70%", "spine0 to leaf1 at 70%", "leaf0 to n2 at 50%"]
FAULTS = CHOSEN + DRAWN
RATE_MBIT = 20
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


def shape(fault, healthy=False):
    host, device = place_of(fault)
    rate = RATE_MBIT if healthy else RATE_MBIT * int(fault.rstrip("%").split()[-1]) / 100
    crosstalk("lab", "exec", *(["--host", host] if host else []), "--", "tc", "qdisc", "change", "dev", device,
              "root", "handle", "1:", "tbf", "rate", f"{rate:g}mbit", "burst", "1600", "limit", "4mb")


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


def prepare():
    if not os.path.exists("logp.h5"):
        crosstalk("lab", "mpiexec", "--hosts-used", "h1,h2", "--", "logpb", "--max-size", "256KiB", "--time", "40s",
                  "--seed", "1", "--output", "logp-part.h5", "-q")
        os.rename("logp-part.h5", "logp.h5")
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


def measure(rounds):
    path = "runs.csv"
    there = known(path)
    for number in range(1, rounds + 1):
        order = ["healthy", *FAULTS]
        random.Random(number).shuffle(order)
        for fault in order:
            missing = [name for name in APPLICATIONS if (number, fault, name) not in there]
            if missing and fault in FAULTS:
                shape(fault)
            for application in missing:
                row = {"round": number, "fault": fault, "application": application, **run(application, number)}
                with open(path, "a", encoding="utf-8") as file:
                    csv.DictWriter(file, FIELDS, lineterminator="\n").writerow(row)
                print(*row.values(), flush=True)
            if missing and fault in FAULTS:
                shape(fault, healthy=True)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 4
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    crosstalk("lab", "up", "-q", *NETWORK, "--queue", "fifo")
    try:
        prepare()
        measure(rounds)
    finally:
        subprocess.run(["crosstalk", "lab", "down", "-q"], check=False)


if __name__ == "__main__":
    main()
