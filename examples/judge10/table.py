#!/usr/bin/env python3
"""What came of the sealed predictions, as the table of README.md.

    crosstalk predict FOLDER --placement PLACEMENT --against SEALED --format json >judged.json
    examples/judge10/table.py "NETWORK, PLACEMENT=judged.json"...

Errors are |predicted - measured| in percent of the measured run time; wrong decisions: "both slowdowns are at most 5 %
(10 %)" of pairs of programs; inside: share of measured slowdowns in their sealed 90 % intervals.
"""
import json
import sys

MODELS = ("packets", "lp", "probe", "mutual", "queue", "none", "multiplicative")


def wrong(pairs, model, limit):
    """Wrongly allowed and wrongly refused, of how many unordered pairs."""
    rows = {(p["app"], p["with"]): p for p in pairs if p["measured"] is not None and p["predicted"].get(model) is not None}
    allowed = refused = n = 0
    for (a, b), there in rows.items():
        if a > b or (b, a) not in rows:
            continue
        back = rows[b, a]
        measured = max(there["measured"], back["measured"]) <= limit
        predicted = max(there["predicted"][model], back["predicted"][model]) <= limit
        n += 1
        allowed += predicted and not measured
        refused += measured and not predicted
    return f"{allowed} + {refused} of {n}"


def row(pairs, model, inside):
    errors = [100 * abs(p["predicted"][model] - p["measured"]) / (1 + p["measured"]) for p in pairs
              if p["measured"] is not None and p["predicted"].get(model) is not None]
    if not errors:
        return None
    share = "–" if inside is None else f"{100 * inside:.0f} %"
    return (f"`{model}` | {len(errors)} | {sum(errors) / len(errors):.1f} / {max(errors):.1f} | {share} | "
            f"{wrong(pairs, model, 0.05)} | {wrong(pairs, model, 0.10)}")


def main():
    if len(sys.argv) < 2 or any("=" not in word for word in sys.argv[1:]):
        sys.exit(__doc__)
    print("| network, placement | model | pairs | error, mean / largest [%] | inside | wrong at 5 % | wrong at 10 % |")
    print("|---|---|---|---|---|---|---|")
    for word in sys.argv[1:]:
        network, path = word.split("=", 1)
        with open(path, encoding="utf-8") as file:
            judged = json.load(file)
        for model in MODELS:
            errors = judged["errors"].get(model) or {}
            cells = row(judged["pairs"], model, errors.get("coverage"))
            if cells:
                print(f"| {network} | {cells} |")


if __name__ == "__main__":
    main()
