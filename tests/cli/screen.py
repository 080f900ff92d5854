#!/usr/bin/env python3
"""Answers and help fit a screen of 100 columns and 25 lines, and answers end in words; --all and --help only in columns."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
BIN = os.path.abspath(os.environ["CROSSTALK_BIN"])
SOURCE = os.environ["CROSSTALK_SOURCE"]
COLUMNS, LINES = 100, 25
LAB8, CODES8 = "examples/lab8", "examples/codes8"
MACHINE = "--L 3us --o 5us --G 0.018ns"
GENERATED = "allreduce:1024,rounds=2"
FEW = "--models queue --seed 1" # without simulations
HALO = "tests/data/goal/halo_nonblocking.goal"
TREE = "--topology fat-tree:16x3 --wire 274ns --switch 108ns --o 5us --G 0.018ns"
ANSWERS = [
    f"utilization --idle {LAB8}/campaign.h5:0048 --loaded {LAB8}/campaign.h5:0055 --seed 1",
    f"tolerance {LAB8}/traces/milc --logp {LAB8}/logp.h5",
    f"tolerance {LAB8}/traces/milc --logp {LAB8}/logp.h5 --critical-path",
    f"tolerance {LAB8}/traces/milc --logp {LAB8}/logp.h5 --compare-collectives",
    f"tolerance {LAB8}/traces/milc --logp {LAB8}/logp.h5 --campaign {LAB8} --seed 1",
    f"tolerance {GENERATED} {MACHINE}",
    f"tolerance {HALO} {TREE}",
    f"tolerance {HALO} {MACHINE.replace('--L 3us ', '')} --pieces --L-min 3us --L-max 103us",
    f"simulate {LAB8}/traces/milc {LAB8}/traces/amg --logp {LAB8}/logp.h5 --draws 2",
    f"simulate {LAB8}/traces/milc --logp {LAB8}/logp.h5 --draws 2 --ranks --path",
    f"simulate {GENERATED} {MACHINE}",
    f"place {HALO} {TREE.replace('fat-tree:16x3', 'tree:4x4')} --evaluations 64 --seed 1",
    f"trace --check {LAB8}/traces/milc",
    f"show {LAB8}",
    f"show {CODES8}",
    f"show {LAB8}/campaign.h5:0055",
    f"show {LAB8}/campaign.h5:0001",
    f"show {LAB8}/logp.h5",
    "show --constants",
    f"goal {LAB8}/traces/milc",
    f"goal {HALO}",
    f"goal {GENERATED}",
    "topology dragonfly:8,4,8",
    "topology fat-tree:16x3 --links",
    "campaign plan examples/lab8/campaign.yaml",
    "campaign plan examples/codes8/campaign.yaml",
    "campaign plan examples/judge/twelve-hosts.yaml",
    "campaign plan TEN/campaign.yaml",
    "campaign status TEN",
    *(f"predict {name} {FEW}" for name in ("TEN", LAB8, CODES8)),
    *(f"predict {name} {FEW} --groups 2" for name in (CODES8, "TEN")),
    *(f"predict {name} --models average_lt,queue,mutual --evaluate --seed 1" for name in (CODES8, "TEN")),
    f"predict {CODES8} --models average_lt,average_stdev_lt,pdf_lt,queue,mutual --explain amg+hpcg --seed 1",
    f"predict {CODES8} --models queue --with amg,hpcg --seed 1",
    f"predict TEN {FEW} --pair program-1+program-2",
    f"advise TEN --per-switch 2 --model queue --seed 1",
    "show TEN",
    f"simulate {GENERATED} {MACHINE} --ranks --path",
    f"simulate {GENERATED} {GENERATED} {MACHINE}",
    f"tolerance {GENERATED} {MACHINE} --critical-path",
    f"tolerance {GENERATED} {MACHINE.replace('--L 3us ', '')} --pieces --L-min 3us --L-max 103us",
    f"place allreduce:256,rounds=1 {TREE.replace('fat-tree:16x3', 'tree:4x16')} --ranks-per-node 4 --L-node 400ns"
    " --G-node 0.1ns --evaluations 1 --seed 1",
    f"place {LAB8}/traces/milc --logp {LAB8}/logp.h5 --topology tree:4x2 --wire 274ns --switch 108ns --evaluations 64 --seed 1",
    f"place halo:3x3x3 {TREE.replace('fat-tree:16x3', 'tree:4x8')} --shared-links --evaluations 16 --seed 1",
]
COMMANDS = "campaign scan lab trace report predict advise utilization tolerance simulate place show export goal topology calibrate " \
           "delay validate".split()
HELPS = ["crosstalk", *(f"crosstalk {name}" for name in COMMANDS),
         *(f"crosstalk lab {name}" for name in ("up", "latency", "down", "status", "counters", "exec", "mpiexec")),
         *(f"crosstalk campaign {name}" for name in ("plan", "run", "status", "script", "cores")),
         "impactb", "compressionb", "logpb", "scanb", "workload"]
faults = []


def ten_programs(folder):
    """A campaign of ten programs, each beside each, and what the driver leaves in its folder; None: h5py is not here."""
    try:
        import h5py
    except ImportError:
        return None
    from campaign_example import many_programs
    names = [f"program-{i}" for i in range(10)]
    many_programs(folder, names)
    with open(f"{folder}/campaign.yaml", "w", encoding="utf-8") as file:
        file.write("campaign: ten\nseed: 1\nlauncher: {kind: lab, hosts: 8, rate: 50mbit}\ngrid: paper\ntrace: true\napplications:\n" +
                   "".join(f"  - {{name: {name}, command: 'workload fft'}}\n" for name in names))
    with open(f"{folder}/journal.jsonl", "w", encoding="utf-8") as file:
        file.write('{"seed": 1}\n')
    return h5py and folder


def run(line, folder=SOURCE):
    words = shlex.split(line)
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run([os.path.join(BIN, words[0]), *words[1:]], capture_output=True, text=True, timeout=60, check=False,
                          cwd=folder, env=environment)


def check(line, is_screen, folder=SOURCE):
    """The lines of what a command prints; those that are too long or too many are faults."""
    done = run(line, folder)
    if done.returncode != 0:
        faults.append(f"{line}: exit code {done.returncode}: {done.stderr.strip()}")
        return []
    lines = done.stdout.splitlines()
    for text in lines:
        if len(text) > COLUMNS:
            faults.append(f"{line}: {len(text)} columns: {text}")
    if is_screen and len(lines) > LINES:
        faults.append(f"{line}: {len(lines)} lines")
    return lines


def check_answer(words):
    line = f"crosstalk {words}"
    lines = check(line, True)
    if lines and not re.search(r"[a-z].*\.$", lines[-1]):
        faults.append(f"{line}: does not end in a sentence: {lines[-1]}")
    if any(re.search(r"[0-9]e-(0[5-9]|[1-9][0-9])", text) for text in lines if "%" in text):
        faults.append(f"{line}: a number that is 0 within rounding: {lines}")


def check_quiet(words):
    quiet = run(f"crosstalk {words} -q").stdout.splitlines()
    if any(text.startswith("#") or re.match(r"\d+ more .*--all", text) for text in quiet) or not quiet:
        faults.append(f"crosstalk {words} -q: has a header or notes, or nothing: {quiet[:3]}")


def check_all(answers):
    for name in HELPS:
        brief = check(f"{name} -h", True)
        after = "\n".join(brief).partition("Examples:\n")[2].partition("\n\n")[0]
        if len(re.findall(r"^  \S", after, re.MULTILINE)) != 3:
            faults.append(f"{name} -h: not three examples: {after}")
        if any(re.search(r"^ .*[a-z,;:]\.\.\.$", text) for text in brief) and len(brief) < LINES:
            faults.append(f"{name} -h: a text is cut, and {LINES - len(brief)} lines are left")
        lines = check(f"{name} --help", False)
        if "Examples:" not in lines[:60]:
            faults.append(f"{name} --help: the examples are not first")
    for words in answers:
        check_answer(words)
    first = {words.split()[0]: words for words in reversed(answers)}
    for words in first.values():
        check_quiet(words)


def check_narrow():
    """A terminal of 80 columns, but for the one word that is longer."""
    helps = [f"{name} {option}" for name in HELPS for option in ("-h", "--help") if name != "crosstalk advise"]
    for words in (*helps, f"crosstalk predict {CODES8} {FEW}"):
        program, *options = words.split()
        done = subprocess.run([os.path.join(BIN, program), *options], capture_output=True, text=True, timeout=60, check=True,
                              cwd=SOURCE, env={**os.environ, "COLUMNS": "80"})
        if max(map(len, done.stdout.splitlines())) > 80:
            faults.append(f"{words}: wider than 80 columns: {done.stdout}")


def check_examples(folder):
    """The examples of commands that only read, with these files under the names that they have there."""
    names = {"traces": f"{LAB8}/traces/fft", **{f"run-{i}": f"{LAB8}/traces/fft" for i in (1, 2, 3)}, "logp.h5": f"{LAB8}/logp.h5", "results": LAB8, "stencil.goal": HALO,
             "campaign.yaml": f"{LAB8}/campaign.yaml"}
    for name, path in names.items():
        (shutil.copytree if os.path.isdir(os.path.join(SOURCE, path)) else shutil.copy)(os.path.join(SOURCE, path), os.path.join(folder, name))
    n = 0
    for name in HELPS:
        if name.split()[-1] not in ("tolerance", "simulate", "show", "goal", "utilization", "topology", "plan"):
            continue # the others measure, search, or write into folders
        lines = re.sub(r" \\\n +", " ", run(f"{name} --help").stdout).splitlines()
        for line in (line.strip() for line in lines if re.match(r"  crosstalk .*[a-z]", line)):
            words = line.split()
            values = [words[i + 1] for i, word in enumerate(words[:-1]) if word in ("--plot", "-o", "--write-lp", "--timeline")]
            inputs = [word for word in words if re.search(r"\.(h5|goal|yaml|txt|csv|json|bin|conf|xml)$", word) and word not in values]
            inputs += [word for word in words if word in ("traces", "results")]
            if inputs and set(inputs) <= set(names) and not re.search(r"[|>;]| --format | --all|traces/|--app ", line):
                n += 1
                check(line, True, folder)
    return n


def main(folder):
    ten = os.path.join(folder, "ten")
    os.mkdir(ten)
    has_ten = ten_programs(ten)
    answers = [words.replace("TEN", ten) for words in ANSWERS if has_ten or "TEN" not in words]
    check_all(answers)
    check_narrow()
    n = check_examples(folder)
    if faults:
        sys.exit("\n".join(faults))
    print(f"{2 * len(HELPS)} texts of help, {len(answers)} answers and {n} examples fit a screen")


with tempfile.TemporaryDirectory() as home:
    os.environ["XDG_CACHE_HOME"] = home
    main(home)
