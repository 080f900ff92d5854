#!/usr/bin/python3
"""library.py ANSWERS PREDICT.json TOLERANCE.json: the example's output has the command's numbers, to
the fifteen digits that JSON has."""
import json
import math
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    rows = [line.rstrip("\n").split(" ", 6) for line in file]
with open(sys.argv[2], encoding="utf-8") as file:
    predicted = {(pair["app"], pair["with"]): pair for pair in json.load(file)["pairs"]}
with open(sys.argv[3], encoding="utf-8") as file:
    tolerance = json.load(file)


def same(text, value):
    number = float(text)
    equal = math.isnan(number) if value is None else math.isclose(number, value, rel_tol=1e-14)
    assert equal, f"{text}, the command says {value}"


pairs = [row for row in rows if len(row) == 7]
assert len(pairs) == 36, f"{len(pairs)} pairs"
for row in pairs:
    pair = predicted[row[0], row[1]]
    for text, value in zip(row[2:6], [pair["measured"], pair["predicted"]["queue"], *pair["predicted_ci"]["queue"]]):
        same(text, value)
found = {row[0]: row[1] for row in rows if len(row) == 2 and row[0] != "critical"}
for key in ("runtime_s", "L_s", "lambda_L", "lambda_G"):
    same(found[key], tolerance[key])
limits = [row[2] for row in rows if row[0] == "tolerance"]
assert len(limits) == 3
for text, row in zip(limits, tolerance["tolerance"]):
    same(text, row["L_s"])
critical = [float(row[1]) for row in rows if row[0] == "critical"]
same(critical[0], tolerance["L_range_s"][1])
