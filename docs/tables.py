#!/usr/bin/env python3
"""Write the tables of the documents that say what crosstalk prints about the campaigns in examples/.

    docs/tables.py            write them, by build/dev/bin/crosstalk or that of $CROSSTALK_BIN
    docs/tables.py --check    write nothing; fail where a table is not what would be written

A table is found by the line before it. Which models it names, and in which order, is the document's: a row of a model
that there is no more goes; a table of all models gets those that are new at its end.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[1]
CROSSTALK = os.path.join(os.environ.get("CROSSTALK_BIN", SOURCE / "build/dev/bin"), "crosstalk")
EXAMPLES = SOURCE / "examples"
# What the ports of these labs are.
IN_TURN, FIFO = (["--queue", order, "--burst", "1600B"] for order in ("round-robin", "fifo"))
LOGP = ["--logp", EXAMPLES / "lab8" / "logp.h5"]
KINDS = {"pk": "utilization", "by delay": "calibrated_utilization", "by waiting": "waiting_utilization",
         "by phases": "mixture_utilization"}


def predict(*words, pairs=True, evaluate=True):
    """Pairs and loads, and what --evaluate says instead of these."""
    answer = {}
    for more in [[]] * pairs + [["--evaluate"]] * evaluate:
        done = subprocess.run([CROSSTALK, "predict", *words, "--models", "all", *more, "--seed", "1",
                               "--format", "json"],
                              capture_output=True, text=True, timeout=600, check=False)
        if done.returncode != 0:
            sys.exit(f"crosstalk predict {' '.join(map(str, words))}: {done.stderr}")
        answer = {**json.loads(done.stdout), **answer}
    return answer


def cells_of(row):
    return [cell.strip() for cell in row.strip("|").split("|")]


class Document:
    """A text and its tables, each given by the beginning of a line before it."""

    def __init__(self, *names):
        self.path = SOURCE.joinpath(*names)
        self.text = self.before = self.path.read_text(encoding="utf-8")

    def table(self, line):
        """The table after a line, as a match."""
        at = re.search("^" + re.escape(line), self.text, re.MULTILINE)
        if not at:
            sys.exit(f"{self.path}: no line begins with: {line}")
        table = re.compile(r"(?:^\|.*\n)+", re.MULTILINE).search(self.text, at.end())
        if not table:
            sys.exit(f"{self.path}: no table after: {line}")
        return table

    def change(self, line, rows_of):
        """The rows of a table, without the heading, become what rows_of says of them, as lists of cells."""
        table = self.table(line)
        heading, *rows = table.group().splitlines()
        cells = [cells_of(row) for row in rows[1:]]
        as_it_was = {tuple(row): line for row, line in zip(cells, rows[1:])}
        lines = [as_it_was.get(tuple(row), "| " + " | ".join(row) + " |") for row in rows_of(cells)]
        new = "".join(f"{row}\n" for row in [heading, rows[0], *lines])
        self.text = self.text[:table.start()] + new + self.text[table.end():]


def percent(frac, digits=0):
    text = f"{100 * frac:.{digits}f}".replace("-", "\N{MINUS SIGN}")
    return text.removeprefix("\N{MINUS SIGN}") if float(f"{100 * frac:.{digits}f}") == 0 else text


def name_of(cell):
    return cell.strip("`")


def interval_cells(errors, prefix=""):
    return [percent(errors[prefix + "coverage"]) + " %", percent(errors[prefix + "mean_width"])]


def error_rows(errors, all_models=True):
    """Errors, then coverage and width of the interval and what it is made from; of all models also with pairs left out,
    in tables that name some the second cell is a word about the model."""
    def cells(of):
        own = [percent(of[key], 1) for key in ("mean_abs", "median", "q3")] + [
            percent(of["max"]), percent(of["time_mean_abs"], 1) + " %", *interval_cells(of),
            f"{of['interval_errors']} {of['interval_from']}"]
        return own + ([percent(of["left_out_mean_abs"], 1), *interval_cells(of, "left_out_")] if all_models else [])

    def rows(old):
        kept = [row for row in old if name_of(row[0]) in errors or not row[0].startswith("`")]
        new = [[f"`{model}`"] for model in errors if all_models and f"`{model}`" not in [row[0] for row in old]]
        return [row[:1 if all_models else 2] + cells(errors[name_of(row[0])]) if row[0].startswith("`") else row
                for row in kept + new]
    return rows


def by_co_runner(answer):
    done = subprocess.run([sys.executable, EXAMPLES / "errors.py", "fft"], text=True, input=json.dumps(answer),
                          capture_output=True, timeout=30, check=True)
    rows = [line.strip("|").split("|") for line in done.stdout.splitlines() if line.startswith("| `")]
    return lambda old: [[cell.strip() for cell in row] for row in rows]


def comparisons(answers):
    """Model, then less none and less multiplicative for each campaign."""
    def cell(answer, model, against):
        for row in answer["comparisons"]:
            if (row["model"], row["against"]) == (model, against):
                return f"{percent(row['difference'], 1)} [{', '.join(percent(end, 1) for end in row['difference_ci'])}]"
        return ""

    def rows(old):
        models = [model for model in map(name_of, (row[0] for row in old)) if model in answers[0]["errors"]]
        models += [model for model in answers[0]["errors"] if model not in models and model != "none"]
        return [[f"`{model}`"] + [cell(answer, model, against) for answer in answers for against in ("none", "multiplicative")]
                for model in models]
    return rows


def pairs_of(answer):
    return {(pair["app"], pair["with"]): pair for pair in answer["pairs"]}


def beside_fft(models, pairs):
    """Application, measured, then a column for each model."""
    def cells(app):
        pair = pairs[name_of(app), "fft"]
        return [app, percent(pair["measured"], 1)] + [percent(pair["predicted"][model], 1) for model in models]
    return lambda old: [cells(row[0]) for row in old]


def outliers(models, answers):
    def cells(what):
        app, campaign = name_of(what).split("`, ")
        pair = pairs_of(answers[campaign])[app, "fft"]
        values = [pair["measured"]] + [pair["predicted"][model] for model in models]
        return [what] + [percent(value, 1) + " %" for value in values]
    return lambda old: [cells(row[0]) for row in old]


def utilization(answers):
    def cell(answer, kind, what):
        off = [abs(load[KINDS[name_of(kind)]] - load["true_utilization"]) for load in answer["loads"]
               if load["what"] == what.rstrip("s")]
        return f"{percent(sum(off) / len(off), 1)} / {percent(max(off))}"
    return lambda old: [row[:2] + [cell(answer, *row[:2]) for answer in answers] for row in old]


def calibration(answers):
    """K and m, each with how far it is off, from the words that predict prints: numbers of a cell, in their order."""
    def cell(old, pattern, answer):
        values = iter(re.search(pattern, answer["provenance"]["calibration"]).groups())
        return re.sub(r"[\d.]+", lambda found: next(values, found.group()), old)
    patterns = (r"K = (\d+) us, off by ([\d.]+)", r"m = ([\d.]+), off by ([\d.]+)")
    return lambda old: [row[:3] + [cell(cell_, pattern, answer) for cell_, answer in zip(row[3:], answers)]
                        for row, pattern in zip(old, patterns)] + old[len(patterns):]


def without_busy_processors(errors):
    def cells(model):
        of = errors[name_of(model)]
        return [model, str(of["pairs"]), percent(of["mean_abs"], 1), percent(of["max"], 1)]
    return lambda old: [cells(row[0]) for row in old if name_of(row[0]) in errors]


def utilization_of_applications(rows):
    of = {row["utilization"]: row for row in rows if row["of"] == "applications"}
    return lambda old: [[kind, percent(of[kind]["mean_abs"], 1), percent(of[kind]["max"])] for kind, *_ in old]


def placements(errors):
    """Of the models that the table names, for the smaller tree; the other campaign is not among the examples."""
    models = ["none", "multiplicative", "queue", "mutual", "packets"]

    def cells(row):
        if row[0] != "`tree:2x4`":
            return row
        return row[:2] + [f"{percent(errors[row[1]][model]['mean_abs'], 1)} / {percent(errors[row[1]][model]['max'])}"
                          for model in models]
    return lambda old: [cells(row) for row in old]


def measured(apps_line, pairs):
    def rows(old):
        apps = [name_of(row[0]) for row in old]
        return [[row[0]] + [percent(pairs[app, other]["measured"]) for other in apps] for row, app in zip(old, apps)]
    return apps_line, rows


# Campaigns of the table of all, by the words of their rows: folder, placement, options.
CAMPAIGNS = {
    "lab8": ("lab8", None, IN_TURN), "lab8-judge": ("lab8-judge", None, [*LOGP, *IN_TURN]),
    "lab8-again": ("lab8-again", None, IN_TURN), "codes8": ("codes8", None, []), "codes8-judge": ("codes8-judge", None, []),
    "nine8": ("nine8", None, []), "cab18": ("cab18", None, []), "disjoint": ("placement", "disjoint", FIFO),
    "interleaved": ("placement", "interleaved", FIFO), "fragments": ("placement", "fragments", FIFO),
    "two-switches, disjoint": ("placement/two-switches", "disjoint", FIFO),
    "two-switches, interleaved": ("placement/two-switches", "interleaved", FIFO),
    "dilated/20000, shared": ("dilated/20000", "shared", []),
    "dilated/20000, interleaved": ("dilated/20000", "interleaved", []),
    "fat-tree": ("scale/fat-tree", "interleaved", [])}


def campaigns(table):
    """Pairs, and of each model of the heading the mean and the largest error."""
    models = [name_of(cell) for cell in cells_of(table.group().split("\n")[0])[3:]]

    def cells(row):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", row[0])
        campaign = [name for name in CAMPAIGNS if name in words][-1] if words not in CAMPAIGNS else words
        folder, placement, options = CAMPAIGNS[campaign]
        errors = predict(EXAMPLES / folder, *options, pairs=placement is not None, evaluate=placement is None)["errors"]
        errors = errors[placement] if placement else errors
        return row[:2] + [str(errors["none"]["pairs"])] + [
            f"{percent(errors[model]['mean_abs'], 1)} / {percent(errors[model]['max'])}"
            if errors.get(model, {}).get("pairs") else "" for model in models]
    return lambda old: [cells(row) for row in old]


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    validation, constants, workloads = (Document("docs", name) for name in ("validation.md", "constants.md", "workloads.md"))
    readme = {name: Document("examples", name, "README.md")
              for name in ("lab8", "lab8-judge", "lab8-again", "codes8", "codes8-judge", "nine8", "placement")}
    lab8 = predict(EXAMPLES / "lab8", *IN_TURN)
    judge = predict(EXAMPLES / "lab8-judge", *LOGP, *IN_TURN)
    again = predict(EXAMPLES / "lab8-again", *IN_TURN, pairs=False)
    both = {"examples/lab8": lab8, "examples/lab8-judge": judge}
    readme["lab8"].change("Pairs of `examples/lab8` (36)", error_rows(lab8["errors"]))
    readme["lab8"].change("Groups of three", error_rows(lab8["group_errors"]))
    readme["lab8"].change("Pairs of `examples/lab8-judge`", error_rows(judge["errors"]))
    readme["lab8"].change("    crosstalk predict examples/lab8 --models all --queue round-robin --burst 1600B --seed 1 --format json | examples",
                          by_co_runner(lab8))
    readme["lab8"].change("    crosstalk predict examples/lab8-judge --logp examples/lab8/logp.h5 --models all --queue round-robin "
                          "--burst 1600B --seed 1 --format json | examples", by_co_runner(judge))
    readme["lab8"].change("## Against the null models", comparisons([lab8, judge]))
    readme["lab8"].change("## Pairs with the largest errors", beside_fft(["queue", "mutual", "lp"], pairs_of(lab8)))
    readme["lab8-judge"].change("## What probes do not show", outliers(["queue", "mutual"], both))
    readme["lab8-again"].change("Pairs of `examples/lab8-again`", error_rows(again["errors"], all_models=False))
    readme["lab8-again"].change("- *Processors.*", without_busy_processors(again["network_errors"]))
    readme["lab8-again"].change("Utilization of the six applications", utilization_of_applications(again["utilization_errors"]))
    for name, line in (("codes8", "## Real codes"), ("codes8-judge", "## Real codes once more"), ("nine8", "Pairs of `examples/nine8`")):
        readme[name].change(line, error_rows(predict(EXAMPLES / name, pairs=False)["errors"]))
    readme["placement"].change("## Four applications under placements", placements(
        predict(EXAMPLES / "placement" / "two-switches", *FIFO, evaluate=False)["errors"]))
    validation.change("## Is a predicted slowdown right", campaigns(validation.table("## Is a predicted slowdown right")))
    validation.change("## Is the utilization right", utilization(both.values()))
    constants.change("## Fitted in each campaign", calibration(both.values()))
    workloads.change(*measured("Measured [slowdown]", pairs_of(lab8)))
    changed = [of for of in (validation, constants, workloads, *readme.values()) if of.text != of.before]
    for document in changed:
        print(f"{document.path.relative_to(SOURCE)}: {'not ' * (len(sys.argv) > 1)}as crosstalk says")
        if len(sys.argv) == 1:
            document.path.write_text(document.text, encoding="utf-8")
        else:
            for old, new in zip(document.before.splitlines(), document.text.splitlines()):
                if old != new:
                    print(f"- {old}\n+ {new}")
    if len(sys.argv) > 1 and changed:
        sys.exit("the tables are not what crosstalk prints; docs/tables.py writes them")
    print("the tables of the documents are what crosstalk prints")


if __name__ == "__main__":
    main()
