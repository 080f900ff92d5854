#!/usr/bin/env python3
"""crosstalk predict and utilization on a campaign whose right answers are known."""
import fnmatch
import ctypes
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from campaign_example import CONFIG_SLOWDOWN, CONFIGS, campaign, impact, latencies, runtime, write  # noqa: E402

import h5py  # noqa: E402
import numpy as np  # noqa: E402

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
NULL_MODELS = ["none", "multiplicative"]
MODELS = [*NULL_MODELS, "average_lt", "average_stdev_lt", "pdf_lt", "queue", "mutual", "probe"]


def run(*words):
    return subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=60,
                          check=False)


def answer(*words):
    """Of all models, unless words say otherwise."""
    if words[0] == "predict" and "--models" not in words:
        words = (*words, "--models", "all")
    seed = ("--seed", "1") if words[0] != "campaign" else ()
    done = run(*words, "--format", "json", *seed)
    assert done.returncode == 0, f"{words}: exit {done.returncode}, {done.stderr}"
    return json.loads(done.stdout)


def notes_of(got):
    """Without those that this campaign is too small for intervals and for the null model, and older than records of stolen time."""
    return [note for note in got.get("notes", []) if not note.startswith(("no interval", "no co-run", "stolen time: not recorded"))]


def near(got, expected, tolerance=1e-9):
    assert got is not None and abs(got - expected) <= tolerance, f"{got}, not {expected}"


def utilization(idle, loaded):
    """Equation (3) of the paper, as printed."""
    mu, variance, w = 1 / idle.min(), idle.var(ddof=1), loaded.mean()
    return (2 - 2 * w * mu) / (-2 * w + 2 / mu - mu * variance - 1 / mu) / mu


def check_utilization(folder):
    got = answer("utilization", "--idle", f"{folder}/idle.h5", "--loaded", f"{folder}/milc.h5")
    idle, loaded = latencies(10), latencies(27)
    near(got["mean_latency_s"], 27e-6, 1e-15)
    near(got["service_rate_per_s"], 1 / idle.min(), 1e-3)
    near(got["service_variance_s2"] * 1e12, idle.var(ddof=1) * 1e12)
    near(got["utilization"], utilization(idle, loaded))
    near(got["arrival_rate_per_s"], utilization(idle, loaded) / idle.min(), 1e-3)
    lo, hi = got["utilization_ci"]
    assert lo < got["utilization"] < hi and got["model"] == "pk", got
    near(got["waiting_utilization"], 1)  # no latency is one of the idle network's
    assert "calibrated_utilization" not in got and "mixture_utilization" not in got, got


def check_idle_noise(folder, work):
    """One long latency among 200 of the idle network: pk collapses, with a note; waiting does not."""
    noisy = os.path.join(work, "noisy")
    shutil.copytree(folder, noisy)
    with h5py.File(f"{noisy}/idle.h5", "r+") as file:
        rows = file["samples"][:]
        rows["latency_s"][100] = 0.05
        file["samples"][:] = rows
    got = answer("utilization", "--idle", f"{noisy}/idle.h5", "--loaded", f"{folder}/milc.h5")
    assert got["utilization"] < 0.05 and got["waiting_utilization"] > 0.95, got
    assert any("use utilization by waiting" in note for note in got["notes"]), got
    assert any("use utilization by waiting" in note for note in answer("predict", noisy)["notes"])


def check_calibration(folder, work):
    """What utilization says of one run is what predict says of the campaign that holds it."""
    taught = os.path.join(work, "taught")
    shutil.copytree(folder, taught)
    for c, busy_frac in ((0, 0.1), (2, 0.5)):
        with open(f"{taught}/config{c}.ports.json", "w", encoding="utf-8") as side:
            json.dump({"busy_fraction_mean": busy_frac, "busy_fraction_max": 0.5}, side)
    files = ["--idle", f"{folder}/idle.h5", "--loaded", f"{folder}/milc.h5"]
    calibrated = ["utilization", *files, "--calibration", taught]
    got = answer(*calibrated)
    assert "3 configurations" in got["provenance"]["known loads"] and "notes" not in got, got
    load, = [load for load in answer("predict", taught)["loads"] if load["name"] == "milc"]
    for kind in ("waiting", "calibrated", "mixture"):
        value, (lo, hi) = got[f"{kind}_utilization"], got[f"{kind}_utilization_ci"]
        near(value, load[f"{kind}_utilization"])
        assert lo <= hi, (kind, lo, hi)
    # One known load, 25 %, gives K: its twin has that utilization.
    twin = answer("utilization", *files[:3], f"{folder}/fft.h5", "--calibration", folder)
    near(twin["calibrated_utilization"], 0.25, 1e-6)
    # A network twice as slow is not the one that was calibrated.
    other = os.path.join(work, "other.h5")
    impact(other, 20)
    got = answer("utilization", "--idle", other, *files[2:], "--calibration", folder)
    assert any("same network" in note for note in got["notes"]), got

    unknown = os.path.join(work, "unknown")
    shutil.copytree(folder, unknown)
    os.remove(os.path.join(unknown, "config1.ports.json"))
    for code, words, text in (
            (1, ["utilization", *files, "--calibration", unknown], "whose load is known"),
            (1, [*calibrated, "--link-rate", "1gbit"], "no recorded compressionb run"),
            (2, [*calibrated, "--link-rate", "fast"], "fast"),
            (2, ["utilization", *files, "--link-rate", "1gbit"], "--calibration"),
            (1, ["utilization", *files, "--calibration", f"{folder}/nowhere"], "nowhere")):
        done = run(*words)
        assert done.returncode == code and text in done.stderr, (words, done.stderr)


