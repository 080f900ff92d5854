#!/usr/bin/env python3
"""examples/lab8: every command that works on a campaign answers for the packed one; lab8-judge: as documented."""
import json
import os
import subprocess

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
FOLDER = os.path.join(os.environ["CROSSTALK_SOURCE"], "examples", "lab8")
JUDGE = os.path.join(os.environ["CROSSTALK_SOURCE"], "examples", "lab8-judge")
APPS = {"amg", "fft", "lulesh", "mcb", "milc", "vpfft"}
SIZE_MAX = 5_000_000
MODELS = ["average_lt", "pdf_lt", "queue", "mutual", "packets"]


def run(*words):
    done = subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def check_predictions():
    answer = json.loads(run("predict", FOLDER, "--models", ",".join(MODELS), "--format", "json", "--seed", "1"))
    pairs = {(pair["app"], pair["with"]): pair for pair in answer["pairs"]}
    groups = {names for names in pairs if "," in names[1]}
    assert set(pairs) == {(a, b) for a in APPS for b in APPS} | groups and len(groups) == 6, groups
    for names, pair in pairs.items():
        assert pair["measured"] is not None, names
        for model in MODELS:
            assert pair["predicted"][model] is not None, (names, model)
    loads = [load["what"] for load in answer["loads"]]
    assert loads.count("configuration") == 36 and loads.count("application") == 6, loads
    # What was measured is not noise, and predictions are nearer to it than "no slowdown" is.
    measured = [pair["measured"] for pair in pairs.values()]
    assert max(measured) > 0.3 and sorted(measured)[18] < 0.1, measured
    nothing = sum(abs(value) for value in measured) / len(measured)
    for model, part in (("average_lt", 0.7), ("queue", 0.7), ("mutual", 0.7), ("packets", 0.4)):
        assert answer["errors"][model]["mean_abs"] < part * nothing, (model, answer["errors"][model])


def check_judge():
    """What README says of the campaign that nothing was fitted to, in points of slowdown."""
    answer = json.loads(run("predict", JUDGE, "--logp", os.path.join(FOLDER, "logp.h5"), "--models", "queue,mutual,packets",
                            "--evaluate", "--format", "json", "--seed", "1"))
    assert answer["provenance"]["packet_queues"].startswith("round-robin ("), answer["provenance"]  # as the lab was built
    assert answer["provenance"]["packet_order"] in ("distinguished", "recorded"), answer["provenance"]
    for model, mean, largest in (("queue", 4.6, 39), ("mutual", 4.6, 48), ("packets", 1.7, 16)):
        errors = answer["errors"][model]
        assert round(100 * errors["mean_abs"], 1) == mean, (model, errors)
        assert round(100 * errors["max"]) == largest, (model, errors)


def divisions(apps):
    """Every way to put applications on switches of two."""
    if not apps:
        yield []
    for other in apps[1:]:
        rest = [app for app in apps[1:] if app != other]
        for division in divisions(rest):
            yield [(apps[0], other), *division]


def check_advice():
    """Groups are the best of the 15 divisions by what was measured of pairs, for either objective."""
    said = ("--models", "queue", "--format", "json", "--seed", "1")
    predicted = json.loads(run("predict", FOLDER, *said))
    slowed = {(pair["app"], pair["with"]): pair["measured"] for pair in predicted["pairs"]}
    every = list(divisions(sorted(APPS)))
    assert len(every) == 15
    for objective, cost_of in (("total", sum), ("worst", max)):
        costs = {frozenset(map(frozenset, division)):
                 cost_of(slowed[names] for a, b in division for names in ((a, b), (b, a))) for division in every}
        advice = json.loads(run("predict", FOLDER, "--groups", "2", "--objective", objective, *said))
        best = frozenset(frozenset((row["app"], row["with"])) for row in advice["placement"])
        assert len(advice["placement"]) == 6 and costs[best] == min(costs.values()), (objective, advice["placement"])
        for row in advice["placement"]:
            assert abs(row["measured"] - slowed[row["app"], row["with"]]) < 1e-9, row
        assert abs(advice["cost"] - min(costs.values())) < 1e-9, (objective, advice["cost"])
        mean = sum(costs.values()) / len(costs)
        spread = max(costs.values()) - min(costs.values())
        assert abs(advice["random_cost"] - mean) < 0.1 * spread, (objective, advice["random_cost"], mean)


def main():
    assert os.path.getsize(os.path.join(FOLDER, "campaign.h5")) < SIZE_MAX
    check_predictions()
    check_judge()
    explained = run("predict", "--explain", "lulesh+fft", "--models", "queue,packets", FOLDER)
    assert "lulesh" in explained and "queue" in explained
    assert run("show", "--all", FOLDER).count("campaign.h5:") == 396
    plan = run("campaign", "plan", os.path.join(FOLDER, "campaign.yaml"))
    assert "403 runs" in plan, plan[:500]
    check_advice()
    print("examples/lab8 and lab8-judge are as they should be")


main()
