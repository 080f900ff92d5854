#!/usr/bin/env python3
"""same_calls.py CROSSTALK PASSES {ORIGINAL REPLAY}...: replays make the calls of their originals, one by one.

Compares what `crosstalk trace --dump` prints of each pair of folders, without times, for each rank: the last PASSES
passes in the trace of the replay are the original's calls. Prints a line for each replay. Numbers of communicators and requests count from
the pass's own first one. Requests that one call completes are compared as a set: MPICH has one handle for all sends
that are complete at once, so that the trace cannot tell these apart. A receive from any source counts as one from where it got its message. Left out:
calls whose communication is not traced, and tests that found nothing (a matter of time). Traces of liballprof have
no sizes of messages at receives: sizes there are left out if ORIGINAL has such.
"""
import os
import re
import subprocess
import sys

FRAME_COMM = "2"  # the replay's own, the first that it makes


def calls_of(crosstalk, folder):
    """By rank, all that is in the traces."""
    run = subprocess.run([crosstalk, "trace", "--dump", folder], check=True, capture_output=True, text=True, timeout=60)
    ranks = {}
    for line in run.stdout.splitlines():
        ranks.setdefault(int(line.split(" ", 1)[0]), []).append(line.split(" us ", 1)[1])
    return ranks


def is_allprof(folder):
    return any(name.endswith("-0.txt") for name in os.listdir(folder))


def without_received(line):
    return re.sub(r"(from \d+ tag \d+) \d+ B", r"\1", line)


def is_call(line):
    kind = line.split()[0]
    return kind not in ("begin", "end", "unmodelled") and line != "test" and not re.match(r"comm comm [01]:", line)


def resolve(calls):
    """Receives that were posted for any source or tag: as what they got. No message: as posted."""
    posted = {}
    for i, line in enumerate(calls):
        begun = re.match(r"receive from -?\d+ tag -?\d+ \d+ B comm \d+ request (\d+)( start|$)", line)
        if begun:
            posted[begun[1]] = i
        if line.split()[0] in ("wait", "test"):
            for request, source, tag in re.findall(r"request (\d+)(?: from (\d+) tag (\d+))?", line):
                at = posted.pop(request, None)
                if at is not None and source:
                    calls[at] = re.sub(r"from -?\d+ tag -?\d+", f"from {source} tag {tag}", calls[at])
    return calls


def canonical(calls):
    """Communicators by their members and order, requests by when they began."""
    comms, made, requests, n_requests, out = {"0": "world", "1": "self"}, {}, {}, 0, []
    for line in calls:
        new = re.match(r"comm comm (\d+): \d+ (.*)$", line)
        if new:
            made[new[2]] = made.get(new[2], 0) + 1
            comms[new[1]] = f"<{new[2]}>{made[new[2]]}"
            out.append(f"comm {comms[new[1]]}")
            continue
        line = re.sub(r"comm (\d+)", lambda m: f"comm {comms.get(m[1], '?')}", line)
        if line.split()[0] not in ("wait", "test", "cancel", "free"):
            begun = re.search(r"request (\d+)", line)
            if begun and " start " not in line:
                n_requests += 1
                requests[begun[1]] = n_requests
        line = re.sub(r"request (\d+)", lambda m: f"request {requests.get(m[1], '?')}", line)
        if line.split()[0] in ("wait", "test"):
            kind, *completions = re.split(r" (?=request )", line)
            line = " ".join([kind, *sorted(completions)])
        out.append(line)
    return out


def difference(wanted, got, same):
    for i, (a, b) in enumerate(zip(wanted, got)):
        if same(a) != same(b):
            return f"call {i + 1}: '{b}', not '{a}'"
    return None


def compare(crosstalk, original, replay, passes):
    """What is wrong or None, and the number of calls."""
    originals, replays = calls_of(crosstalk, original), calls_of(crosstalk, replay)
    total, same = 0, without_received if os.path.isdir(original) and is_allprof(original) else str
    if sorted(originals) != sorted(replays):
        return f"{len(replays)} ranks, not {len(originals)}", total
    for rank, lines in originals.items():
        expected = resolve([line for line in lines if is_call(line)])
        found = resolve([line for line in replays[rank]
                         if is_call(line) and not re.search(rf"comm {FRAME_COMM}\b", line)])
        if len(found) < passes * len(expected):
            return f"rank {rank}: {len(found)} calls, not {passes} times {len(expected)}", total
        wanted = canonical(expected)
        for number in range(passes):
            end = len(found) - number * len(expected)
            differs = difference(wanted, canonical(found[end - len(expected):end]), same)
            if differs:
                return f"rank {rank}, pass {passes - number}, {differs}", total
        total += len(expected)
    return None if total > 0 else "no calls", total


def main():
    crosstalk, passes, folders, good = sys.argv[1], int(sys.argv[2]), sys.argv[3:], True
    for original, replay in zip(folders[::2], folders[1::2]):
        wrong, total = compare(crosstalk, original, replay, passes)
        print(f"{replay}: {wrong or f'{total} calls, {passes} times each'}")
        good = good and not wrong
    sys.exit(not good)


main()
