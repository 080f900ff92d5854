#!/usr/bin/env python3
"""Public functions that no other file of the product uses.

usage: unused.py [SOURCE]

What a header of a room declares, or defines inline, is for other files: one of the product names it in its code. A
part of a file that tests call by itself may be public, if that file uses it. Functions of ALLOWED are there for a
reason that is written with them; a row that is not needed any more is an error, too. Code is what is left without
comments, and of headers what stands in the braces of functions and in macros.
"""
import collections
import os
import pathlib
import re
import sys

ROOMS = """bench calibrate campaign cli core delay lab libcrosstalk lp-bridge model plot predict report results simulate
study topology trace watch""".split()
# Bodies of headers are for programs of others.
PUBLIC = {"libcrosstalk/crosstalk.h"}
ALLOWED = {
    "ct_allprof_read": "tests and the fuzz entry read traces from memory",
    "ct_foreign_name": "tests and the fuzz entry ask for the format of bytes in memory",
    "ct_graph_bytes": "a test and a benchmark bound the memory of a graph",
    "ct_queue_estimate_known": "tests compare its intervals with simulated queues, whose service is known",
    "ct_unknowns_parse": "tests and the fuzz entry read parameters from memory",
}
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
NAME = re.compile(r"\bct_\w+")


def code_of(path):
    text = path.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    return TEXT.sub(lambda found: '""' if found.group()[0] in "\"'" else " ", text)


def split(code):
    """What stands in braces and macros, and what stands outside: declarations."""
    inside, outside, depth = [], [], 0
    for line in code.splitlines():
        if re.match(r"\s*#", line):
            if re.match(r"\s*#\s*define", line):
                inside.append(re.sub(r"^\s*#\s*define\s+\w+", "", line))
            continue
        for part in re.split(r"([{}])", line):
            if part == "}":
                depth -= 1
            if depth == 0 and part != "{":
                outside.append(part)
            elif depth > 0:
                inside.append(part)
            if part == "{":
                depth += 1
                if depth == 1:
                    outside.append(" INLINE;")
        outside.append("\n")
    return " ".join(inside), " ".join(outside)


def declared(outside):
    """Functions and whether the header defines them: the last word before the first parenthesis."""
    for statement in re.split(r"[;}]", outside):
        found = re.match(r"[^()=]*?\b(ct_\w+)\s*\(", statement)
        if found and not re.match(r"\s*typedef\b", statement):
            yield found.group(1), statement.endswith(" INLINE")


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CROSSTALK_SOURCE", pathlib.Path(__file__).parents[2]))
    users, declares, tested = collections.defaultdict(collections.Counter), {}, set()
    for room in ROOMS:
        for path in sorted(source.joinpath(room).rglob("*")):
            name = str(path.relative_to(source))
            if path.suffix not in (".c", ".h", ".cpp"):
                continue
            code = code_of(path)
            if path.suffix == ".h":
                code, outside = split(code)
                if name not in PUBLIC:
                    declares.update((function, (name, inline)) for function, inline in declared(outside))
            for used in NAME.findall(code):
                users[used][name] += 1
    assert declares, f"{source}: no header declares a function"
    for path in source.joinpath("tests").rglob("*.[ch]"):
        tested.update(NAME.findall(code_of(path)))
    faults, allowed = 0, set(ALLOWED)
    for function, (header, inline) in sorted(declares.items(), key=lambda row: (row[1], row[0])):
        # A source names what it defines; of a header there is no more here than what calls.
        files, uses = len(users[function]), users[function].total()
        if files > (0 if inline else 1) or users[function][header]:
            continue
        if function in allowed:
            allowed.remove(function)
        elif uses < 2:
            faults += 1
            print(f"{header}: nothing of the product calls {function}(): take it away")
        elif function not in tested:
            faults += 1
            print(f"{header}: {function}() is called by no other file: make it static")
    for function in sorted(allowed):
        faults += 1
        print(f"{function}: called by another file, or gone: take it out of ALLOWED")
    if faults:
        sys.exit(f"{faults} faults")
    print(f"{len(declares)} public functions are called, but for {len(ALLOWED)} with a reason")


main()