def check_prediction(folder):
    got = answer("predict", folder, "--models", "average_lt,queue")
    assert got["apps"] == ["fft", "milc"], got["apps"]
    loads = {load["name"]: load for load in got["loads"]}
    near(loads["P1 M10 B9.615us"]["true_utilization"], 0.25)
    assert loads["fft"]["true_utilization"] is None
    near(loads["milc"]["utilization"], utilization(latencies(10), latencies(27)))
    pairs = {(pair["app"], pair["with"]): pair for pair in got["pairs"]}
    assert len(pairs) == 4, pairs
    near(pairs["fft", "milc"]["measured"], 0.55)
    near(pairs["milc", "fft"]["measured"], 0.05)
    assert pairs["fft", "fft"]["measured"] is None
    assert pairs["fft", "fft"]["measured_ci"] == [None, None]
    lo, hi = pairs["fft", "milc"]["measured_ci"]
    assert lo < 0.55 < hi, (lo, hi)
    # fft does to the probe what the second configuration does.
    for app, slowdowns in CONFIG_SLOWDOWN.items():
        for model in ("average_lt", "queue"):
            near(pairs[app, "fft"]["predicted"][model], slowdowns[1])
    near(pairs["fft", "milc"]["predicted"]["average_lt"], 0.3)  # 27 us: nearer to 20 than to 40
    assert 0.3 < pairs["fft", "milc"]["predicted"]["queue"] < 0.9, pairs
    # The two measured pairs are off by 0.25 and 0.
    errors = got["errors"]["average_lt"]
    for key, value in {"mean_abs": 0.125, "median": 0.125, "q1": 0.0625, "q3": 0.1875,
                       "max": 0.25}.items():
        near(errors[key], value)
    # Both at most 5 % is predicted of neither pair that was measured: of one pair both slowdowns are known.
    assert (errors["decisions"], errors["wrongly_allowed"], errors["wrongly_refused"]) == (1, 0, 0), errors
    # 55 % where 30 are predicted, and 5 % where 5 are.
    near(errors["log_mean_abs"], math.log(1.55 / 1.3) / 2)
    # Each of both is the reverse of the other.
    assert not notes_of(got) and any(note.startswith("no co-run (2 predictions): ") for note in got["notes"]), got["notes"]


def off(predicted, measured):
    return abs(measured - predicted) / (0.1 + max(predicted, 0))


def bound(errors, level):
    """Split conformal prediction; None: too few errors."""
    rank = math.ceil(level * (len(errors) + 1) - 1e-9)
    return sorted(errors)[rank - 1] if rank <= len(errors) else None


def check_intervals(folder):
    """Intervals of average_lt are as wide as its errors: for the other measured co-runs or, where these are too
    few, beside configurations, of all applications where these are too few as well. Those of what was measured are those of an independent bootstrap."""
    # Each configuration, left out, is predicted by the nearest of the others: 14 and 40 us by 20, 20 by 14.
    configs = {app: [off(s[1], s[0]), off(s[0], s[1]), off(s[1], s[2])] for app, s in CONFIG_SLOWDOWN.items()}
    pooled = [error for errors in configs.values() for error in errors]
    for level in (0.5, 0.75, 0.8, 0.9):
        got = answer("predict", folder, "--confidence", str(level))
        pairs = {(pair["app"], pair["with"]): pair for pair in got["pairs"]}
        co_runs = {names: off(pair["predicted"]["average_lt"], pair["measured"])
                   for names, pair in pairs.items() if pair["measured"] is not None}
        sources = set()
        for names, pair in pairs.items():
            others = [error for other, error in co_runs.items() if other not in (names, names[::-1])]
            widest = bound(others, level)
            sources.add("co-runs" if widest else "configurations")
            widest = widest or bound(configs[names[0]], level) or bound(pooled, level)
            predicted, (lo, hi) = pair["predicted"]["average_lt"], pair["predicted_ci"]["average_lt"]
            assert list(pair["predicted"]) == MODELS, pair
            if widest is None:
                assert (lo, hi) == (None, None) and "no interval" in pair["flags"], pair
            else:
                near(lo, max(-1, predicted - widest * (0.1 + predicted)))
                near(hi, predicted + widest * (0.1 + predicted))
            for model in ("mutual", "probe"):  # from co-runs only
                assert (pair["predicted_ci"][model][0] is None) == (bound(others, level) is None), (model, pair)
            # The null model predicts neither by the other, its reverse.
            assert pair["predicted_ci"]["multiplicative"] == [None, None], pair
        errors, few = got["errors"]["average_lt"], bound(pooled, level) is None
        known = 6 if bound([0] * 3, level) is None else 3 if level > 0.5 else 2
        source = "too few errors" if few else "one of these, by pair" if len(sources) > 1 else sources.pop()
        assert (errors["interval_from"], errors["interval_errors"]) == (source, known), errors
        assert (errors["coverage"] is None) == (errors["mean_width"] is None) == few, errors
        assert any(note.startswith("no interval") and f"{100 * level:g} %" in note for note in got["notes"]), got["notes"]
    ends = []
    for level in (0.5, 0.9):
        got = answer("predict", folder, "--confidence", str(level))
        pair, = [pair for pair in got["pairs"] if (pair["app"], pair["with"]) == ("fft", "milc")]
        verdict, = [row for row in got["verdicts"] if (row["app"], row["with"]) == ("fft", "milc")]
        assert pair["measured_ci"] == verdict["slowdown_ci"], (pair, verdict)
        ends += pair["measured_ci"]
    assert ends[2] < ends[0] < 0.55 < ends[1] < ends[3], ends
    twin = pairs["fft", "fft"]["predicted"]
    for model in ("average_lt", "average_stdev_lt", "pdf_lt", "queue"):
        near(twin[model], CONFIG_SLOWDOWN["fft"][1])


def check_explanation(folder):
    got = answer("predict", folder, "--explain", "fft+milc")
    answers = {row["model"]: row for row in got["answers"]}
    assert answers["average_lt"]["configuration"] == "P1 M10 B9.615us", answers
    near(answers["queue"]["utilization"], utilization(latencies(10), latencies(27)))
    first = [row for row in got["candidates"] if row["model"] == "average_lt"][0]
    assert first["configuration"] == "P1 M10 B9.615us", first
    near(first["slowdown"], 0.3)
    near(first["score"], -7e-6)
    near(sum(row["score"] for row in got["candidates"] if row["model"] == "mutual"), 1, 1e-6)
    got = answer("predict", folder, "--explain", "fft+milc+milc", "--models", "queue")
    assert [row["name"] for row in got["co_runners"]] == ["idle network", "milc", "milc",
                                                          "all together"], got["co_runners"]
    done = run("predict", folder, "--explain", "fft+oracle")
    assert done.returncode == 2 and "fft+oracle" in done.stderr, done.stderr
    for words in (["--evaluate"], ["--pair", "fft+milc"], ["--with", "milc"]):
        done = run("predict", folder, "--explain", "fft+milc", *words)
        assert done.returncode == 2 and "--explain" in done.stderr, (words, done.stderr)


