#!/usr/bin/env python3
"""What documents name is there: constants, commands with their options, files. Numbers are those of docs/tables.py."""
import json
import os
import re
import subprocess
import tempfile

BIN = os.environ["CROSSTALK_BIN"]
SOURCE = os.environ["CROSSTALK_SOURCE"]


def read(*names):
    with open(os.path.join(SOURCE, *names), encoding="utf-8") as file:
        return file.read()


def run(*words):
    done = subprocess.run([os.path.join(BIN, words[0]), *words[1:]], capture_output=True, text=True, timeout=120, check=False, cwd=SOURCE)
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
        for line in re.findall(r"^    (?:\$ )?((?:crosstalk(?:-prober)?|impactb|compressionb|logpb|scanb|workload) .*)", text, re.MULTILINE):
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


def check_readme():
    """At most 900 words and 40 numbers (runs of digits) in the rendered text; each decision takes two commands at most."""
    text = read("README.md")
    rendered = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    n_words, n_numbers = len(rendered.split()), len(re.findall(r"[0-9]+", rendered))
    assert n_words <= 900 and n_numbers <= 40, f"README.md: {n_words} words, {n_numbers} numbers"
    commands = {}
    for question, names in re.findall(r"^\| (\w[^|]*\?) \| ([^|]+) \|", text, re.MULTILINE):
        commands[question] = re.findall(r"`([^`]+)`", names)
        assert len(commands[question]) <= 2, f"README.md: {question}: {names}"
    return commands


def check_tasks(commands, folder):
    """The last command of a decision, on measured data: its answer in words."""
    page = os.path.join(folder, "page.html")
    lab8, milc = "examples/lab8", "examples/lab8/traces/milc --logp examples/lab8/logp.h5"
    tasks = (("slowed", f"--idle {lab8}/campaign.h5:0048 --loaded {lab8}/campaign.h5:0055", r"had to wait about half of the time"),
             ("beside", f"examples/codes8 -o {page}", r"Of 10 pairs none may run beside each other, 10 should not\."),
             ("users", "examples/judge/twelve-hosts.yaml", r"runs take about .* hosts"),
             ("latency", milc, r"Adding 39 us to every message costs 1 %, 72 us 2 %"),
             ("ranks", f"{milc} --topology tree:4x2 --wire 274ns --switch 108ns --evaluations 64 --seed 1", r"\.$"))
    for word, given, answer in tasks:
        (question,) = [question for question in commands if word in question]
        said = run(*commands[question][-1].split(), *given.split())
        if page in given:
            said = read(page)
        assert re.search(answer, said), f"{question}: {said[-2000:]}"
    return len(tasks)


def main():
    check_constants(read("docs", "constants.md"))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        n = check_tasks(check_readme(), folder)
    print(f"constants, answers to {n} questions and {check_commands()} options of the documents are there")


main()
