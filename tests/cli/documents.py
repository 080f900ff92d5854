#!/usr/bin/env python3
"""The tables of the documents are what crosstalk prints about the campaigns in examples/."""
import json
import os
import re
import subprocess
import sys

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
SOURCE = os.environ["CROSSTALK_SOURCE"]
LAB8, JUDGE, CODES8, CODES8_JUDGE, AGAIN, NINE8 = (os.path.join(SOURCE, "examples", name) for name in (
    "lab8", "lab8-judge", "codes8", "codes8-judge", "lab8-again", "nine8"))
# What the ports of these labs are.
IN_TURN, FIFO = (["--queue", order, "--burst", "1600B"] for order in ("round-robin", "fifo"))
KINDS = {"pk": "utilization", "by delay": "calibrated_utilization", "by waiting": "waiting_utilization",
         "by phases": "mixture_utilization"}


def predict(*words, pairs=True, evaluate=True):
    """Pairs and loads, and what --evaluate says instead of these."""
    answer = {}
    for more in [[]] * pairs + [["--evaluate"]] * evaluate:
        done = subprocess.run([CROSSTALK, "predict", *words, *more, "--seed", "1", "--format", "json"],
                              capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        answer = {**json.loads(done.stdout), **answer}
    return answer


def read(*names):
    with open(os.path.join(SOURCE, *names), encoding="utf-8") as file:
        return file.read()


def table_after(text, line):
    """Rows of the first table after a line that begins so, as cells; without the heading."""
    at = re.search("^" + re.escape(line), text, re.MULTILINE)
    assert at, f"no line begins with: {line}"
    rows = re.search(r"(?:^\|.*\n)+", text[at.end():], re.MULTILINE)
    assert rows, f"no table after: {line}"
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.group().splitlines()][2:]


def percent(frac, digits=0):
    text = f"{100 * frac:.{digits}f}".replace("-", "\N{MINUS SIGN}")
    return text.removeprefix("\N{MINUS SIGN}") if float(f"{100 * frac:.{digits}f}") == 0 else text


def same(found, expected, where):
    assert found == expected, f"{where}: the document has {found}, crosstalk says {expected}"


def interval_cells(errors, prefix=""):
    return [percent(errors[prefix + "coverage"]) + " %", percent(errors[prefix + "mean_width"])]


def error_cells(errors):
    """As in README.md: errors, then coverage and width of the interval and what it is made from."""
    return [percent(errors[key], 1) for key in ("mean_abs", "median", "q3")] + [
        percent(errors["max"]), percent(errors["time_mean_abs"], 1) + " %", *interval_cells(errors),
        f"{errors['interval_errors']} {errors['interval_from']}"]


def left_out_cells(errors):
    return [percent(errors["left_out_mean_abs"], 1), *interval_cells(errors, "left_out_")]


def check_errors(rows, errors, where, all_models=True):
    models = {row[0].strip("`"): row for row in rows if row[0].startswith("`")}
    assert models and (not all_models or set(models) == set(errors)), (where, sorted(models))
    for model, row in models.items():
        expected = error_cells(errors[model]) + (left_out_cells(errors[model]) if all_models else [])
        same(row[1 if all_models else 2:], expected, f"{where}: {model}")


def check_by_co_runner(text, answer):
    done = subprocess.run([sys.executable, os.path.join(SOURCE, "examples", "errors.py"), "fft"], text=True,
                          input=json.dumps(answer), capture_output=True, timeout=30, check=True)
    rows = [line for line in done.stdout.splitlines() if line.startswith("| `")]
    assert len(rows) == len(answer["errors"])
    for row in rows:
        assert row in text.splitlines(), f"examples/errors.py prints, and docs/validation.md does not have: {row}"


def check_comparisons(rows, answers):
    """Model, then less none and less additive for each campaign."""
    assert len(rows) == len(answers[0]["errors"]) - 1
    for model, *cells in rows:
        expected = []
        for answer in answers:
            found = {row["against"]: row for row in answer["comparisons"] if row["model"] == model.strip("`")}
            for against in ("none", "additive"):
                row = found.get(against)
                ends = row and ", ".join(percent(end, 1) for end in row["difference_ci"])
                expected.append(f"{percent(row['difference'], 1)} [{ends}]" if row else "")
        same(cells, expected, f"comparison of {model}")


def check_beside_fft(rows, models, pairs):
    """Application, measured, then a column for each model."""
    for app, measured, *predicted in rows:
        pair = pairs[app.strip("`"), "fft"]
        same([measured, *predicted], [percent(pair[key], 1) for key in ["measured"]]
             + [percent(pair["predicted"][model], 1) for model in models], f"{app} beside fft")


def check_outliers(rows, models, answers):
    for what, *cells in rows:
        app, campaign = what.strip("`").split("`, ")
        pair = pairs_of(answers[campaign])[app, "fft"]
        same(cells, [percent(value, 1) + " %" for value in
                     [pair["measured"]] + [pair["predicted"][model] for model in models]], what)


def check_utilization(rows, answers):
    for kind, what, *cells in rows:
        expected = []
        for answer in answers:
            off = [abs(load[KINDS[kind.strip("`")]] - load["true_utilization"]) for load in answer["loads"]
                   if load["what"] == what.rstrip("s")]
            expected.append(f"{percent(sum(off) / len(off), 1)} / {percent(max(off))}")
        same(cells, expected, f"utilization {kind} of {what}")