def check_evaluation(folder):
    got = answer("predict", folder, "--evaluate", "--models", "average_lt")
    assert "pairs" not in got, got.keys()
    worst, _ = [row for row in got["worst"] if row["model"] == "average_lt"]
    assert (worst["app"], worst["with"]) == ("fft", "milc"), worst
    near(worst["error"], -0.25)
    near(got["errors"]["average_lt"]["time_max"], 0.25 / 1.55)
    # 55 and 5 % were measured: none is off by these, multiplicative predicts neither by its reverse.
    assert list(got["errors"]) == [*NULL_MODELS, "average_lt"], got["errors"]
    near(got["errors"]["none"]["mean_abs"], 0.3)
    assert got["errors"]["multiplicative"]["mean_abs"] is None, got["errors"]
    for model, left_out in (("none", 0.3), ("multiplicative", None), ("average_lt", 0.125)):
        value = got["errors"][model]["left_out_mean_abs"]
        assert value is None if left_out is None else abs(value - left_out) < 1e-9, (model, value)
    compared = {(row["model"], row["against"]): row for row in got["comparisons"]}
    assert set(compared) == {("average_lt", "none")}, compared
    row = compared["average_lt", "none"]
    near(row["difference"], 0.125 - 0.3)
    # Two applications are too few to draw from.
    assert (row["pairs"], row["applications"], row["difference_ci"], row["nearer"]) == (2, 2, [None, None], ""), row
    counted = [row for row in got["utilization_errors"]
               if row["of"] == "configurations" and row["utilization"] == "pk"][0]
    assert counted["loads"] == 1 and counted["worst"] == "P1 M10 B9.615us", counted


def check_groups(folder, work):
    """Several co-runners at once, predicted and measured."""
    groups = os.path.join(work, "groups")
    shutil.copytree(folder, groups)
    runtime(f"{groups}/three.h5", [2.2 * 1.7] * 3, app="fft", co_runner="milc,fft")
    got = answer("predict", groups, "--models", "queue,mutual")
    assert len(got["pairs"]) == 5 and got["apps"] == ["fft", "milc"], got["pairs"]
    group = got["pairs"][-1]
    assert (group["app"], group["with"]) == ("fft", "fft,milc"), group
    near(group["measured"], 0.7)
    assert got["errors"]["queue"]["pairs"] == 2 and got["group_errors"]["queue"]["pairs"] == 1
    near(got["group_errors"]["queue"]["mean_abs"], abs(group["predicted"]["queue"] - 0.7))
    pairs = {(p["app"], p["with"]): p["predicted"] for p in got["pairs"]}
    for model in ("queue", "mutual"):
        assert pairs["fft", "fft,milc"][model] > pairs["fft", "milc"][model], (model, pairs)
    asked = answer("predict", groups, "--with", "milc,fft", "--models", "queue")["pairs"]
    assert [(p["app"], p["with"]) for p in asked] == [("fft", "milc,fft"), ("milc", "milc,fft")]
    near(asked[0]["measured"], 0.7)
    for words in (["--with", "milc,oracle"], ["--with", "milc", "--pair", "fft+milc"]):
        done = run("predict", groups, *words)
        assert done.returncode == 2 and "--with" in done.stderr, done.stderr


def check_known_load(folder, work):
    """Loads of configurations come from counters, or from what compressionb recorded."""
    done = run("predict", folder, "--link-rate", "1gbit")
    assert done.returncode == 1 and "compressionb" in done.stderr, done.stderr
    done = run("predict", folder, "--link-rate", "fast")
    assert done.returncode == 2 and "fast" in done.stderr, done.stderr
    known = os.path.join(work, "known")
    shutil.copytree(folder, known)
    rounds = np.dtype([("start_s", "f8"), ("duration_s", "f8"), ("bytes", "u8")])
    for c, config in enumerate(CONFIGS):
        rho = 0.2 * (c + 1)
        with write(f"{known}/sent{c}.h5", "compression", config=config) as file:
            # Two nodes, each of which sends rho of 1 Gbit/s.
            file["rounds"] = np.array([(0, 0.5, 2 * rho * 125e6 * 0.5)] * 2, rounds)
    done = run("predict", known, "--link-rate", "1bit")
    assert done.returncode == 1 and "sent 200mbit from each node" in done.stderr, done
    got = answer("predict", known, "--link-rate", "1gbit", "--models", "queue")
    assert "3 configurations" in got["provenance"]["calibration"], got["provenance"]
    assert "compressionb" in got["provenance"]["calibration"], got["provenance"]
    used = [load["calibrated_utilization"] for load in got["loads"] if load["name"] in
            ("P1 M1 B9.615us", "P1 M10 B9.615us", "P4 M1 B96.15us")]
    assert used == sorted(used) and abs(used[1] - 0.4) < 0.15, used


def check_division(folder):
    """fft slows whatever is beside it, milc does not mind; two switches keep the two fft apart."""
    pairs = {(p["app"], p["with"]): p for p in answer("predict", folder, "--models", "queue")["pairs"]}
    slowed = {names: pair["predicted"]["queue"] if pair["measured"] is None else pair["measured"] for names, pair in pairs.items()}
    divisions = [(("fft", "fft"), ("milc", "milc")), (("fft", "milc"), ("fft", "milc"))]
    totals = [sum(slowed[a, b] + slowed[b, a] for a, b in division) for division in divisions]
    asked = ("--jobs", "fft,fft,milc,milc", "--models", "queue", "--confidence", "0.5")
    got = answer("predict", folder, "--groups", "2", *asked)
    near(got["cost"], min(totals))
    # A third of the ways to deal out four jobs pairs the alike ones.
    near(got["random_cost"], totals[0] / 3 + totals[1] * 2 / 3, 0.05 * abs(totals[0] - totals[1]))
    near(got["gain"], got["random_cost"] - got["cost"])
    assert got["search"] == "exact", got
    verdicts = verdicts_of(got)
    for row in got["placement"]:
        names = row["app"], row["with"]
        near(row["predicted"], pairs[names]["predicted"]["queue"])
        assert row["measured"] == pairs[names]["measured"] and row["verdict"] == verdicts[names], row
        assert row["predicted_ci"][0] <= row["predicted_ci"][1], row
    done = run("predict", folder, "--groups", "3", "--models", "queue")
    assert done.returncode == 2 and "--groups: 3 together, but there are 2 applications: give at most 2" in done.stderr, done
    room = run("advise", folder, "--per-switch", "3", "--model", "queue") # of earlier versions: at most so many
    assert room.returncode == 0 and "fft+milc" in room.stdout, room
    alone = answer("predict", folder, "--groups", "1", "--switches", "2")
    assert [row["with"] for row in alone["placement"]] == ["", ""] and alone["cost"] == 0, alone
    for words, name in ((["--jobs", "fft,oracle"], "oracle"), (["--models", "guess"], "guess"),
                        (["--groups", "1", "--switches", "1"], "--switches")):
        done = run("predict", folder, "--groups", "2", *words)
        assert done.returncode == 2 and name in done.stderr, done.stderr
    done = run("predict", folder, "--groups", "2", "--jobs", "fft,fft", "--models", "simulated")
    assert done.returncode == 1 and "fft beside fft: the model packets" in done.stderr, done.stderr
    # As 0.2 called it.
    former = run("advise", folder, "--per-switch", "2", "--model", "queue", *asked[:2], *asked[4:], "--format", "json", "--seed", "1")
    assert former.returncode == 0 and "give crosstalk predict --groups N" in former.stderr, former
    assert json.loads(former.stdout)["placement"] == got["placement"], former.stdout


