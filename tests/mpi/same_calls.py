#!/usr/bin/env python3
"""same_calls.py CROSSTALK PASSES {ORIGINAL REPLAY}...: replays make the calls of their originals, one by one.

Compares what `crosstalk trace --dump` prints of each pair of folders, without times, for each rank: the last PASSES
passes in the trace of the replay are the original's calls. Prints a line for each replay. Numbers of communicators and requests count from
the pass's own first one. Requests that one call completes are compared as a set: MPICH has one handle for all sends
that are complete at once, so that the trace cannot tell these apart. A receive from any source counts as one from where it got its message. Left out:
calls whose communication is not traced, tests that found nothing (a matter of time), and stages: a replay begins all at once. Traces of liballprof have
no sizes of messages at receives: sizes there are left out if ORIGINAL has such.

A replay has one window for all of the program's, and fetches an element where the program locks.

Each thread of a rank makes the calls of one of the original's threads; numbers of threads are those of their first calls, a
matter of time. What had ended in the original when a call began has ended in the replay, too.
"""
import os
import re
import subprocess
import sys

FRAME_COMM = "2"  # the replay's own, the first that it makes


class Call:
    """One line: the event, its thread, its index among those of the rank, and how many had ended when it began."""

    def __init__(self, line, index):
        found = re.match(r"(.*?) thread (\d+) after (\d+)( at .*)?$", line)
        self.text, self.index = found[1] if found else line, index
        self.thread, self.after = (int(found[2]), int(found[3])) if found else (0, index)


def calls_of(crosstalk, folder):
    """By rank, all that is in the traces."""
    run = subprocess.run([crosstalk, "trace", "--dump", folder], check=True, capture_output=True, text=True, timeout=60)
    ranks = {}
    for line in run.stdout.splitlines():
        calls = ranks.setdefault(int(line.split(" ", 1)[0]), [])
        calls.append(Call(line.split(" us ", 1)[1], len(calls)))
    return ranks


def own_comms(calls):
    """Of the replay, which it makes before the passes: for its frame, and of its window."""
    windows = {found[1] for found in (re.match(r"access .* comm (\d+)", call.text) for call in calls) if found}
    return windows | {FRAME_COMM}


def is_of(line, comms):
    found = re.search(r"comm (\d+)", line)
    return found and found[1] in comms and line.split()[0] not in ("access", "flush")


def without_own(calls):
    """Calls of the program: not those on the replay's communicators, nor the flush before its window is freed."""
    own, kept = own_comms(calls), []
    for call in filter(lambda call: is_call(call.text), calls):
        barrier = re.match(r"barrier (comm \d+)$", call.text)
        if barrier and kept and kept[-1].text == f"flush {barrier[1]}":
            kept.pop()
        kept.append(call)
    return [call for call in kept if not is_of(call.text, own)]


def is_allprof(folder):
    return any(name.endswith("-0.txt") for name in os.listdir(folder))


def without_received(line):
    return re.sub(r"(from \d+ tag \d+) \d+ B", r"\1", line)


def is_call(line):
    kind = line.split()[0]
    return kind not in ("begin", "end", "unmodelled", "stages:") and line != "test" and not re.match(r"comm comm [01]:", line)


def resolve(calls):
    """Receives that were posted for any source or tag: as what they got. No message: as posted."""
    posted = {}
    for call in calls:
        line = call.text
        begun = re.match(r"receive from -?\d+ tag -?\d+ \d+ B comm \d+ request (\d+)( start|$)", line)
        if begun:
            posted[begun[1]] = call
        if line.split()[0] in ("wait", "test"):
            for request, source, tag in re.findall(r"request (\d+)(?: from (\d+) tag (\d+))?", line):
                at = posted.pop(request, None)
                if at is not None and source:
                    at.text = re.sub(r"from -?\d+ tag -?\d+", f"from {source} tag {tag}", at.text)
    return calls


