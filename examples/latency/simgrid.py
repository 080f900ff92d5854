#!/usr/bin/env python3
"""T(L) against added latency inside SimGrid: six workloads, on a switch and on a fat tree, each with two models of
the network: simgrid.py FOLDER. FOLDER gets the runs; interrupted, the same command goes on.

crosstalk is on the PATH; crosstalk-simgrid is where crosstalk finds it, or in the folder $CROSSTALK_SIMGRID. Nothing is
random: this gives the same numbers everywhere. It takes 6 minutes on two cores.
"""
import json
import os
import subprocess
import sys

PROGRAMS = ("amg", "fft", "lulesh", "mcb", "milc", "vpfft")
NETWORKS = {"switch": ["--hosts", "8"], "fat-tree:4": ["--topology", "fat-tree:4", "--hosts", "16"]}
MODELS = ("plain", "smpi")
# All messages at once: SMPI's choice for MPICH sends four of an alltoall at once, the one that traces are taken for 32.
ALGORITHMS = ["--set", "smpi/alltoall:basic_linear", "--alltoall", "linear"]
HEADING = ("program", "network", "model", "pass [ms]", "longest", "relative RMS error", "slope, measured", "predicted",
           "+1 % at [us]", "+2 %", "+5 %")


def validate(folder, program, network, model):
    hosts = list(NETWORKS[network])
    if program == "lulesh":  # its number of ranks is a cube
        hosts[-1] = "8"
    where = ["--simgrid", os.environ["CROSSTALK_SIMGRID"]] if "CROSSTALK_SIMGRID" in os.environ else []
    found = subprocess.run(
        ["crosstalk", "validate", "--launcher", "simgrid", *where, "--model", model, *hosts, *ALGORITHMS,
         "--serialize-nic", "-o", os.path.join(folder, f"{program}-{network.replace(':', '-')}-{model}"), "--seed", "1", "--format", "json", "--",
         "workload", program, "--iterations", "10", "--compute-time", "1ms"],
        stdout=subprocess.PIPE, text=True)
    if found.returncode != 0:
        sys.exit(f"{program} on {network}: crosstalk validate ended with exit code {found.returncode}")
    return json.loads(found.stdout)


def microseconds(seconds):
    return "–" if seconds is None else f"{1e6 * seconds:.2f}"


def row(program, network, model, answer):
    points = answer["points"]
    longest = points[-1]["measured_s"] / points[0]["measured_s"] - 1
    return [f"`{program}`", network, model, f"{1e3 * points[0]['measured_s']:.2f}", f"{100 * longest:.0f} %",
            f"{100 * answer['rrmse']:.2f} %", f"{answer['slope_measured']:.1f}", f"{answer['slope_predicted']:.1f}",
            *(f"{microseconds(at['measured_s'])} / {microseconds(at['predicted_s'])}" for at in answer["tolerance"])]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for cells in (HEADING, ["---"] * len(HEADING)):
        print("| " + " | ".join(cells) + " |", flush=True)
    for network in NETWORKS:
        for program in PROGRAMS:
            for model in MODELS:
                cells = row(program, network, model, validate(sys.argv[1], program, network, model))
                print("| " + " | ".join(cells) + " |", flush=True)


main()