def verdicts_of(got):
    return {(row["app"], row["with"]): row["verdict"] for row in got["verdicts"]}


def check_verdicts(folder):
    """By the interval against the limit, the same under every seed, in files and in words."""
    one, other = (json.loads(run("predict", folder, "--models", "queue", "--confidence", "0.8", "--format", "json", "--seed", seed).stdout)
                  for seed in ("1", "2"))
    assert one["verdicts"] == other["verdicts"] and one["answer"] == other["answer"], (one, other)
    verdicts = {(row["app"], row["with"]): row for row in one["verdicts"]}
    measured = verdicts["fft", "milc"]
    near(measured["slowdown"], 0.55)
    assert (measured["from"], measured["verdict"]) == ("measured", "no"), measured
    assert measured["slowdown_ci"] == one["pairs"][1]["measured_ci"], (measured, one["pairs"][1])
    assert verdicts["fft", "fft"]["from"] == "queue" and verdicts["fft", "fft"]["verdict"] == "perhaps", verdicts
    assert [sentence for sentence in one["answer"] if sentence.startswith("Must not (1 of 3;") and "fft+milc" in sentence], one["answer"]
    lenient = answer("predict", folder, "--models", "queue", "--acceptable", "100%", "--confidence", "0.5")
    assert verdicts_of(lenient)["fft", "milc"] == "yes", lenient["verdicts"]
    done = run("predict", folder, "--models", "queue", "--confidence", "0.8")
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and max(map(len, lines)) <= 100 and len(lines) <= 25, done.stdout
    assert lines[-1].endswith(".") and "# queue:" not in done.stdout and "campaign: " + folder in done.stdout, done.stdout
    assert "# pass: whole" in run("predict", folder, "--models", "queue", "--verbose").stdout
    quiet = run("predict", folder, "--models", "queue", "--confidence", "0.8", "-q").stdout.splitlines()
    assert quiet[0] == "" and quiet[2].split()[:2] == ["app", "with"] and len(quiet) == 9, quiet
    assert quiet[7].startswith("Must not (1 of 3;") and "--all" not in "".join(quiet), quiet


def check_screen(work):
    """A matrix of twelve applications, the rows nearest to the limit of thirteen: on 100 columns and 25 lines."""
    many = os.path.join(work, "many")
    os.makedirs(many)
    impact(f"{many}/idle.h5", 10)
    impact(f"{many}/load.h5", 20, config=CONFIGS[0])
    runtime(f"{many}/loaded.h5", [1.1, 1.11], app="program-0", config=CONFIGS[0])
    for a in range(13):
        impact(f"{many}/probe-{a}.h5", 20, app=f"program-{a}")
        runtime(f"{many}/{a}.h5", [1.0, 1.01], app=f"program-{a}")
        for b in range(13):
            runtime(f"{many}/{a}-{b}.h5", [1 + 0.01 * (a + b), 1.01 + 0.01 * (a + b)], app=f"program-{a}", co_runner=f"program-{b}")
    for n in (13, 12):
        lines = run("predict", many).stdout.splitlines()
        assert len(lines) <= 25 and max(map(len, lines)) <= 100, lines
        rows = [line for line in lines if "program-" in line and ("yes" in line or "perhaps" in line or line.endswith("no"))]
        if n == 13:
            assert len(rows) == 12 and any("the 12 of 169 nearest to it, 157 more: --all" in line for line in lines), lines
        else:
            assert any(line.startswith("12 program-") for line in lines), lines
        for path in os.listdir(many):
            if "12" in path.replace(".h5", "").split("-"):
                os.remove(f"{many}/{path}")


def check_default(folder):
    """Where no model is named it is the best that the inputs allow, and why is said, with groups, too."""
    done = run("predict", folder, "--format", "json", "--seed", "1")
    got = json.loads(done.stdout)
    assert list(got["errors"]) == [*NULL_MODELS, "probe"], got["errors"]
    assert got["provenance"]["default_model"].startswith("probe: configurations are there"), got["provenance"]
    advice, named = (json.loads(run("predict", folder, "--groups", "2", "--format", "json", "--seed", "1", *words).stdout)
                     for words in ((), ("--models", "probe")))
    assert advice["provenance"]["default_model"].startswith("probe: "), advice["provenance"]
    assert advice["placement"] == named["placement"] and "default_model" not in named["provenance"], named
    for former, successor in (("phase", "mutual"), ("queue_waiting", "queue"), ("queue_calibrated", "queue"),
                              ("pdf_lt_normalised", "pdf_lt"), ("replay", "lp"), ("replay_gap", "lp"), ("lp_gap", "lp"),
                              ("simulated", "packets")):
        one, other = (run("predict", folder, "--models", name, "--format", "json", "--seed", "1") for name in (former, successor))
        assert json.loads(one.stdout)["pairs"] == json.loads(other.stdout)["pairs"], former
        assert f"model {former}: {successor} is taken instead" in one.stderr and "taken instead" not in other.stderr, one.stderr


