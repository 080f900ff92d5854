"""FOLDER INTERVAL...: the mean latency of the runs FOLDER/INTERVAL.*.h5 for every interval between probes, with
95 % intervals by a bootstrap over blocks of 2 s of a run; fails where two of the means differ by more than the 95 %
interval of their difference."""
import glob
import random
import statistics
import sys

import h5py

BLOCK_S = 2.0
DRAWS = 2000


def blocks(path):
    """(sum of latencies, samples) of each block of a run, its number of late probes and its samples"""
    with h5py.File(path) as file:
        samples = file["samples"][:]
    sums = {}
    for due, latency in zip(samples["t_s"], samples["latency_s"]):
        total, count = sums.get(int(due / BLOCK_S), (0.0, 0))
        sums[int(due / BLOCK_S)] = (total + latency, count + 1)
    return list(sums.values()), int((samples["late"] > 0).sum()), len(samples)


def mean_of(drawn):
    return sum(total for total, _ in drawn) / sum(count for _, count in drawn)


def middle(values, share):
    cuts = statistics.quantiles(values, n=1000, method="inclusive")
    return cuts[round(500 * (1 - share)) - 1], cuts[round(500 * (1 + share)) - 1]


folder, intervals = sys.argv[1], sys.argv[2:]
random.seed(1)
means, draws = {}, {}
print("interval  runs  probes   late  mean [ms]  95 % interval [ms]")
for interval in intervals:
    paths = sorted(glob.glob(f"{folder}/{interval}.*.h5"))
    if not paths:
        sys.exit(f"no run with an interval of {interval} in {folder}")
    runs = [blocks(path) for path in paths]
    of_all = [block for run, _, _ in runs for block in run]
    means[interval] = mean_of(of_all)
    draws[interval] = [mean_of(random.choices(of_all, k=len(of_all))) for _ in range(DRAWS)]
    low, high = middle(draws[interval], 0.95)
    print(f"{interval:8}  {len(paths):4}  {sum(n for _, _, n in runs):6}  {sum(n for _, n, _ in runs):5}  "
          f"{1e3 * means[interval]:9.2f}  {1e3 * low:.2f} to {1e3 * high:.2f}")
failed = 0
for i, first in enumerate(intervals):
    for second in intervals[i + 1:]:
        low, high = middle([b - a for a, b in zip(draws[first], draws[second])], 0.95)
        agree = low <= 0 <= high
        failed += not agree
        print(f"{'agree' if agree else 'DIFFER'}: {first} and {second}, by {1e3 * (means[second] - means[first]):+.2f} ms, "
              f"95 % interval {1e3 * low:.2f} to {1e3 * high:.2f}")
sys.exit(failed > 0)