def check_calibration(rows, answers):
    """K and m, each with how far it is off, from the words that predict prints."""
    for row, pattern in zip(rows, (r"K = (\d+) us, off by ([\d.]+)", r"m = ([\d.]+), off by ([\d.]+)")):
        for cell, answer in zip(row[3:], answers):
            said = re.search(pattern, answer["provenance"]["calibration"])
            same(re.findall(r"[\d.]+", cell), list(said.groups()), f"calibration {row[0]}")


def pairs_of(answer):
    return {(pair["app"], pair["with"]): pair for pair in answer["pairs"]}


def check_constants(text):
    """Every constant that the command prints is in the document, by its name."""
    done = subprocess.run([CROSSTALK, "show", "--constants", "--format", "json"], capture_output=True, text=True,
                          timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    names = {row["name"] for row in json.loads(done.stdout)["constants"]}
    missing = sorted(name for name in names if f"`{name}`" not in text)
    assert not missing, f"docs/constants.md does not name {', '.join(missing)}"


def check_again(validation):
    """The campaign of lab8 that was measured twice."""
    answer = predict(AGAIN, *IN_TURN, pairs=False)
    check_errors(table_after(validation, "Pairs of `examples/lab8-again`"), answer["errors"], "lab8-again",
                 all_models=False)
    for model, *cells in table_after(validation, "- *Processors.*"):
        errors = answer["network_errors"][model.strip("`")]
        same(cells, [str(errors["pairs"]), percent(errors["mean_abs"], 1), percent(errors["max"], 1)],
             f"lab8-again, processors: {model}")
    of_applications = {row["utilization"]: row for row in answer["utilization_errors"] if row["of"] == "applications"}
    for kind, *cells in table_after(validation, "Utilization of the six applications"):
        row = of_applications[kind]
        same(cells, [percent(row["mean_abs"], 1), percent(row["max"])], f"lab8-again, utilization {kind}")


def check_placements(rows):
    """Errors of the models that the table names, for the smaller tree."""
    models = ["none", "additive", "queue", "phase", "mutual", "simulated", "packets"]
    errors = predict(os.path.join(SOURCE, "examples", "placement", "two-switches"), *FIFO, evaluate=False)["errors"]
    for row in rows:
        if row[0] == "`tree:2x4`":
            found = [errors[row[1]][model] for model in models]
            same(row[2:], [f"{percent(of['mean_abs'], 1)} / {percent(of['max'])}" for of in found], row[1])


def main():
    lab8 = predict(LAB8, *IN_TURN)
    judge = predict(JUDGE, "--logp", os.path.join(LAB8, "logp.h5"), *IN_TURN)
    validation, both = read("docs", "validation.md"), {"examples/lab8": lab8, "examples/lab8-judge": judge}
    check_errors(table_after(validation, "Pairs of `examples/lab8` (36)"), lab8["errors"], "lab8")
    check_errors(table_after(validation, "Groups of three"), lab8["group_errors"], "groups")
    check_errors(table_after(validation, "Pairs of `examples/lab8-judge`"), judge["errors"], "lab8-judge")
    check_errors(table_after(read("README.md"), "### Proxy applications"), lab8["errors"], "README.md",
                 all_models=False)
    codes8 = predict(CODES8, pairs=False)["errors"]
    check_errors(table_after(validation, "## Real codes"), codes8, "codes8")
    check_errors(table_after(validation, "## Real codes once more"), predict(CODES8_JUDGE, pairs=False)["errors"],
                 "codes8-judge")
    nine8 = predict(NINE8, pairs=False)
    check_errors(table_after(validation, "Pairs of `examples/nine8`"), nine8["errors"], "nine8")
    # Where ports serve in turn, what runs record of them holds for flows, too: order, window and burst.
    assert re.match(r"round-robin \(100 %.*605600 B \[605600, 605600\].*burst of 1600 B \(100 %\)",
                    nine8["provenance"]["queues"]), nine8["provenance"]
    check_errors(table_after(read("README.md"), "### Real codes"), codes8, "README.md, real codes", all_models=False)
    for answer in both.values():
        check_by_co_runner(validation, answer)
    check_comparisons(table_after(validation, "### Against the null models"), [lab8, judge])
    check_beside_fft(table_after(validation, "### Pairs with the largest errors"),
                     ["queue", "phase", "mutual", "lp", "replay", "replay_gap", "simulated"], pairs_of(lab8))
    check_outliers(table_after(validation, "### What probes do not show"),
                   ["queue", "phase", "mutual", "simulated"], both)
    check_utilization(table_after(validation, "## Utilization"), both.values())
    check_calibration(table_after(read("docs", "constants.md"), "## Fitted in each campaign"), both.values())
    check_constants(read("docs", "constants.md"))
    check_again(validation)
    check_placements(table_after(validation, "### Four applications under placements"))
    slowdowns = table_after(read("docs", "workloads.md"), "Measured [slowdown]")
    apps = [row[0].strip("`") for row in slowdowns]
    for app, *cells in slowdowns:
        same(cells, [percent(pairs_of(lab8)[app.strip("`"), other]["measured"]) for other in apps], app)
    print("the tables of the documents are what crosstalk prints")


main()
