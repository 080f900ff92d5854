#!/usr/bin/env python3
"""Co-runs of a campaign in a tree of the lab, measured and simulated with packets.

    packets.py FOLDER

FOLDER has campaign.yaml, campaign.h5, traces/ and logp.h5, as this one and two-switches. Nothing is fitted: ports are what
the lab's are, one FIFO queue each, with packets of 1500 B and a burst of 1600 B (lab/shaping.c). Runs crosstalk of
CROSSTALK_BIN, else of the PATH.
"""
import json
import os
import re
import statistics
import subprocess
import sys

CROSSTALK = os.path.join(os.environ.get("CROSSTALK_BIN", ""), "crosstalk")
PORTS = ["--network", "packet", "--queue", "fifo", "--packet", "1500B", "--buffer", "1MB", "--burst", "1600B"]


def ask(*words):
    done = subprocess.run([CROSSTALK, *words, "--format", "json", "-q"], capture_output=True, text=True, timeout=300,
                          check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def setting(campaign, key):
    with open(campaign, encoding="utf-8") as file:
        return re.search(rf'\b{key}: "?([^",}}\s]+)', file.read()).group(1)


def nodes(hosts):
    """Host 1 of the lab is node 0."""
    numbers = [[str(int(end) - 1) for end in part.split("-")] for part in hosts.split(",")]
    return f"n[{','.join('-'.join(part) for part in numbers)}]"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    campaign = os.path.join(folder, "campaign.yaml")
    network = ["--logp", os.path.join(folder, "logp.h5"), "--topology", setting(campaign, "topology"),
               "--spines", setting(campaign, "spines"), "--rate", setting(campaign, "rate"),
               "--uplink", setting(campaign, "rate"), *PORTS]
    measured = ask("predict", folder, "--models", "mutual", "--seed", "1")["pairs"]
    print(f"{'placement':12} {'app':7} {'with':7} measured [%]  simulated [%]")
    for placement in ask("campaign", "plan", campaign)["placements"]:
        hosts = f"{nodes(placement['hosts'])} {nodes(placement['with_hosts'])}"
        off = []
        for pair in (pair for pair in measured if pair["placement"] == placement["placement"]):
            programs = [os.path.join(folder, "traces", pair[key]) for key in ("app", "with")]
            slowdown = ask("simulate", *programs, *network, "--hosts", hosts)["programs"][0]["slowdown"]
            off.append(abs(slowdown - pair["measured"]))
            print(f"{placement['placement']:12} {pair['app']:7} {pair['with']:7} {100 * pair['measured']:12.1f} "
                  f"{100 * slowdown:14.1f}", flush=True)
        print(f"{placement['placement']}: off by {100 * statistics.mean(off):.1f} points on average, {100 * max(off):.0f} at most\n")


main()
