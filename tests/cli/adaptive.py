#!/usr/bin/env python3
"""grid: adaptive on a finished campaign: how few runs give the same predictions.

    adaptive.py                       test on a campaign whose right answers are known
    adaptive.py DIR [RESOLUTION]      the same for a campaign folder or FILE.h5 measured with a fixed
                                      grid: prints what was picked and how predictions differ

The driver is the real one. The launcher that it is given copies the run file of the finished campaign
instead of measuring. Needs CROSSTALK_BIN, the folder of the programs. Exits with 77 where h5py is
not installed.
"""
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import campaign_example as example  # exits with 77 without h5py
import h5py
import numpy as np

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
MPIEXEC = """#!/bin/sh
# Measured programs have an output, runs/.partial/ID.h5; those in the background run until they are
# ended. What a switch counted, runs/ID.ports.json, comes along; of what a load sent there is one file.
[ "$1" = --version ] && exec echo "a launcher of no MPI"
for word do
    if [ "$before" = --output ] && [ "${word%.sent.h5}" != "$word" ]; then
        cp "$SENT" "$word.part" && mv "$word.part" "$word" && exec sleep 60
    fi
    if [ "$before" = --output ]; then
        id=$(basename "$word" .h5)
        [ ! -e "$FINISHED/$id.ports.json" ] ||
            cp "$FINISHED/$id.ports.json" "$(dirname "$word")/.." || exit
        exec cp "$FINISHED/$id.h5" "$word"
    fi
    before=$word
done
exec sleep 60
"""
HOSTS, RATE = 8, "50mbit"
APPS = {"light": 0.07, "medium": 0.3, "heavy": 0.62}  # utilization
STRENGTH = {"light": 0.1, "medium": 0.6, "heavy": 1.2}  # slowdown when the network is full
MPI_TIME_S = 6.4e-3


# --- a finished campaign of which everything is known ---------------------------------------------

def odds_of(partners, messages, bubble_s):
    return 0.2 * partners**1.1 * messages**0.7 * (MPI_TIME_S / bubble_s)**0.6


def mean_us(utilization):
    """About: the service time of 10 us is the smallest of a noisy sample."""
    return 9.5 * (1 + utilization / (1 - utilization) / 2)


def slowdown(app, utilization):
    return STRENGTH[app] * utilization**2


def grid():
    for partners in (1, 4, 7):
        for messages in (1, 10):
            for text in ("7.7ms", "23ms", "69ms", "210ms"):
                yield partners, messages, text


def finished(folder):
    def name(text):
        return os.path.join(folder, text + ".h5")

    os.makedirs(folder)
    for r in range(2):
        example.impact(name(f"idle-r{r}"), 10)
    for app, used in APPS.items():
        for r in range(2):
            example.runtime(name(f"baseline-{app}-r{r}"), [2.0] * 4, app=app)
        example.impact(name(f"impact-{app}-r0"), mean_us(used), app=app)
        for other, by in APPS.items():
            example.runtime(name(f"runtime-{app}-with-{other}-r0"), [2 * (1 + slowdown(app, by))] * 4,
                            app=app, co_runner=other)
    for partners, messages, text in grid():
        config = (partners, messages, float(text[:-2]) * 1e-3)
        odds = odds_of(*config)
        load = f"p{partners}-m{messages}-b{text}"
        example.impact(name(f"impact-{load}-r0"), mean_us(odds / (1 + odds)), config=config)
        for app in APPS:
            example.runtime(name(f"runtime-{app}-under-{load}-r0"),
                            [2 * (1 + slowdown(app, odds / (1 + odds)))] * 4, app=app, config=config)


# --- the campaign that picks ----------------------------------------------------------------------

