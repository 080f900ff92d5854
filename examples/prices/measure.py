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
import subprocess
import sys

LAB = os.environ.setdefault("CROSSTALK_LAB", "prices")
NETWORK = ["--topology", "tree:4x4,2", "--rate", "20mbit", "--uplink", "20mbit"]
# lulesh needs a cube of ranks; the others are on all hosts.
SPREAD = "h1,h2,h5,h6,h9,h10,h13,h14"
APPLICATIONS = {"amg": None, "fft": None, "lulesh": SPREAD, "mcb": None, "milc": None, "vpfft": None}
# The words of 'crosstalk watch --fault', and where the lab shapes that direction.
FAULTS = {
    "leaf0 to spine0 at 40%": (None, "u1a", "8mbit"),
    "spine0 to leaf1 at 30%": (None, "u3b", "6mbit"),
    "leaf1 to spine1 at 60%": (None, "u4a", "12mbit"),
    "n4 to leaf1 at 40%": ("h5", "eth0", "8mbit"),
}
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


def shape(fault, healthy=False):
    host, device, rate = FAULTS[fault]
    crosstalk("lab", "exec", *(["--host", host] if host else []), "--", "tc", "qdisc", "change", "dev", device,
              "root", "handle", "1:", "tbf", "rate", "20mbit" if healthy else rate, "burst", "1600", "limit", "4mb")


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


def prepare(folder):
    if not os.path.exists(f"{folder}/logp.h5"):
        crosstalk("lab", "mpiexec", "--hosts-used", "h1,h2", "--", "logpb", "--max-size", "256KiB", "--time", "40s",
                  "--seed", "1", "--output", f"{folder}/logp-part.h5", "-q")
        os.rename(f"{folder}/logp-part.h5", f"{folder}/logp.h5")
    for application in APPLICATIONS:
        traces = f"{folder}/traces/{application}"
        if not os.path.exists(traces):
            crosstalk("trace", "-o", f"{folder}/traces.part", "--", "crosstalk", *on_hosts(application), "workload",
                      application, "--seed", "1")
            os.makedirs(f"{folder}/traces", exist_ok=True)
            os.rename(f"{folder}/traces.part", traces)


def known(path):
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(FIELDS) + "\n")
    with open(path, encoding="utf-8") as file:
        return {(int(row["round"]), row["fault"], row["application"]) for row in csv.DictReader(file)}


def measure(folder, rounds):
    path = f"{folder}/runs.csv"
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
    crosstalk("lab", "up", "-q", *NETWORK, "--queue", "fifo")
    try:
        prepare(folder)
        measure(folder, rounds)
    finally:
        subprocess.run(["crosstalk", "lab", "down", "-q"], check=False)


if __name__ == "__main__":
    main()
