#!/usr/bin/env python3
"""Make throughput.csv: what crosstalk's own packet network says with the most likely values of [D], table 1, with 2 % of
noise; 18 sizes, 100 repetitions, 16 messages under way between nodes at two switches.

    PATH=build/dev/bin:$PATH examples/calibration/make.py >examples/calibration/throughput.csv

Throughput at the values themselves is the result of a calibration whose priors are as narrow as rounding allows, in the
dataset design/outputs of its file. Needs h5py.
"""
import math
import os
import random
import subprocess
import tempfile

import h5py

TRUTH = {"injection-bandwidth": (13.04e9, "B/s"), "link-bandwidth": (12.47e9, "B/s"), "memory-bandwidth": (11.2e9, "B/s"),
         "post-header": (360, "ns"), "post-rdma": (880, "ns"), "pin": (5430, "ns"), "pin-page": (50.5, "ns")}
N_SIZES, REPETITIONS, NOISE = 18, 100, 0.02
SIZES = [round(256 * 4096 ** (i / (N_SIZES - 1))) for i in range(N_SIZES)]


def simulate(folder):
    """Throughput of all sizes; what it is compared with does not matter."""
    with open(os.path.join(folder, "data.csv"), "w", encoding="utf-8") as file:
        file.write("kind,size,value\n" + "".join(f"throughput,{size},{value}\n" for size in SIZES for value in (1e9, 2e9)))
    with open(os.path.join(folder, "truth.yaml"), "w", encoding="utf-8") as file:
        file.write("".join(f"{name}: {value:g}{unit}\n" for name, (value, unit) in TRUTH.items())
                   .replace("post-header: 360ns", "post-header: uniform 360ns 360.000001ns"))
    subprocess.run(["crosstalk", "calibrate", "--data", "data.csv", "--parameters", "truth.yaml", "--topology", "tree:2x1",
                    "--window", "16", "--train", "16", "--points", "16", "--refine", "0", "--samples", "10", "--quiet",
                    "-o", "truth.h5"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with h5py.File(os.path.join(folder, "truth.h5"), "r") as file:
        return [float(value) for value in file["design/outputs"][0]]


def main():
    noise = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        values = simulate(folder)
    print("kind,size,value")
    for size, value in zip(SIZES, values):
        for _ in range(REPETITIONS):
            print(f"throughput,{size},{value * math.exp(noise.gauss(0, NOISE)):.9g}")


main()
