#!/usr/bin/env python3
"""How far 'crosstalk utilization --links' is off what the switches counted, as a Markdown table.

    examples/links/compare.py FOLDER LOAD...

For each LOAD the files LOAD-1.h5 (impactb beside it) and LOAD-1.json (crosstalk lab counters), LOAD-2.h5
and so on, with idle-1.h5 and idle-1.json of the idle network. A link's load is what was counted less what
was counted on the idle network, which is the probe's own. Errors are in points, over all directions.
"""
import json
import os
import subprocess
import sys


def counted(path):
    with open(path, encoding="utf-8") as file:
        answer = json.load(file)
    busy = {(link["from"], link["to"]): link["busy_frac"] for link in answer["links"]}
    for port in answer["ports"]:
        number = int(port["host"][1:]) - 1
        busy[f"n{number}", "leaf"] = port["rx_busy_frac"]  # what the switch receives
        busy["leaf", f"n{number}"] = port["tx_busy_frac"]
    return busy


def key(link):
    ends = [link["from"], link["to"]]
    if ends[0].startswith("n") or ends[1].startswith("n"):
        ends = ["leaf" if end.startswith("leaf") else end for end in ends]
    return tuple(ends)


def estimated(idle, loaded, option):
    command = ["crosstalk", "utilization", "--links", *option, "--idle", idle, "--loaded", loaded, "--seed", "1",
               "--format", "json"]
    links = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["links"]
    return {key(link): (link["utilization"], link["utilization_ci"]) for link in links}


def mean(values):
    values = list(values)
    return 100 * sum(values) / len(values)


def run_of(folder, load, number):
    def path(name, ending):
        return os.path.join(folder, f"{name}-{number}.{ending}")

    idle, busy = counted(path("idle", "json")), counted(path(load, "json"))
    of_load = {link: max(busy[link] - idle[link], 0) for link in busy}
    found = estimated(path("idle", "h5"), path(load, "h5"), [])
    round_trips = estimated(path("idle", "h5"), path(load, "h5"), ["--round-trips"])
    errors = {link: abs(found[link][0] - of_load[link]) for link in found}
    hosts = [link for link in found if "leaf" in link]
    switches = [link for link in found if "leaf" not in link]
    inside = [link for link in found if found[link][1][0] <= of_load[link] <= found[link][1][1]]
    used = [of_load[link] for link in hosts if of_load[link] > 0.05]
    uplinks = [of_load[link] for link in switches if of_load[link] > 0.05]
    return {"load": f"`{load}`", "run": str(number),
            "busy: a host [%]": f"{mean(used):.0f}" if used else "-",
            "a link between switches": f"{mean(uplinks):.0f}" if uplinks else "-",
            "hosts": f"{mean(errors[link] for link in hosts):.1f}",
            "switches": f"{mean(errors[link] for link in switches):.1f}",
            "all": f"{mean(errors.values()):.1f}",
            "largest": f"{100 * max(errors.values()):.0f}",
            "in the 90 % interval": f"{100 * len(inside) / len(found):.0f} %",
            "with the probe's load: all": f"{mean(abs(found[link][0] - busy[link]) for link in found):.1f}",
            "round trips: all": f"{mean(abs(round_trips[link][0] - of_load[link]) for link in found):.1f}"}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, loads = sys.argv[1], sys.argv[2:]
    rows = [run_of(folder, load, number) for load in loads for number in (1, 2)
            if os.path.exists(os.path.join(folder, f"{load}-{number}.h5"))]
    print("| " + " | ".join(rows[0]) + " |")
    print("|---" * len(rows[0]) + "|")
    for row in rows:
        print("| " + " | ".join(row.values()) + " |")
    average = sum(float(row["all"]) for row in rows) / len(rows)
    print(f"\nMean of all runs: {average:.1f} points, over {len(rows)} runs")


if __name__ == "__main__":
    main()