class Replay:
    """A campaign like a finished one, with grid: adaptive, whose runs are copies."""

    def __init__(self, work, runs, apps, repetitions, resolution="5%", bursts=""):
        self.work, self.folder = work, os.path.join(work, "picked")
        self.file = os.path.join(work, "adaptive.yaml")
        os.makedirs(os.path.join(work, "bin"), exist_ok=True)
        program = os.path.join(work, "bin", "mpiexec")
        with open(program, "w", encoding="utf-8") as file:
            file.write(MPIEXEC)
        os.chmod(program, 0o755)
        sent = os.path.join(work, "sent.h5")
        with example.write(sent, "compression") as file:
            file["rounds"] = np.zeros(0, [("start_s", "f8"), ("duration_s", "f8"), ("bytes", "u8")])
        self.environment = {**os.environ, "FINISHED": runs, "SENT": sent, "CROSSTALK_MPIEXEC": program}
        counts = ", ".join(f"{sort}: {n}" for sort, n in repetitions.items())
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(f"campaign: replay\nseed: 5\nretries: 0\ngrid: adaptive\n"
                       f"resolution: {resolution}\n" + (f"bursts: {bursts}\n" if bursts else "") +
                       f"launcher: {{kind: mpiexec, hosts: {HOSTS}, rate: {RATE}, placement: none}}\n"
                       f"durations: {{settle: 0s}}\nrepetitions: {{{counts}}}\napplications:\n" +
                       "".join(f"  - {{name: {app}, command: {app}}}\n" for app in apps))

    def start(self, **where):
        return subprocess.Popen([CROSSTALK, "campaign", "run", self.file, "-o", self.folder],
                                env=self.environment, stdin=subprocess.DEVNULL, text=True, **where)

    def run(self):
        done = self.start(stderr=subprocess.PIPE)
        _, told = done.communicate(timeout=300)
        assert done.returncode == 0, told
        return told

    def runs(self):
        try:
            names = os.listdir(os.path.join(self.folder, "runs"))
        except FileNotFoundError:
            return set()
        return {name for name in names if name.endswith(".h5") and not name.endswith(".sent.h5")}

    def order(self):
        """Runs in the order in which they were made."""
        with open(os.path.join(self.folder, "journal.jsonl"), encoding="utf-8") as journal:
            lines = [json.loads(line) for line in journal if line.strip()]
        return [line["id"] for line in lines if line.get("outcome") == "done"]


def predictions(path):
    done = subprocess.run([CROSSTALK, "predict", path, "--models", "all", "--format", "json", "--seed", "1"],
                          capture_output=True, text=True, timeout=300, check=True)
    answer = json.loads(done.stdout)
    return answer, {(pair["app"], pair["with"], model): value for pair in answer["pairs"]
                    for model, value in pair["predicted"].items()}


def differences(all_runs, picked):
    """By model: |prediction with the picked runs - prediction with all|, of pairs that have both."""
    models = {}
    for (app, other, model), value in all_runs.items():
        if value is not None and picked.get((app, other, model)) is not None:
            models.setdefault(model, []).append(abs(value - picked[app, other, model]))
    return models


def configurations(names):
    return {match[1] for match in (re.match(r"impact-(p\d.*)-r\d+", name) for name in names) if match}


# --- the test -------------------------------------------------------------------------------------

def start_replay(work, runs):
    return Replay(work, runs, APPS,
                  {"idle": 2, "baseline": 2, "impact": 1, "compression": 1, "corun": 1})


def check_whole(work, runs):
    replay = start_replay(os.path.join(work, "whole"), runs)
    told = replay.run()
    names, n_all = replay.runs(), len(configurations(os.listdir(runs)))
    picked = configurations(names)
    assert n_all == 24 and 3 <= len(picked) <= n_all / 3, (picked, told)
    assert told.count("crosstalk campaign run: picked P") == len(picked), told
    assert "picking ends: the resolution is reached" in told, told
    # Every configuration that was picked has all of its runs, and so has everything else.
    assert len(names) == 2 + 2 * 3 + 3 + 9 + 4 * len(picked), sorted(names)
    _, everything = predictions(runs)
    _, few = predictions(replay.folder)
    off = differences(everything, few)
    for model, limit in {"queue": 0.03, "average_lt": 0.1}.items():
        assert len(off[model]) == 9 and max(off[model]) <= limit, (model, off[model])
    # The last of the idle runs and baselines come last.
    closing = {"idle-r1"} | {f"baseline-{app}-r1" for app in APPS}
    order = replay.order()
    assert set(order[-4:]) == closing and len(order) == len(names), order
    assert "there already" in (again := replay.run()) and "(0 now)" in again, again
    assert replay.order() == order
    return replay


