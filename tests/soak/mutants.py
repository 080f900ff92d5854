#!/usr/bin/env python3
"""Which conditions of the rooms that compute can be changed without a unit test noticing.

mutants.py BUILD [--seed S] [--n N] [--from K]

Draws N conditions (comparisons, && and ||) of simulate, predict, lp-bridge and model with a seed, changes one at a time in
a copy of the tree, builds the unit tests there and runs them. Prints each that survives, and exits with 1 if one does
that SURVIVORS does not explain. BUILD: a folder for the copy and its build, kept between calls; --from goes on at the Kth.
"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys

SOURCE = os.environ.get("CROSSTALK_SOURCE") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ROOMS = ("simulate", "predict", "lp-bridge", "model")
CHANGES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
BUILD_S, TESTS_S = 900, 600

# Lines that compute the same after the change, and why.
SURVIVORS = {
    ("lp-bridge/graph/order.c", "for (uint32_t i = 0; i < draft->n_nodes; i++)", "<"):
        "one more step along a cycle stays on it",
    ("predict/next_load.c", "return (a->target > b->target) - (a->target < b->target);", ">"):
        "needs of one size and one target are alike",
}


def blanked(text):
    """The text with blanks for comments, strings, characters and lines of the preprocessor, as long as before."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*#(?:\\\n|[^\n])*'
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.DOTALL | re.MULTILINE)


def conditions():
    """(path, offset, operator) of every comparison and every && and ||."""
    found = []
    for room in ROOMS:
        for folder, folders, names in os.walk(os.path.join(SOURCE, room)):
            folders.sort()
            for name in sorted(name for name in names if name.endswith(".c")):
                path = os.path.relpath(os.path.join(folder, name), SOURCE)
                with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
                    text = blanked(file.read())
                found += [(path, match.start(1), match.group(1))
                          for match in re.finditer(r" (<=|>=|==|!=|&&|\|\||<|>)(?=\s)", text)]
    return found


def run(command, limit_s, log):
    """Whether it succeeds in time. What it leaves, such as a test that never ends, is ended with it."""
    with subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True) as process:
        try:
            return process.wait(limit_s) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def configure(tree, build, log):
    if not os.path.exists(os.path.join(build, "build.ninja")):
        run(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCROSSTALK_MPI=none",
             "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -w"], BUILD_S, log)
    if not run(["cmake", "--build", build, "--target", "units"], BUILD_S, log):
        sys.exit("the unit tests cannot be built: see mutants.log")


def survives(tree, build, mutant, log):
    path, offset, operator = mutant
    with open(os.path.join(tree, path), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
        file.write(text[:offset] + CHANGES[operator] + text[offset + len(operator):])
    built = run(["cmake", "--build", build, "--target", "units"], BUILD_S, log)
    passes = built and run(["ctest", "--test-dir", build, "-L", "unit", "-LE", "row", "-j", str(os.cpu_count()), "--timeout", "60",
                            "--stop-on-failure"], TESTS_S, log)
    with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
        file.write(text)
    return passes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--from", dest="first", type=int, default=0)
    options = parser.parse_args()
    tree, build = os.path.join(options.build, "tree"), os.path.join(options.build, "build")
    found = conditions()
    drawn = random.Random(options.seed).sample(found, options.n)
    n_unexplained = 0
    os.makedirs(options.build, exist_ok=True)
    if not os.path.exists(tree):
        shutil.copytree(SOURCE, tree, ignore=shutil.ignore_patterns("build", ".git"))
    with open(os.path.join(options.build, "mutants.log"), "w", encoding="utf-8") as log:
        configure(tree, build, log)
        for i, mutant in enumerate(drawn[options.first:], options.first):
            path, offset, operator = mutant
            with open(os.path.join(tree, path), encoding="utf-8") as file:
                text = file.read()
            line = text[:offset].count("\n") + 1
            code = text.split("\n")[line - 1].strip()
            survived = survives(tree, build, mutant, log)
            why = SURVIVORS.get((path, code, operator))
            n_unexplained += survived and why is None
            print(f"{i:3} {'SURVIVES' if survived else 'found'} {path}:{line}: {operator} -> {CHANGES[operator]}: {code}"
                  + (f" (the same: {why})" if survived and why else ""), flush=True)
    print(f"{options.n - options.first} of {len(found)} conditions changed with seed {options.seed}: "
          f"{n_unexplained} not found by a unit test")
    sys.exit(n_unexplained > 0)


main()
