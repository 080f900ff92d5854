#!/usr/bin/env python3
"""same_calls.py CROSSTALK ORIGINAL REPLAY PASSES: a replay makes the calls of the original, one by one.

Compares what `crosstalk trace --dump` prints of two folders, without times, for each rank: the last PASSES
passes in the trace of the replay are the original's calls. Numbers of communicators and requests count from
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


def lines_of(crosstalk, folder, rank):
    run = subprocess.run([crosstalk, "trace", "--dump", "--rank", str(rank), folder], check=True,
                         capture_output=True, text=True, timeout=60)
    for line in run.stdout.splitlines():
        yield line.split(" us ", 1)[1]


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


def main():
    crosstalk, original, replay, passes = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    summary = subprocess.run([crosstalk, "trace", "--check", "--format", "csv", original], check=True,
                             capture_output=True, text=True, timeout=60).stdout
    ranks = int(re.search(r"^ranks,(\d+)$", summary, re.M)[1])
    total, same = 0, without_received if os.path.isdir(original) and is_allprof(original) else str
    for rank in range(ranks):
        expected = resolve([line for line in lines_of(crosstalk, original, rank) if is_call(line)])
        found = [line for line in lines_of(crosstalk, replay, rank)
                 if is_call(line) and not re.search(rf"comm {FRAME_COMM}\b", line)]
        found = resolve(found)
        if len(found) < passes * len(expected):
            sys.exit(f"rank {rank}: {len(found)} calls, not {passes} times {len(expected)}")
        wanted = canonical(expected)
        for number in range(passes):
            end = len(found) - number * len(expected)
            got = canonical(found[end - len(expected):end])
            for i, (a, b) in enumerate(zip(wanted, got)):
                if same(a) != same(b):
                    sys.exit(f"rank {rank}, pass {passes - number}, call {i + 1}: '{b}', not '{a}'")
        total += len(expected)
    if total == 0:
        sys.exit("no calls")
    print(f"{total} calls of {ranks} ranks, {passes} times each")


main()
