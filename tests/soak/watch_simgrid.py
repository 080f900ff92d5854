#!/usr/bin/python3
"""What crosstalk watch finds inside SimGrid: 240 faults and 900 healthy minutes on networks of 16 to 1024 hosts.

    watch_simgrid.py PROGRAM DIR [SEED]    PROGRAM: watch_simgrid; what is in DIR is not simulated again

Exits with 1 if fewer than 95 % of the faults are found in time, or fewer than 95 % at the right place, or fewer than
95 % of the slow hosts as hosts, or if there is more than one alarm in the healthy minutes."""
import csv
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

LEARN_S = 600 # as crosstalk watch does by default
# topology, hosts, runs, of which each has so many faults and healthy minutes, probes a second and host
NETWORKS = [("tree:4x4,2", 16, 19, 8, 34, 40), ("tree:8x8,4", 64, 8, 6, 20, 40), ("fat-tree:8", 128, 8, 4, 10, 40),
            ("fat-tree:16", 1024, 4, 2, 5, 20)]


def simulate(program, folder, network, seed):
    topology, _, _, faults, minutes, probes = network
    path = os.path.join(folder, f"{topology.replace(':', '-').replace(',', '-')}-{seed}.csv")
    if not os.path.exists(path):
        with open(path + ".part", "w", encoding="utf-8") as out:
            subprocess.run([program, topology, str(seed), str(faults), str(minutes), str(probes), str(LEARN_S)], check=True,
                           stdout=out, stderr=subprocess.DEVNULL, timeout=7200)
        os.rename(path + ".part", path)
        print(f"{topology}, seed {seed}: done", flush=True)
    with open(path, encoding="utf-8", newline="") as file:
        return [[topology, *line] for line in csv.reader(file)]


def table(rows):
    """A row a network and a row a kind of fault; the numbers of all faults, found, right and alarms without one."""
    def count(name, chosen):
        faults = [row for row in chosen if row[1] == "fault"]
        healthy = [int(row[2]) for row in chosen if row[1] == "healthy"]
        times = sorted(float(row[5]) for row in faults if row[3] == "1")
        median = f"{times[len(times) // 2]:9.1f}" if times else " " * 9
        numbers = (len(faults), sum(row[3] == "1" for row in faults), sum(row[4] == "1" for row in faults))
        print(f"{name:12}{numbers[0]:8}{numbers[1]:8}{numbers[2]:8}{median}{len(healthy):10}{sum(healthy):8}")
        return *numbers, sum(healthy)

    print(f"{'':12}{'faults':>8}{'found':>8}{'right':>8}{'median s':>9}{'minutes':>10}{'alarms':>8}")
    for topology, hosts, *_ in NETWORKS:
        count(f"{hosts} hosts", [row for row in rows if row[0] == topology])
    for kind in sorted({row[2] for row in rows if row[1] == "fault"}):
        count(kind, [row for row in rows if row[1] == "fault" and row[2] == kind])
    return count("all", rows), count("hosts alone", [row for row in rows if row[1:3] == ["fault", "host"]])


def main():
    program, folder = sys.argv[1:3]
    first_seed = int(sys.argv[3]) if len(sys.argv) > 3 else 900000
    os.makedirs(folder, exist_ok=True)
    jobs = [(network, first_seed + 100 * i + run) for i, network in enumerate(NETWORKS) for run in range(network[2])]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda job: simulate(program, folder, *job), jobs)
        (faults, in_time, right, alarms), (hosts, _, hosts_right, _) = table([row for rows in found for row in rows])
    good = in_time >= 0.95 * faults and right >= 0.95 * faults and hosts_right >= 0.95 * hosts and alarms <= 1
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