def check_selection(folder):
    got = answer("predict", folder, "--pair", "milc+fft", "--models", "queue")
    assert [(p["app"], p["with"]) for p in got["pairs"]] == [("fft", "milc"), ("milc", "fft")]
    assert list(got["errors"]) == [*NULL_MODELS, "queue"], got["errors"]
    assert all(list(p["predicted"]) == [*NULL_MODELS, "queue"] for p in got["pairs"])
    for words, name in ((["--pair", "fft+amg"], "fft+amg"), (["--models", "oracle"], "oracle")):
        done = run("predict", folder, *words)
        assert done.returncode == 2 and name in done.stderr, done.stderr


def check_order_of_time(folder, work):
    """Samples are in the file by rank; the interval depends on time alone."""
    shuffled = os.path.join(work, "shuffled")
    campaign(shuffled, np.random.default_rng(1).permutation(200))
    one, other = answer("predict", folder), answer("predict", shuffled)
    for key in ("loads", "pairs", "errors"):
        assert one[key] == other[key], (key, one[key], other[key])


def check_reach(folder, work):
    """One weak configuration: predictions beside both applications are extrapolated, and the plan says so."""
    weak = os.path.join(work, "weak")
    shutil.copytree(folder, weak)
    for path in os.listdir(weak):
        if "config1" in path or "config2" in path:
            os.remove(f"{weak}/{path}")
    text = "extrapolated beside fft, milc: the probe reads more there than beside every configuration"
    assert any(text in note for note in answer("predict", weak, "--models", "probe")["notes"])
    assert not any("extrapolated beside" in note for note in answer("predict", folder)["notes"])
    partners, messages, bubble_s = CONFIGS[0]
    with open(f"{weak}/campaign.yaml", "w", encoding="utf-8") as file:
        file.write(f"""campaign: weak
launcher: {{kind: lab, hosts: 4, rate: 50mbit}}
durations: {{impact: 1s, runtime: 1s}}
applications:
  - {{name: fft, command: "true", pass: 1s}}
configurations:
  - {{partners: {partners}, messages: {messages}, bubble: {bubble_s * 1e9:.0f}ns}}
""")
    notes = answer("campaign", "plan", f"{weak}/campaign.yaml").get("notes", [])
    assert any("the grid is too light" in note and text in note for note in notes), notes


def check_damage(folder, work):
    """What cannot be used is left out with a note, and the rest is still answered."""
    damaged = os.path.join(work, "damaged")
    shutil.copytree(folder, damaged)
    with open(f"{folder}/fft.h5", "rb") as whole, open(f"{damaged}/cut.h5", "wb") as cut:
        cut.write(whole.read(3000))
    with open(f"{damaged}/config1.ports.json", "w", encoding="utf-8") as side:
        side.write('{"busy_fraction_mean": "much"')
    impact(f"{damaged}/odd.h5", 20, app="fft", co_runner="milc")
    os.remove(f"{damaged}/milc.h5")
    got = answer("predict", damaged)
    for part in ("cut.h5", "config1.ports.json", "odd.h5", "probe run beside milc"):
        assert any(part in note for note in got["notes"]), (part, got["notes"])
    pairs = {(pair["app"], pair["with"]): pair for pair in got["pairs"]}
    predicted = pairs["fft", "milc"]["predicted"]
    assert list(predicted) == MODELS, predicted
    assert not any(value for model, value in predicted.items() if model not in NULL_MODELS), predicted
    near(pairs["milc", "fft"]["predicted"]["queue"], 0.05)


def check_drift(folder, work):
    """fft alone gets slower from run to run, told by when they began and not by their names."""
    drifting = os.path.join(work, "drifting")
    shutil.copytree(folder, os.path.join(drifting, "runs"))
    os.remove(f"{drifting}/runs/fft-alone-2.h5")
    for name, hour, durations_s in (("fft-alone-1", 12, [2.6, 2.62]),
                                    ("fft-alone-3", 10, [2.0, 2.02])):
        path = f"{drifting}/runs/{name}.h5"
        runtime(path, durations_s * 5, app="fft")
        with h5py.File(path, "r+") as file:
            file.attrs["started_utc"] = f"2026-01-01T{hour}:00:00Z"
    drift = ("baseline of fft drifts: 2.01 s a pass in the run of 2026-01-01T10:00:00Z, 2.61 s in "
             "that of 2026-01-01T12:00:00Z (+29.9 %)")
    got = answer("predict", drifting, "--models", "queue")
    assert len(notes_of(got)) == 1 and notes_of(got)[0].startswith(drift), got["notes"]
    for pair in got["pairs"]:
        assert ("baseline drifts" in pair["flags"]) == (pair["app"] == "fft"), pair
    assert not notes_of(answer("predict", drifting, "--pair", "milc+milc", "--models", "queue"))
    # campaign status says the same of its folder.
    with open(f"{drifting}/campaign.yaml", "w", encoding="utf-8") as file:
        file.write("campaign: c\nlauncher: {kind: mpiexec}\n")
    with open(f"{drifting}/journal.jsonl", "w", encoding="utf-8") as file:
        file.write('{"seed": 1}\n')
    for remove, notes in ((None, 1), ("fft-alone-3.h5", 0)):
        if remove:
            os.remove(f"{drifting}/runs/{remove}")
        done = run("campaign", "status", drifting, "--format", "json")
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout).get("notes", [])
        assert len(told) == notes and all(note.startswith(drift) for note in told), told
    for name, devices in (("idle", "eth0"), ("milc", "eth1")):
        with h5py.File(f"{drifting}/runs/{name}.h5", "r+") as file:
            file.attrs["kernel"], file.attrs["env_UCX_NET_DEVICES"] = "Linux", devices
    told, = json.loads(run("campaign", "status", drifting, "--format", "json").stdout)["notes"]
    assert "UCX_NET_DEVICES is 'eth0' in idle.h5, 'eth1' in milc.h5" in told, told


