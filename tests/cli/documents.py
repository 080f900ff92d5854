#!/usr/bin/env python3
"""What documents name is there: constants, commands with their options, files. Numbers are those of docs/tables.py."""
import json
import os
import re
import subprocess

BIN = os.environ["CROSSTALK_BIN"]
SOURCE = os.environ["CROSSTALK_SOURCE"]


def read(*names):
    with open(os.path.join(SOURCE, *names), encoding="utf-8") as file:
        return file.read()


def run(*words):
    done = subprocess.run([os.path.join(BIN, words[0]), *words[1:]], capture_output=True, text=True, timeout=30, check=False)
    return done.stdout if done.returncode == 0 else ""


def check_constants(text):
    """Every constant that the command prints is in the document, by its name."""
    names = {row["name"] for row in json.loads(run("crosstalk", "show", "--constants", "--format", "json"))["constants"]}
    missing = sorted(name for name in names if f"`{name}`" not in text)
    assert not missing, f"docs/constants.md does not name {', '.join(missing)}"


def helps_of(words, known):
    """Help of the command that a line begins with: of one or two words after the program."""
    for n in (3, 2, 1):
        key = tuple(words[:n])
        if len(key) == n and all(re.fullmatch(r"[a-z][a-z-]*", word) for word in key):
            if key not in known:
                known[key] = run(*key, "--help")
            if known[key]:
                return known[key]
    return ""


def check_commands():
    """Options of the indented command lines of all documents, as --help has them."""
    known, faults, n = {}, [], 0
    for name in ["README.md", *(f"docs/{name}" for name in sorted(os.listdir(os.path.join(SOURCE, "docs"))) if name.endswith(".md"))]:
        text = re.sub(r"\\\n\s*", " ", read(name))
        for line in re.findall(r"^    (?:\$ )?((?:crosstalk|impactb|compressionb|logpb|workload) .*)", text, re.MULTILINE):
            if re.match(r"\w+( \w+)*:", line): # a message
                continue
            words = re.split(r" -- | [|#<>&;] ?|;", line)[0].split()
            text_of = helps_of(words, known)
            if not text_of:
                faults.append(f"{name}: no such command: {line}")
                continue
            for option in re.findall(r"(?<= )--[a-z][\w-]*", " " + " ".join(words)):
                n += 1
                if not re.search(re.escape(option) + r"(?![\w-])", text_of):
                    faults.append(f"{name}: {option}, which '{' '.join(words[:2])} --help' does not have: {line}")
    assert n > 0, "no document has an option"
    assert not faults, "\n".join(faults)
    return n


def main():
    check_constants(read("docs", "constants.md"))
    print(f"constants and {check_commands()} options of the documents are there")


main()