def check_resumed(work, runs, whole):
    """Killed again and again it takes the same way."""
    replay = start_replay(os.path.join(work, "resumed"), runs)
    kills = 0
    for more in (1, 20, 1, 3, 5):
        before = len(replay.runs())
        driver = replay.start(stderr=subprocess.DEVNULL)
        for _ in range(600):
            if driver.poll() is not None or len(replay.runs()) >= before + more:
                break
            time.sleep(0.02)
        driver.send_signal(signal.SIGKILL)
        kills += driver.wait() == -signal.SIGKILL
    assert kills >= 2, kills
    replay.run()
    assert replay.runs() == whole.runs(), replay.runs() ^ whole.runs()
    made = [name for name in replay.order() if "-p" in name]
    expected = [name for name in whole.order() if "-p" in name]
    # A run that was done but not noted when the driver was killed has no line.
    assert made == [name for name in expected if name in made], (made, expected)


def check_failing(work, runs):
    """A candidate whose runs cannot be made is passed over, and named."""
    broken = os.path.join(work, "broken")
    shutil.copytree(runs, broken)
    whole = start_replay(os.path.join(work, "first"), runs)
    first = [name for name in whole.run().split("picked ") if name.startswith("P")][0].split(",")[0]
    load = first.lower().replace(" ", "-")
    for name in os.listdir(broken):
        if load + "-r" in name:
            os.remove(os.path.join(broken, name))
    replay = start_replay(os.path.join(work, "failing"), broken)
    done = replay.start(stderr=subprocess.PIPE)
    _, told = done.communicate(timeout=300)
    assert done.returncode == 1 and "4 of " in told and "runs failed" in told, told
    assert told.count(f"picked {first},") == 1 and "picking ends" in told, told
    _, few = predictions(replay.folder)
    assert all(value is not None for (_, _, model), value in few.items() if model == "queue"), few


def check_co_runs(work, runs):
    """Without repetitions.corun a pair that is refused for one of its applications is not measured the other way round,
    and the last baselines come after all picks."""
    replay = Replay(os.path.join(work, "co-runs"), runs, APPS, {"idle": 2, "baseline": 2, "impact": 1, "compression": 1})
    told = replay.run()
    assert "picking of co-runs ends: no verdict is open" in told, told
    co_runs = {name for name in replay.runs() if "-with-" in name}
    assert told.count(" beside ") == len(co_runs), told
    assert 0 < len(co_runs) < len(APPS)**2, co_runs
    assert {pair: verdict for pair, verdict in verdicts(replay.folder).items() if verdict in ("yes", "no")} == verdicts(runs)
    closing = {"idle-r1"} | {f"baseline-{app}-r1" for app in APPS}
    order = replay.order()
    assert set(order[-4:]) == closing, order
    assert "(0 now)" in (again := replay.run()) and " picked " not in again, again
    assert replay.order() == order


def check_commands(work, whole):
    done = subprocess.run([CROSSTALK, "campaign", "plan", "--format", "json", whole.file],
                          capture_output=True, text=True, timeout=60, check=True)
    plan = json.loads(done.stdout)
    assert plan["n_runs"] == 20 and plan["n_open_runs"] == 24 * 4, plan
    assert any("The number of runs is open" in note for note in plan["notes"]), plan
    done = subprocess.run([CROSSTALK, "campaign", "status", "--format", "json", whole.folder],
                          capture_output=True, text=True, timeout=60, check=True)
    status = json.loads(done.stdout)
    assert status["n_done"] == status["n_runs"] == len(whole.runs()), status


def test():
    with tempfile.TemporaryDirectory() as work:
        runs = os.path.join(work, "finished")
        finished(runs)
        whole = check_whole(work, runs)
        check_resumed(work, runs, whole)
        check_failing(work, runs)
        check_co_runs(work, runs)
        check_commands(work, whole)
    print("few runs give the same predictions")


# --- a campaign of one's own ----------------------------------------------------------------------

def unpack(path, folder):
    """Run files under their names from a campaign's folder, a packed campaign, or a folder that
    holds one."""
    os.makedirs(folder)
    if os.path.isdir(path):
        runs = os.path.join(path, "runs")
        if os.path.isdir(runs):
            for name in os.listdir(runs):
                if name.endswith((".h5", ".ports.json")):
                    shutil.copy(os.path.join(runs, name), folder)
            return
        path = os.path.join(path, next(name for name in os.listdir(path) if name.endswith(".h5")))
    with h5py.File(path) as packed:
        for run in packed["runs"].values():
            words = run.attrs["argv"].split()
            output = os.path.basename(words[words.index("--output") + 1])
            with h5py.File(os.path.join(folder, output), "w") as file:
                for name, value in run.attrs.items():
                    file.attrs[name] = value
                for name in run:
                    run.copy(name, file)