def check_network_settings(folder, work):
    """Runs over another card, or through another library, are named wherever they are compared."""
    mixed = os.path.join(work, "mixed")
    shutil.copytree(folder, mixed)
    names = sorted(name for name in os.listdir(mixed) if name.endswith(".h5"))
    for name in names:
        with h5py.File(f"{mixed}/{name}", "r+") as file:
            file.attrs["kernel"] = "Linux"
            file.attrs["env_UCX_NET_DEVICES"] = "mlx5_1:1" if name == "milc.h5" else "mlx5_0:1"
    card = "different network settings: UCX_NET_DEVICES is "
    files = ["--idle", f"{mixed}/idle.h5", "--loaded", f"{mixed}/milc.h5"]
    got = answer("utilization", *files)
    assert [note for note in got["notes"] if note.startswith(card + "'mlx5_0:1' in idle.h5, 'mlx5_1:1' in milc.h5.")], got
    assert "notes" not in answer("utilization", *files[:3], f"{mixed}/fft.h5")
    got = answer("predict", mixed, "--models", "queue")
    majority = f"'mlx5_0:1' in {names[0]} and {len(names) - 2} more, 'mlx5_1:1' in milc.h5."
    assert [note.startswith(card + majority) for note in notes_of(got)] == [True], got["notes"]
    done = run("report", mixed, "-o", os.path.join(work, "mixed-page"), "--seed", "1")
    assert done.returncode == 0, done.stderr
    with open(os.path.join(work, "mixed-page", "report.html"), encoding="utf-8") as page:
        text = page.read()
    assert "different network settings: UCX_NET_DEVICES" in text and "mlx5_0:1; mlx5_1:1" in text
    # Written down anew where it was the same card; the probe is of another MPI instead.
    with h5py.File(f"{mixed}/milc.h5", "r+") as file:
        file.attrs["env_UCX_NET_DEVICES"] = "mlx5_0:1"
        file.attrs["mpi_library"] = "another"
    told, = notes_of(answer("predict", mixed, "--models", "queue"))
    assert "the MPI library is " in told and "'another' in milc.h5" in told, told
    shown = json.loads(run("show", f"{mixed}/milc.h5", "--format", "json").stdout)
    assert shown["attributes"]["env_UCX_NET_DEVICES"] == "mlx5_0:1", shown["attributes"]


def check_missing(folder, work):
    """Co-runs are enough; without them each piece that is needed is named, with what makes it."""
    only = os.path.join(work, "co-runs")
    shutil.copytree(folder, only, ignore=shutil.ignore_patterns("idle*", "config*", "fft.h5", "milc.h5", "*-config*"))
    got = answer("predict", only, "--models", "best")
    assert got["model"].startswith("multiplicative") and [row["from"] for row in got["verdicts"]].count("measured") == 2, got
    assert any(note.startswith("missing: probe run on the idle") for note in got["notes"]), got["notes"]
    pieces = {"idle.h5": "idle network", "config*.h5": "CompressionB", "*-alone-*": "baseline",
              "fft.h5 milc.h5": "beside an application", "*-config*": "timed beside"}
    for number, (patterns, words) in enumerate(pieces.items()):
        lacking = os.path.join(work, f"lacking{number}")
        shutil.copytree(folder, lacking, ignore=shutil.ignore_patterns("*-beside-*"))
        for name in os.listdir(lacking):
            if any(fnmatch.fnmatch(name, pattern) for pattern in patterns.split()):
                os.remove(os.path.join(lacking, name))
        done = run("predict", lacking)
        assert done.returncode == 1 and done.stdout == "", (patterns, done)
        assert words in done.stderr and "campaign run" in done.stderr, (patterns, done.stderr)


def record_waits(path, wait_frac, stolen_frac=0.0):
    """As a campaign does: four ranks, ten seconds each."""
    with h5py.File(path, "r+") as file:
        file.attrs.update({"cpu_measured_ranks": 4.0, "cpu_measured_wall_s": 40.0,
                           "cpu_measured_wait_frac": wait_frac, "cpu_measured_stolen_frac": stolen_frac})


class Verdict(ctypes.Structure):
    _fields_ = [("verdict", ctypes.c_char_p), ("slowdown_frac", ctypes.c_double), ("lo_frac", ctypes.c_double),
                ("hi_frac", ctypes.c_double), ("explained_frac", ctypes.c_double), ("is_measured", ctypes.c_bool)]


class Question(ctypes.Structure):
    _fields_ = [("model", ctypes.c_char_p), ("app", ctypes.c_size_t), ("with_", ctypes.POINTER(ctypes.c_size_t)),
                ("n_with", ctypes.c_size_t)]


def library_verdicts(folder, model):
    """Those of the library, as verdicts_of() has those of the command."""
    library = ctypes.CDLL(os.path.join(os.path.dirname(CROSSTALK), "..", "libcrosstalk", "libcrosstalk.so"))
    library.crosstalk_campaign_app.restype = ctypes.c_char_p
    library.crosstalk_campaign_app_count.restype = ctypes.c_size_t
    opened, found = ctypes.c_void_p(), {}
    assert library.crosstalk_campaign_open(os.fsencode(folder), None, ctypes.byref(opened), None) == 0
    n = library.crosstalk_campaign_app_count(opened)
    names = [library.crosstalk_campaign_app(opened, ctypes.c_size_t(i)).decode() for i in range(n)]
    for app in range(n):
        for other in range(n):
            question = Question(model.encode(), app, ctypes.pointer(ctypes.c_size_t(other)), 1)
            got = Verdict()
            assert library.crosstalk_campaign_verdict(opened, ctypes.byref(question), ctypes.c_double(0.05), ctypes.c_double(0.9),
                                                      ctypes.byref(got), None) == 0
            found[names[app], names[other]] = got.verdict.decode()
    library.crosstalk_campaign_close(opened)
    return found


def check_busy(folder, work):
    """Ranks wait for processors while nothing else of the campaign runs, or the host takes these away: said first."""
    words = ("predict", folder, "--models", "queue")
    for wait_frac, stolen_frac, said in ((0.05, 0.01, None), (0.3, 0.01, "Other programs kept the processors busy: on the idle "
                                         "network ranks waited for them 30 % of the time. Do not decide by these slowdowns"),
                                         (0.05, 0.2, "The host of this virtual machine took its processors away for 20 %")):
        busy = os.path.join(work, f"busy-{wait_frac}-{stolen_frac}")
        shutil.copytree(folder, busy)
        for name in os.listdir(busy):
            if "idle" in name:
                record_waits(f"{busy}/{name}", wait_frac)
            elif "alone" in name or "beside" in name:
                record_waits(f"{busy}/{name}", 0.05, stolen_frac)
        for _ in range(2): # from samples, and from their summaries
            text = answer("predict", busy, *words[2:])["answer"][0]
            assert text.startswith(said) if said else "processors" not in text, (busy, text)
        page = os.path.join(work, "busy.html")
        assert run("report", busy, "-o", page).returncode == 0
        with open(page, encoding="utf-8") as file:
            assert bool(said) == ('<p id="status" class="bad">' + str(said) in file.read()), (busy, said)


