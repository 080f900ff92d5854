#!/usr/bin/env python3
"""What sick links cost: measured by measure.py, and said by crosstalk watch --fault, as a Markdown table.

    examples/prices/compare.py FOLDER [README.md]

A measured price is the median over rounds of the run time with the fault, divided by that on the healthy network,
less 1; its 90 % interval comes from drawing rounds with replacement (seed 1). No run is left out. Runs that took
more than 10 % longer than the median of their case were disturbed, and are named.

README.md: the table takes the place of what is behind its last heading. Exits with 1 if prices are off by more
than 3 points on average: of the lower rates that were chosen, of those that were drawn, or of delays. Losses are
not judged: the time of another try is that of an idle TCP connection, which no probe shows.
"""
import csv
import json
import random
import subprocess
import sys
import textwrap
from statistics import median

from measure import APPLICATIONS, CHOSEN, DELAYS, DRAWN, LOSSES, NETWORKS

DISTURBED = 0.1
DRAWS = 1000
OFF_MOST = 0.03
RETRANSMIT = "200ms"
PARTS = {"rates, chosen": CHOSEN, "rates, drawn": DRAWN, "delays, drawn": DELAYS, "losses, not judged": LOSSES}


def nodes_of(hosts):
    return ",".join(f"n{int(host[1:]) - 1}" for host in hosts.split(",")) if hosts else "n[0-15]"


def predicted(folder, network, fault):
    command = ["crosstalk", "watch", "--fault", fault, *network.topology, "--applications", f"{folder}/traces", "--hosts",
               " ".join(nodes_of(APPLICATIONS[name]) for name in sorted(APPLICATIONS)), "--logp",
               f"{folder}/{network.folder}/logp.h5", "--queue", "fifo", "--burst", "1600B", "--format", "json",
               *(["--retransmit", RETRANSMIT] if fault in LOSSES else [])]
    prices = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["prices"]
    return {price["application"]: price["slowdown"] for price in prices}


def read_runs(folder, network):
    with open(f"{folder}/{network.folder}/runs.csv", encoding="utf-8") as file:
        return {(int(row["round"]), row["fault"], row["application"]): row for row in csv.DictReader(file)}


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def times(runs, fault, application):
    return [float(row["mean_s"]) for (_, name, app), row in runs.items() if name == fault and app == application]


def measured(runs, fault, application):
    """The price, the ends of its interval, and as the mean of the ratios of each round."""
    sick, healthy = times(runs, fault, application), times(runs, "healthy", application)
    draw = random.Random(1)
    drawn = sorted(median(draw.choices(sick, k=len(sick))) / median(draw.choices(healthy, k=len(healthy))) - 1
                   for _ in range(DRAWS))
    ratios = mean(a / b - 1 for a, b in zip(sick, healthy))
    return median(sick) / median(healthy) - 1, drawn[DRAWS // 20], drawn[-DRAWS // 20], ratios


def disturbed_runs(runs):
    found = []
    for (number, fault, application), row in runs.items():
        longer = float(row["mean_s"]) / median(times(runs, fault, application)) - 1
        if longer > DISTURBED:
            found.append(f"`{application}`, {fault}, round {number}: {100 * longer:.0f} %")
    return found


def summary(name, cases):
    off = [abs(said - found) for found, said in cases]
    dear = [(found, said) for found, said in cases if found > 0.05]
    return (f"- {name}: {len(cases)} cases, of which {len(dear)} cost more than 5 %: off by **{100 * mean(off):.1f} points** "
            f"on average, {100 * max(off):.1f} at most; predicting 0: {100 * mean(abs(found) for found, _ in cases):.1f}." +
            (f" Of those above 5 %: {100 * mean(abs(said - found) for found, said in dear):.1f}, predicting 0: "
             f"{100 * mean(found for found, _ in dear):.1f}." if dear else ""))


def about_runs(runs):
    rounds = [number for number, _, _ in runs]
    loads = sorted(float(row["load"]) for row in runs.values())
    stolen = max(float(row["stolen_frac"]) for row in runs.values())
    found = disturbed_runs(runs)
    text = (f"{len(runs)} runs in {max(rounds)} rounds. Load of the machine, which has two processors, when runs ended: {loads[0]:g} "
            f"to {loads[-1]:g}, median {loads[len(loads) // 2]:g}; the hypervisor took at most {100 * stolen:.1g} % of the time of a "
            f"run. {len(found)} runs were disturbed, by more than {100 * DISTURBED:g} % of the median of their case"
            f"{': ' if found else ''}{'; '.join(found)}.")
    return textwrap.fill(text, 140)


def report(folder):
    """Lines of text, and the largest mean error of those that are judged."""
    lines = ["| fault | application | measured [%] | said [%] | off by |", "|---|---|---|---|---|"]
    cases, by_ratios, about = {}, {}, []
    for network in NETWORKS:
        runs = read_runs(folder, network)
        about += ["", about_runs(runs)]
        for fault in network.faults:
            prices = predicted(folder, network, fault)
            for application in APPLICATIONS:
                found, low, high, ratios = measured(runs, fault, application)
                said = prices[application]
                cases.setdefault(fault, []).append((found, said))
                by_ratios.setdefault(fault, []).append((ratios, said))
                lines.append(f"| {fault} | `{application}` | {100 * found:.1f} [{100 * low:.1f}, {100 * high:.1f}] | "
                             f"{100 * said:.1f} | {100 * (said - found):+.1f} |")
    lines.append("")
    off = []
    for name, faults in PARTS.items():
        part = [case for fault in faults for case in cases[fault]]
        planned = mean(abs(found - said) for fault in faults for found, said in by_ratios[fault])
        lines.append(f"{summary(name, part)} By means of the ratios of each round: off by {100 * planned:.1f}.")
        if faults is not LOSSES:
            off.append(mean(abs(said - found) for found, said in part))
    return lines + about, max(off)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    lines, off = report(sys.argv[1])
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if len(sys.argv) == 3:
        with open(sys.argv[2], encoding="utf-8") as file:
            kept = file.read()
        heading = kept.index("\n", kept.rindex("\n## ") + 1)
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(kept[:heading] + "\n" + text)
    return 0 if off <= OFF_MOST else 1


if __name__ == "__main__":
    sys.exit(main())
