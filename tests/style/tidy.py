#!/usr/bin/env python3
"""clang-tidy (.clang-tidy) over the C files of every room.

    tidy.py             within a time: the analyzer (clang-analyzer-*, nearly all of the time) on as many
                        files as CROSSTALK_TIDY_S seconds allow, and all other checks on every file
    tidy.py --all       every check on every file
    tidy.py --changed   every check on files that differ from the commit before, at most CHANGED_MAX: more are for --all
    tidy.py FILE...     every check on these

The analyzer takes a file of each room, whatever the time, then a second of each, and so on. Which come
first is drawn from the commit, so that successive commits analyze different files; those that the commit
changed lead their room. What the analyzer found clean is remembered in the build folder, with a hash of what
the preprocessor makes of the file, and is not analyzed again.
"""
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
SOURCE, BUILD = os.environ["CROSSTALK_SOURCE"], os.environ["CROSSTALK_BUILD"]
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from skip import skip_for_tool  # noqa: E402

BOUND_S = float(os.environ.get("CROSSTALK_TIDY_S", "45"))
MEMORY = os.path.join(BUILD, "tidy")
BATCH = 16
CHANGED_MAX = 12


def run(command, folder=SOURCE):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)


def tool(name):
    """Of version 14: other versions find other things."""
    for path in filter(None, (shutil.which(f"{name}-14"), shutil.which(name))):
        if re.search(r"version 14\.", run([path, "--version"]).stdout):
            return path
    skip_for_tool(f"{name} 14 is not installed (package {name})")


def c_files():
    """All of the source tree, but for build folders and what is hidden."""
    for folder, below, names in os.walk(SOURCE):
        below[:] = [name for name in below if not name.startswith(".") and
                    not os.path.exists(os.path.join(folder, name, "CMakeCache.txt"))]
        for name in names:
            if name.endswith(".c"):
                yield os.path.relpath(os.path.join(folder, name), SOURCE)


def flags_of(paths):
    """What the preprocessor and the parser are told for each. A file that this build leaves out is told what a
    neighbour is; the example of the library has none, and finds its header; those for SimGrid find its MPI."""
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    by_file, by_room = {}, {}
    for entry in entries:
        path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), SOURCE)
        words = shlex.split(entry["command"])
        flags = list(itertools.dropwhile(lambda word: not word.startswith("-"), words))
        flags = [word for word in flags[:flags.index("-o")] if word != "-Werror"] + ["-UNDEBUG"]
        by_file.setdefault(path, flags)
        by_room.setdefault(os.path.dirname(path), flags)
    example = by_room.get("cli", []) + ["-I" + os.path.join(SOURCE, "libcrosstalk")]
    simulated = by_room.get("cli", []) + ["-isystem", "/usr/include/smpi"]
    by_room |= {"bench/simgrid": simulated, "trace/pmpi": simulated}
    return {path: by_file.get(path) or by_room.get(os.path.dirname(path)) or example for path in paths}


def in_order(paths):
    """Those of all rooms in turn."""
    commit = run(["git", "rev-parse", "HEAD"]).stdout.strip()
    changed = set(run(["git", "diff", "--name-only", "HEAD^"]).stdout.split())
    rooms = {}
    for path in sorted(paths, key=lambda path: (path not in changed, hashlib.sha256(f"{commit} {path}".encode()).digest())):
        rooms.setdefault(os.path.dirname(path), []).append(path)
    rounds = itertools.zip_longest(*rooms.values())
    return len(rooms), [path for files in rounds for path in files if path]