def check_processors(folder, work):
    """Ranks of fft wait a tenth of their time alone, three tenths of it beside milc, which is 1.55 times as long."""
    old = answer("predict", folder)
    assert "network_errors" not in old, old["network_errors"]
    assert all(pair["cpu_wait"] is None and pair["cpu_slowdown"] is None for pair in old["pairs"]), old["pairs"]
    waiting = os.path.join(work, "waiting")
    shutil.copytree(folder, waiting)
    for name, wait_frac in (("fft-alone-1", 0.1), ("fft-alone-2", 0.1), ("fft-beside-milc", 0.3),
                            ("milc-alone-1", 0.1), ("milc-beside-fft", 0.1)):
        record_waits(f"{waiting}/{name}.h5", wait_frac)
    packed = os.path.join(work, "waiting.h5")
    assert run("export", waiting, "-o", packed).returncode == 0
    for campaign_of in waiting, packed:
        got = answer("predict", campaign_of)
        pairs = {(pair["app"], pair["with"]): pair for pair in got["pairs"]}
        one, other = pairs["fft", "milc"], pairs["milc", "fft"]
        near(one["cpu_slowdown"], 0.3 * 1.55 - 0.1)
        assert one["measured_ci"][0] > 0, one
        near(one["cpu_wait"], (0.3 * 1.55 - 0.1) / 0.55)
        assert "slowed by processors" in one["flags"], one
        near(other["cpu_slowdown"], 0.1 * 1.05 - 0.1)
        assert "slowed by processors" not in (other["flags"] or ""), other
        assert pairs["fft", "fft"]["cpu_slowdown"] is None, pairs["fft", "fft"]
        # A slowdown that may be none has no share.
        expected = 0.1 if other["measured_ci"][0] > 0 else None
        assert (other["cpu_wait"] is None) == (expected is None), other
        # Predictions and the errors of all pairs are what they were.
        assert got["errors"] == old["errors"], (got["errors"], old["errors"])
        for pair, before in zip(got["pairs"], old["pairs"]):
            assert pair["predicted"] == before["predicted"], (pair, before)
        for model, errors in got["network_errors"].items():
            assert errors["pairs"] == (1 if got["errors"][model]["pairs"] == 2 else 0), (model, errors)
        near(got["network_errors"]["none"]["mean_abs"], 0.05)
        assert any("slowed by processors (1 of 2 co-runs)" in note for note in got["notes"]), got["notes"]
    # Of 55 % by which fft is slower, 36.5 are its ranks' waiting for processors.
    disturbed = answer("predict", waiting, "--models", "queue")
    assert verdicts_of(disturbed)["fft", "milc"] == "disturbed", disturbed["verdicts"]
    assert disturbed["answer"][0].startswith("Disturbed, do not decide by these (1 of 3;"), disturbed["answer"]
    assert library_verdicts(waiting, "queue") == verdicts_of(disturbed), disturbed["verdicts"]
    for model in ("queue", "mutual"):
        assert library_verdicts(folder, model) == verdicts_of(answer("predict", folder, "--models", model)), model
    placed = answer("predict", waiting, "--groups", "2", "--jobs", "fft,milc")["placement"]
    near([row for row in placed if row["app"] == "fft"][0]["cpu_slowdown"], 0.3 * 1.55 - 0.1)
    # Sealed before fft was measured beside milc, and judged after it.
    before = os.path.join(work, "before")
    shutil.copytree(waiting, before)
    os.rename(f"{before}/fft-beside-milc.h5", os.path.join(work, "fft-beside-milc.later"))
    assert run("predict", before, "--models", "all", "--seal", f"{before}/a.sealed.json").returncode == 0
    os.rename(os.path.join(work, "fft-beside-milc.later"), f"{before}/fft-beside-milc.h5")
    against = answer("predict", before, "--against", f"{before}/a.sealed.json")
    near(against["pairs"][0]["cpu_slowdown"], 0.3 * 1.55 - 0.1)
    assert against["errors"]["none"]["n"] == 1 and against["network_errors"]["none"]["n"] == 0, against


def check_cache(folder, work):
    """Answers from summaries are those from samples, and of the runs that are there now."""
    kept = os.path.join(work, "kept")
    shutil.copytree(folder, kept)
    os.environ["XDG_CACHE_HOME"] = caches = os.path.join(work, "caches")

    def latest():
        """The one that was written last."""
        found = [entry.path for entry in os.scandir(os.path.join(caches, "crosstalk")) if entry.name.endswith(".summaries")]
        return max(found, key=lambda path: os.stat(path).st_mtime_ns)

    def ask(*words):
        got = answer("predict", kept, *words)
        del got["provenance"]
        return got

    plain = ask("--no-cache")
    assert not os.path.exists(caches)
    files = sorted(os.listdir(kept))
    assert ask() == plain
    assert sorted(os.listdir(kept)) == files, "a cache beside the runs"
    cache = latest()
    made = os.stat(cache)
    assert ask() == plain and ask("--evaluate")["errors"] == plain["errors"]
    assert os.stat(cache).st_mtime_ns == made.st_mtime_ns, "a cache that holds was written again"
    assert ask("--groups", "2")["placement"] == ask("--groups", "2", "--no-cache")["placement"]

    # Another content of the same length, name and time; then a file less.
    run_file = os.path.join(kept, "milc.h5")
    before = os.stat(run_file)
    impact(run_file, 21, app="milc")
    os.utime(run_file, ns=(before.st_atime_ns, before.st_mtime_ns))
    changed = ask("--no-cache")
    assert changed["loads"] != plain["loads"] and ask() == changed
    os.remove(os.path.join(kept, "fft-alone-1.h5"))
    fewer = ask("--no-cache")
    assert fewer != changed and ask() == fewer

    # What is no cache any more is not believed.
    cache = latest()
    with open(cache, "rb") as file:
        good = file.read()
    middle = len(good) // 2
    for damaged in (b"", good[:40], good[:-1], good + b"x",
                    good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:]):
        with open(cache, "wb") as file:
            file.write(damaged)
        assert ask() == fewer, len(damaged)
        with open(cache, "rb") as file:
            assert file.read() == good

    # Where none can be written there is none: the name is taken by a folder.
    os.remove(cache)
    os.makedirs(os.path.join(cache, "in the way"))
    assert ask() == fewer

    packed = os.path.join(work, "kept.h5")
    assert run("export", folder, "-o", packed).returncode == 0
    first, second = (answer("predict", packed) for _ in range(2))
    assert first == second and latest() != cache

    # No folder for caches: none is missed.
    home = os.environ.pop("HOME", None)
    for caches in ("/dev/null", "/proc", "relative", ""):
        os.environ["XDG_CACHE_HOME"] = caches
        done = run("predict", kept, "--format", "json")
        assert done.returncode == 0 and done.stderr == run("predict", kept, "--no-cache", "--format", "json").stderr, done
    assert not os.path.exists("relative")
    os.environ["XDG_CACHE_HOME"] = os.path.join(work, "caches")
    if home:
        os.environ["HOME"] = home


