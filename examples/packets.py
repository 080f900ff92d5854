#!/usr/bin/env python3
"""Co-runs of a campaign in the lab, measured and simulated with packets: nothing is fitted.

    packets.py FOLDER

FOLDER has campaign.yaml, campaign.h5, logp.h5, and traces/ or schedules/, as lab8, codes8, placement and
placement/two-switches. Ports are what the lab's are (lab/shaping.c): queues as in campaign.yaml, packets of 1500 B, and
a bucket of tokens for 200 us, at least 1600 B. Runs crosstalk of CROSSTALK_BIN, else of the PATH.
"""
import json
import os
import re
import statistics
import subprocess
import sys

CROSSTALK = os.path.join(os.environ.get("CROSSTALK_BIN", ""), "crosstalk")
BITS = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}


def ask(*words):
    done = subprocess.run([CROSSTALK, *words, "--format", "json", "-q"], capture_output=True, text=True, timeout=300,
                          check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def launcher_of(campaign):
    with open(campaign, encoding="utf-8") as file:
        line = re.search(r"^launcher: \{(.*)\}", file.read(), re.MULTILINE).group(1)
    return dict(re.findall(r'(\w+): "?([^",]+)', line))


def ports(launcher):
    number, unit = re.fullmatch(r"([\d.]+)(\w+)", launcher["rate"]).groups()
    burst = max(1600, float(number) * BITS[unit] / 8 * 200e-6)
    words = ["--network", "packet", "--queue", launcher["queue"], "--packet", "1500B", "--buffer", "1MB",
             "--burst", f"{burst:.0f}B"]
    if "topology" in launcher:
        words += ["--topology", launcher["topology"], "--spines", launcher["spines"], "--rate", launcher["rate"],
                  "--uplink", launcher["rate"]]
    return words


def nodes(hosts):
    """Host 1 of the lab is node 0."""
    numbers = [[str(int(end) - 1) for end in part.split("-")] for part in hosts.split(",")]
    return f"n[{','.join('-'.join(part) for part in numbers)}]"


def program(folder, app):
    schedule = os.path.join(folder, "schedules", f"{app}.bin")
    return schedule if os.path.exists(schedule) else os.path.join(folder, "traces", app)


def compare(folder, pairs, words):
    """Prints each pair; how far each is off."""
    for pair in pairs:
        programs = [program(folder, pair[key]) for key in ("app", "with")]
        slowdown = ask("simulate", *programs, *words)["programs"][0]["slowdown"]
        print(f"{pair.get('placement', ''):12} {pair['app']:7} {pair['with']:7} {100 * pair['measured']:12.1f} "
              f"{100 * slowdown:14.1f}", flush=True)
        yield abs(slowdown - pair["measured"]), abs((1 + slowdown) / (1 + pair["measured"]) - 1)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    campaign = os.path.join(folder, "campaign.yaml")
    words = ["--logp", os.path.join(folder, "logp.h5"), *ports(launcher_of(campaign))]
    pairs = [pair for pair in ask("predict", folder, "--models", "mutual", "--seed", "1")["pairs"]
             if "," not in pair["with"]]
    placements = ask("campaign", "plan", campaign).get("placements", [{}])
    print(f"{'placement':12} {'app':7} {'with':7} measured [%]  simulated [%]")
    for placement in placements:
        name = placement.get("placement")
        hosts = ["--hosts", f"{nodes(placement['hosts'])} {nodes(placement['with_hosts'])}"] if name else []
        off, of_time = zip(*compare(folder, [pair for pair in pairs if pair.get("placement") == name], words + hosts))
        first, median, third = statistics.quantiles(off, n=4, method="inclusive")
        print(f"{name or 'all'}: off by {100 * statistics.mean(off):.1f} points on average, {100 * max(off):.0f} at most; median "
              f"{100 * median:.1f}, quartiles {100 * first:.1f} and {100 * third:.1f}; {100 * statistics.mean(of_time):.1f} % of the run "
              "time on average\n")


main()