class Examiner:
    """clang-tidy with the flags of each file, and what it has found clean."""

    def __init__(self, flags):
        self.tidy, self.clang = tool("clang-tidy"), tool("clang")
        self.settings = "".join(file.read_text() for file in sorted(pathlib.Path(SOURCE).glob("**/.clang-tidy")))
        self.flags, self.remembered = flags, set()
        os.makedirs(MEMORY, exist_ok=True)

    def count_bad(self, paths, *more):
        """Files of some with the same flags in which something is found, or at least one for their headers."""
        done = run([self.tidy, "--quiet", f"--header-filter=^{re.escape(SOURCE)}/", *more,
                    *(os.path.join(SOURCE, path) for path in paths), "--", *self.flags[paths[0]]], BUILD)
        if done.returncode != 0:
            print(f"{', '.join(paths)}:\n{done.stdout or done.stderr}", flush=True)
        found = {os.path.relpath(path, SOURCE) for path in re.findall(r"^(/.*?):\d+:\d+: error:", done.stdout, re.MULTILINE)}
        return max(1, len(found.intersection(paths))) if done.returncode != 0 else 0

    def key(self, path):
        """Of all that the checks can depend on."""
        text = run([self.clang, *self.flags[path], "-E", "-C", "-w", os.path.join(SOURCE, path)], BUILD).stdout
        return hashlib.sha256("\n".join([self.settings, *self.flags[path], text]).encode()).hexdigest()

    def analyze(self, path, until_s=float("inf")):
        """Every check. Whether the file is clean; None: there was no time."""
        if time.monotonic() > until_s:
            return None
        memory = os.path.join(MEMORY, path.replace("/", "+"))
        key = self.key(path)
        if os.path.exists(memory):
            with open(memory, encoding="utf-8") as file:
                if file.read() == key:
                    self.remembered.add(path)
                    return True
        clean = self.count_bad([path]) == 0
        if clean:
            with open(memory, "w", encoding="utf-8") as file:
                file.write(key)
        return clean

    def look(self, paths):
        """Every check but the analyzer, which alone wants a process for each file."""
        return self.count_bad(paths, "--checks=-clang-analyzer-*")

    def batches(self, paths):
        """Files with the same flags, some at a time: a third of the time of a file is that of a process."""
        by_flags = {}
        for path in paths:
            by_flags.setdefault(tuple(self.flags[path]), []).append(path)
        return [same[i:i + BATCH] for same in by_flags.values() for i in range(0, len(same), BATCH)]


def print_rooms(paths, analyzed):
    rooms = sorted({os.path.dirname(path) for path in paths})
    for room in rooms:
        here = [path for path in paths if os.path.dirname(path) == room]
        print(f"{sum(path in analyzed for path in here):4} of {len(here):3}  {room}")


def main():
    only = [os.path.relpath(path, SOURCE) for path in sys.argv[1:] if not path.startswith("--")]
    paths = only or list(c_files())
    assert paths, f"no C file in {SOURCE}"
    if "--changed" in sys.argv:
        changed = set(run(["git", "diff", "--name-only", "HEAD^"]).stdout.split())
        paths = sorted(changed.intersection(paths))
        print(f"{len(paths)} C files differ from the commit before, {min(len(paths), CHANGED_MAX)} are examined")
        paths = paths[:CHANGED_MAX]
        if not paths:
            return
    n_rooms, paths = in_order(paths)
    examiner, begin_s = Examiner(flags_of(paths)), time.monotonic()
    until_s = begin_s + BOUND_S if len(sys.argv) == 1 else float("inf")
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        limits = [float("inf") if i < n_rooms else until_s for i in range(len(paths))]
        analyzed = {path: clean for path, clean in zip(paths, pool.map(examiner.analyze, paths, limits))
                    if clean is not None}
        analysis_s = time.monotonic() - begin_s
        rest = [path for path in paths if path not in analyzed]
        n_bad = sum(pool.map(examiner.look, examiner.batches(rest))) + list(analyzed.values()).count(False)
    print_rooms(paths, analyzed)
    print(f"{len(analyzed)} of {len(paths)} files analyzed ({len(examiner.remembered)} remembered) in {analysis_s:.0f} s, "
          f"the other checks on all in {time.monotonic() - begin_s:.0f} s: {n_bad} with findings")
    sys.exit(n_bad > 0)


main()