def describe(runs):
    """Applications, repetitions and bursts of a finished campaign, from the names of its runs."""
    names = [name[:-3] for name in os.listdir(runs) if name.endswith(".h5") and not name.endswith(".sent.h5")]

    def most(pattern):
        return max([int(match[1]) + 1 for name in names if (match := re.match(pattern, name))],
                   default=0)

    apps = sorted({match[1] for name in names if (match := re.match(r"baseline-(.*)-r\d+", name))})
    bursts = {match[1].replace("-", "/") for name in names
              if (match := re.match(r"impact-p\d+-m\d+-b[^-]*-([^-]*-[^-]*)-r\d+", name))}
    repetitions = {"idle": most(r"idle-r(\d+)"), "baseline": most(r"baseline-.*-r(\d+)"),
                   "impact": most(r"impact-.*-r(\d+)"), "corun": most(r"runtime-.*-with-.*-r(\d+)"),
                   "compression": most(r"runtime-.*-under-.*-r(\d+)")}
    return apps, repetitions, " ".join(sorted(bursts))


def verdicts(path):
    """{app, with}: yes, no, ... of each two applications: the later one of both in this order."""
    order = ["yes", "perhaps", "unknown", "disturbed", "no"]
    done = subprocess.run([CROSSTALK, "predict", path, "--format", "json", "--seed", "1"],
                          capture_output=True, text=True, timeout=300, check=True)
    pairs = {}
    for answer in json.loads(done.stdout)["verdicts"]:
        if "," not in answer["with"]:
            pair = frozenset((answer["app"], answer["with"]))
            pairs[pair] = max(pairs.get(pair, "yes"), answer["verdict"], key=order.index)
    return pairs


def compare_co_runs(work, runs, apps, repetitions, resolution, bursts):
    """Without repetitions.corun: how few co-runs decide as all do."""
    kept = {sort: n for sort, n in repetitions.items() if sort != "corun"}
    replay = Replay(os.path.join(work, "co-runs"), runs, apps, kept, resolution, bursts)
    told = replay.run()
    print("\n".join(line.split(": ", 1)[1] for line in told.splitlines()
                    if " beside " in line or "co-runs ends" in line))
    all_of_them, few = verdicts(runs), verdicts(replay.folder)
    n = sum("-with-" in name and "," not in name for name in replay.runs())
    other = [f"{' and '.join(sorted(pair))} {few[pair]} instead of {verdict}" for pair, verdict in all_of_them.items()
             if few[pair] != verdict]
    print(f"co-runs: {n} of {len(apps)**2}; {len(few) - len(other)} of {len(few)} verdicts as from all of them; "
          f"{'; '.join(other)}")


def compare(path, resolution):
    with tempfile.TemporaryDirectory() as work:
        runs = os.path.join(work, "finished")
        unpack(path, runs)
        apps, repetitions, bursts = describe(runs)
        compare_co_runs(work, runs, apps, repetitions, resolution, bursts)
        replay = Replay(work, runs, apps, repetitions, resolution, bursts)
        print("\n".join(line.split(": ", 1)[1] for line in replay.run().splitlines()
                        if ": picked " in line or ": picking ends" in line))
        before, everything = predictions(runs)
        after, few = predictions(replay.folder)
        n_picked, n_all = len(configurations(replay.runs())), len(configurations(os.listdir(runs)))
        print(f"resolution {resolution}: {n_picked} of {n_all} configurations, "
              f"{len(replay.runs())} of {sum(n.endswith('.h5') for n in os.listdir(runs))} runs")
        print(f"{'model':<24}{'picked - all, points: mean':>27}{'median':>9}{'max':>9}"
              f"{'error, all':>13}{'picked':>9}")
        for model, values in differences(everything, few).items():
            print(f"{model:<24}{100 * statistics.mean(values):>27.2f}"
                  f"{100 * statistics.median(values):>9.2f}{100 * max(values):>9.2f}"
                  f"{100 * before['errors'][model]['mean_abs']:>13.2f}"
                  f"{100 * after['errors'][model]['mean_abs']:>9.2f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        compare(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "5%")
    else:
        test()