def check_seal(folder, work):
    """Predictions that are kept before a co-run is measured, and judged after."""
    early = os.path.join(work, "early")
    shutil.copytree(folder, early)
    os.remove(os.path.join(early, "fft-beside-milc.h5"))
    seal = os.path.join(early, "first.sealed.json")
    predicted = answer("predict", early, "--seal", seal)
    with open(seal, encoding="utf-8") as file:
        kept = file.read()
    sealed = {(row["app"], row["with"]): row for row in json.loads(kept)["predictions"]}
    for pair in predicted["pairs"]:
        row = sealed[pair["app"], pair["with"]]
        assert row["measured"] == (pair["measured"] is not None), row
        assert {model: by["slowdown"] for model, by in row["by"].items()} == pair["predicted"], row
    again = run("predict", early, "--seal", seal)
    assert again.returncode == 1 and "are not overwritten" in again.stderr, again.stderr
    with open(seal, encoding="utf-8") as file:
        assert file.read() == kept
    for words in [("--seal", "x.json"), ("--seal", seal, "--evaluate"), ("--against", seal, "--pair", "fft+milc"),
                  ("--against", seal, "--seal", "y.sealed.json")]:
        done = run("predict", early, *words)
        assert done.returncode == 2 and words[0] in done.stderr + "--seal", (words, done.stderr)

    got = answer("predict", early, "--against", seal)
    assert got["pairs"] == [] and any("not measured yet" in note for note in got["notes"]), got
    # Nothing was judged: the seal is not opened, and nothing differs.
    assert not os.path.exists(seal + ".opened") and len(got["answer"]) == 1, got
    assert got["answer"][0].startswith("No co-run was measured since these predictions were sealed"), got["answer"]
    assert {item["file"] for item in json.loads(kept)["inputs"]} == set(os.listdir(early)) - {"first.sealed.json"}
    shutil.copy(os.path.join(folder, "fft-beside-milc.h5"), early)
    got = answer("predict", early, "--against", seal)
    assert got["answer"][1:] == ["files that are new since: 1"], got["answer"]
    nearest = min((got["errors"][model]["mean_abs"], model) for model in got["errors"] if model not in NULL_MODELS)
    assert got["answer"][0] == (f"Nearest to what was measured since: {nearest[1]}, off by {100 * nearest[0]:.2g} points on average, "
                                f"{100 * nearest[0]:.2g} at most, in 1 co-run."), (got["answer"], nearest)
    with open(f"{early}/notes.yaml", "w", encoding="utf-8") as file:
        file.write("x\n")
    with open(seal + ".opened", encoding="utf-8") as file:
        opened = file.read().splitlines()
    assert len(opened) == 1 and ", commit " in opened[0], opened
    again = answer("predict", early, "--against", seal)
    assert again["answer"][-1] == "opened before: " + opened[0] and again["pairs"] == got["pairs"], again["answer"]
    assert "files that are new since: 2" in again["answer"], again["answer"]
    # An earlier version recorded neither.
    old = os.path.join(work, "old.sealed.json")
    with open(old, "w", encoding="utf-8") as file:
        json.dump({key: value for key, value in json.loads(kept).items() if key not in ("commit", "program", "inputs")}, file)
    assert answer("predict", early, "--against", old)["answer"][1:] == ["commit, program and inputs of the seal: not recorded"]
    # Another program, and an input that changed and one that is missing.
    other = json.loads(kept)
    other["program"] = "0" * 32
    other["inputs"][0]["hash"] = "1" * 32
    other["inputs"].append({"file": "gone.h5", "hash": "2" * 32})
    changed = os.path.join(work, "changed.sealed.json")
    with open(changed, "w", encoding="utf-8") as file:
        json.dump(other, file)
    words = answer("predict", early, "--against", changed)["answer"][1:]
    assert words[0].startswith("the program differs from the one that sealed: commit "), words
    assert words[1] == (f"inputs of the seal: 1 of {len(other['inputs'])} changed, 1 missing: "
                        f"{other['inputs'][0]['file']}, gone.h5"), words
    truth = next(pair for pair in answer("predict", folder)["pairs"] if (pair["app"], pair["with"]) == ("fft", "milc"))
    assert [(row["app"], row["with"]) for row in got["pairs"]] == [("fft", "milc")]
    near(got["pairs"][0]["measured"], truth["measured"])
    assert got["pairs"][0]["measured_ci"] == truth["measured_ci"]
    for model, slowdown in got["pairs"][0]["predicted"].items():
        assert slowdown == sealed["fft", "milc"]["by"][model]["slowdown"], model
        error = got["errors"][model]
        assert error["n"] == (slowdown is not None)
        if slowdown is not None:
            near(error["mean_abs"], abs(slowdown - truth["measured"]))


def main():
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "campaign")
        campaign(folder)
        check_utilization(folder)
        check_idle_noise(folder, work)
        check_calibration(folder, work)
        check_prediction(folder)
        check_intervals(folder)
        check_explanation(folder)
        check_evaluation(folder)
        check_groups(folder, work)
        check_known_load(folder, work)
        check_division(folder)
        check_verdicts(folder)
        check_screen(work)
        check_selection(folder)
        check_default(folder)
        check_order_of_time(folder, work)
        check_reach(folder, work)
        check_damage(folder, work)
        check_drift(folder, work)
        check_network_settings(folder, work)
        check_missing(folder, work)
        check_processors(folder, work)
        check_busy(folder, work)
        check_cache(folder, work)
        check_seal(folder, work)
    print("all answers are right")


if __name__ == "__main__":
    main()
