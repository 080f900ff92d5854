#!/usr/bin/env python3
"""Choose what the model probe is made with, and say how well that does where it was not chosen.

    cmake --build --preset dev --target probe_choices && scripts/probe_choices.py

Each group of the packed campaigns in examples/ is judged with the choices that are nearest on the other groups: the mean
over the groups of the mean error, in points of slowdown. No co-run is used to choose. The program probe_choices
(build/dev/tests, or the folder given) answers.
"""
import concurrent.futures
import itertools
import math
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[1]
TOOL = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else SOURCE / "build/dev/tests") / "probe_choices"
PLACED = ["disjoint", "fragments", "interleaved"]
GROUPS = {**{name: [(name, "")] for name in ("lab8", "lab8-judge", "lab8-again", "nine8", "codes8", "codes8-judge")},
          "judge": [(f"judge/{name}", "") for name in ("four-hosts-fifo", "six-hosts-fifo", "twelve-hosts")],
          "placement": [("placement", name) for name in PLACED[1:]],
          "two-switches": [("placement/two-switches", "interleaved")],
          "cab18": [("cab18", "")],
          "scale": [(f"scale/{network}", name) for network in ("fat-tree", "dragonfly") for name in PLACED]}
# On hosts and links of their own nothing is slowed: they count in decisions, and choose nothing.
APART = [("placement", "disjoint"), ("placement/two-switches", "disjoint")]
MODELS = ["none", "queue", "mutual"]
# As struct ct_probe_line_setup has them; the first value of each is that of predict/constants.c. These were found in trials
# that saw all campaigns, and that are not repeated here.
CHOICES = {"moment": [1, 0.75, 1.25], "delay_share": [0.5, 0.4, 0.6], "idle_quantile": [0.75, 0.5, 0.9],
           "offset": [0.05, 0.02, 0.1], "slope": [1], "slope_deviation": [0.5, 0.25], "noise": [0.2, 0.4],
           "beyond": [0.5, 0]}
DRAWS = 12
LIMIT = 0.1


def ask(campaign, placement, choices, draws):
    """{(choice, co-runs): [(draw, app, with, measured, predicted)]}"""
    done = subprocess.run([TOOL, SOURCE / "examples" / campaign, placement, str(draws), *choices],
                          stdout=subprocess.PIPE, text=True, check=True)
    answers = {}
    for line in done.stdout.splitlines():
        choice, co_runs, draw, app, beside, measured, predicted = line.split()
        if predicted != "nan":
            answers.setdefault((int(choice), int(co_runs)), []).append(
                (int(draw), int(app), int(beside), float(measured), float(predicted)))
    return answers


def ask_all(choices, draws):
    campaigns = [*itertools.chain.from_iterable(GROUPS.values()), *APART]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("PROBE_CHOICES_JOBS", 1))) as pool:
        return dict(zip(campaigns, pool.map(lambda campaign: ask(*campaign, choices, draws), campaigns)))


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def errors(answers, group, choice, co_runs=0):
    return [100 * abs(measured - predicted) for campaign in GROUPS[group]
            for _, _, _, measured, predicted in answers[campaign].get((choice, co_runs), [])]


def decisions(rows):
    """Of pairs: number, wrongly allowed, wrongly refused."""
    slowdown = {(app, beside): values for _, app, beside, *values in rows}
    n = allowed = refused = 0
    for (app, beside), one in slowdown.items():
        if app <= beside and (beside, app) in slowdown:
            is_slow, is_refused = (max(pair) > LIMIT for pair in zip(one, slowdown[beside, app]))
            n += 1
            allowed += is_slow and not is_refused
            refused += is_refused and not is_slow
    return n, allowed, refused


def choose(means, others, least):
    """The nearest choice on these groups; the first one, unless that is nearer by as much."""
    total = [mean(of[group] for group in others) for of in means]
    best = min(range(len(total)), key=total.__getitem__)
    return best if total[0] - total[best] > least else 0


def print_row(name, answers, chosen):
    """chosen: {group: number of the choice}"""
    cells = {group: errors(answers, group, chosen[group]) for group in GROUPS}
    wrong = [decisions(answers[campaign][chosen[group], 0]) for group in GROUPS for campaign in GROUPS[group]]
    wrong += [decisions(answers[campaign][chosen["placement"], 0]) for campaign in APART]
    n, allowed, refused = (sum(counts) for counts in zip(*wrong))
    print(f"| {name} | " + " | ".join(f"{mean(of):.1f}, {max(of):.0f}" for of in cells.values())
          + f" | {mean(map(mean, cells.values())):.2f} | {100 * (allowed + refused) / n:.1f} ({allowed} + {refused} of {n}) |")


def main():
    names = list(CHOICES)
    variants = list(itertools.product(*CHOICES.values()))
    texts = [",".join(map(str, variant)) for variant in variants]
    answers = ask_all([*texts, *MODELS], 0)
    means = [{group: mean(errors(answers, group, i)) for group in GROUPS} for i in range(len(variants))]
    print(f"{len(variants)} variants of probe were tried, and none of the other models.\n")
    print("No co-run used: mean and largest error, in points of slowdown; wrong decisions of 100 at a limit of "
          f"{100 * LIMIT:.0f} % (allowed + refused)\n")
    print("| | " + " | ".join(GROUPS) + " | mean | wrong |")
    print("|---" * (len(GROUPS) + 3) + "|")
    for i, model in enumerate(MODELS):
        print_row(f"`{model}`", answers, dict.fromkeys(GROUPS, len(variants) + i))
    for name, least in (("`probe`, the nearest on the other groups", 0), ("`probe`, where that is nearer by 0.5", 0.5)):
        chosen = {group: choose(means, [other for other in GROUPS if other != group], least) for group in GROUPS}
        print_row(name, answers, chosen)
        for group, choice in chosen.items():
            if choice:
                print(f"  {group}: " + ", ".join(f"{key} {value}" for key, value, first
                                                  in zip(names, variants[choice], variants[0]) if value != first),
                      file=sys.stderr)
    print_row("`probe`, as it is", answers, dict.fromkeys(GROUPS, 0))
    answers = ask_all([texts[0]], DRAWS)
    print(f"\nWith co-runs of each application, on those not used, mean of {DRAWS} draws:\n")
    sparse = [group for group in GROUPS if group != "scale"]
    print("| co-runs | " + " | ".join(sparse) + " | mean | of campaigns |")
    print("|---" * (len(sparse) + 3) + "|")
    for co_runs in range(4):
        cells = [mean(errors(answers, group, 0, co_runs)) for group in sparse]
        campaigns = [mean(100 * abs(measured - predicted) for _, _, _, measured, predicted in answers[campaign].get((0, co_runs), []))
                     for group in sparse for campaign in GROUPS[group]]
        print(f"| {co_runs} | " + " | ".join(f"{cell:.1f}" for cell in cells) + f" | {mean(cells):.2f} | {mean(campaigns):.2f} |")


main()