def canonical(calls):
    """By thread, texts and calls: communicators by their members and order, requests by when their thread began them."""
    comms, made, requests, n_requests, threads = {"0": "world", "1": "self"}, {}, {}, {}, {}
    for call in calls:
        line, thread = call.text, call.thread
        new = re.match(r"comm comm (\d+): \d+ (.*)$", line)
        if new:
            made[new[2]] = made.get(new[2], 0) + 1
            comms[new[1]] = f"<{new[2]}>{made[new[2]]}"
            threads.setdefault(thread, []).append((f"comm {comms[new[1]]}", call))
            continue
        if line.split()[0] in ("access", "flush"):
            line = re.sub(r" comm \d+", "", line)
            line = re.sub(r" 0 B 0 B (un)?lock", " 0 B 1 B fetch_and_op", line)
        line = re.sub(r"comm (\d+)", lambda m: f"comm {comms.get(m[1], '?')}", line)
        if line.split()[0] not in ("wait", "test", "cancel", "free"):
            begun = re.search(r"request (\d+)", line)
            if begun and " start " not in line:
                n_requests[thread] = n_requests.get(thread, 0) + 1
                requests[begun[1]] = (thread, n_requests[thread], line[:begun.start()])
        line = re.sub(r"request (\d+)", lambda m: f"request {name(requests.get(m[1]), thread)}", line)
        if line.split()[0] in ("wait", "test"):
            kind, *completions = re.split(r" (?=request )", line)
            line = " ".join([kind, *sorted(completions)])
        threads.setdefault(thread, []).append((line, call))
    return threads


def name(request, thread):
    """Of another thread's request: what that began."""
    if not request:
        return "?"
    return request[1] if request[0] == thread else f"of another thread: {request[2]}"


def difference(wanted, got, same):
    for i, (a, b) in enumerate(zip(wanted, got)):
        if same(a[0]) != same(b[0]):
            return f"call {i + 1}: '{b[0]}', not '{a[0]}'"
    return f"{len(got)} calls, not {len(wanted)}" if len(wanted) != len(got) else None


def pairs_of(wanted, got, same):
    """What differs or None, and for each thread of the original the one that makes its calls."""
    pairs, left = {}, dict(got)
    if len(wanted) != len(got):
        return f"{len(got)} threads, not {len(wanted)}", pairs
    for thread, calls in wanted.items():
        # The first one is the program's main thread in both.
        found = [other for other in left
                 if (thread == 0) == (other == 0) and not difference(calls, left[other], same)]
        if not found:
            other = thread if thread in left else next(iter(left))
            return f"thread {thread}, {difference(calls, left[other], same)}", pairs
        pairs[thread] = left.pop(found[0])
    return None, pairs


def out_of_order(wanted, pairs):
    """A call of the replay that began before another one had ended, and did not in the original; None if all are right."""
    for thread, calls in wanted.items():
        for other in wanted:
            n = 0
            for (text, call), (_, again) in zip(calls, pairs[thread]):
                while n < len(wanted[other]) and wanted[other][n][1].index < call.after:
                    n += 1
                if other != thread and n > 0 and pairs[other][n - 1][1].index >= again.after:
                    return f"thread {thread}: '{text}' begins before '{pairs[other][n - 1][0]}' of thread {other} has ended"
    return None


def compare(crosstalk, original, replay, passes):
    """What is wrong or None, and the number of calls."""
    originals, replays = calls_of(crosstalk, original), calls_of(crosstalk, replay)
    total, same = 0, without_received if os.path.isdir(original) and is_allprof(original) else str
    if sorted(originals) != sorted(replays):
        return f"{len(replays)} ranks, not {len(originals)}", total
    for rank, calls in originals.items():
        expected = resolve([call for call in calls if is_call(call.text)])
        found = resolve(without_own(replays[rank]))
        if len(found) < passes * len(expected):
            return f"rank {rank}: {len(found)} calls, not {passes} times {len(expected)}", total
        wanted = canonical(expected)
        for number in range(passes):
            end = len(found) - number * len(expected)
            differs, pairs = pairs_of(wanted, canonical(found[end - len(expected):end]), same)
            differs = differs or out_of_order(wanted, pairs)
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
