"""traced_checks.py RESULTS LOGP.h5: what the commands say of the traces of fft and milc in a lab of 2 hosts and
50 Mbit/s. How well run times are predicted is for bench-trace-runtime to show; here, each answer is compared
with what follows from the traces, from the lab's rate, and from another command. All of that holds however
busy the machine is."""
import json
import re
import subprocess
import sys

results, logp = sys.argv[1:]
RANKS, NS_PER_BYTE = 2, 160  # 50 Mbit/s
failures = 0


def run(*words):
    done = subprocess.run(["crosstalk", *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def answer(*words):
    return json.loads(run(words[0], "--format", "json", *words[1:]))


def check(what, holds, *seen):
    global failures
    failures += not holds
    print("ok:" if holds else "FAILED:", what, *([] if holds else seen))


def near(a, b, relative):
    return abs(a - b) <= relative * abs(b)


def between_calls_s(traces):
    """Of all ranks, by the times in the trace alone."""
    sum_s = 0
    for rank in range(RANKS):
        ended_s = None
        for line in run("trace", "--dump", "--rank", str(rank), traces).splitlines():
            start_s, call_us = map(float, re.match(r"\d+ (\S+) s (\S+) us ", line).groups())
            sum_s += 0 if ended_s is None else start_s - ended_s
            ended_s = start_s + call_us * 1e-6
    return sum_s


def runtime_at(traces, latency_s):
    return answer("tolerance", traces, "--serialize-nic", "--logp", logp, "--L", f"{latency_s:.15e}s")["runtime_s"]


def check_beside(runtime_s, latency_s):
    """The run time of fft beside others, by the latency that these add to a probe."""
    said = answer("tolerance", f"{results}/traces/fft", "--serialize-nic", "--logp", logp, "--campaign", results,
                  "--app", "fft")
    check("fft beside each of both", [row["with"] for row in said["beside"]] == ["fft", "milc"], said["beside"])
    for row in said["beside"]:
        at_s = runtime_at(f"{results}/traces/fft", max(0, latency_s + row["delta_L_s"]))
        check(f"fft beside {row['with']}: its run time is that at the latency there",
              near(row["runtime_s"], at_s, 1e-6) and near(1 + row["slowdown"], at_s / runtime_s, 1e-6), row, at_s)
    added_s = {row["with"]: row["delta_L_s"] for row in said["beside"]}
    check("blocks of fft hold a probe up longer than messages of milc", added_s["fft"] > added_s["milc"], added_s)


def check_program(name, exchanged_bytes):
    traces = f"{results}/traces/{name}"
    said = answer("tolerance", traces, "--serialize-nic", "--logp", logp)
    runtime_s, used = said["runtime_s"], said["parameters"]
    compute_s = answer("goal", traces)["compute_s"]
    check(f"{name}: computes between calls", near(compute_s, between_calls_s(traces), 0.02), compute_s)
    wire_s = said["lambda_G"] * used["G"]["value"] + said["lambda_L"] * used["L"]["value"]
    overhead_s = sum(max(row[side] for row in said["overheads"]) for side in ("send_s", "recv_s"))
    most_s = wire_s + compute_s + answer("goal", traces)["messages"] * 3 * overhead_s
    check(f"{name}: the run time is its transfers and the computation of one rank at least, of both at most",
          wire_s + 0.98 * compute_s / RANKS < runtime_s < most_s, wire_s, compute_s, runtime_s, most_s)
    if exchanged_bytes:
        check(f"{name}: what each rank sends the other is on the path",
              exchanged_bytes <= said["lambda_G"] < 1.01 * exchanged_bytes, said["lambda_G"], exchanged_bytes)
    for row in said["tolerance"][::2]:
        at_s = runtime_at(traces, row["L_s"])
        check(f"{name}: at the latency that it tolerates it takes {row['threshold']} longer",
              near(at_s, runtime_s * (1 + row["threshold"]), 1e-6), at_s, runtime_s)
    return runtime_s, used


def main():
    fft = f"{results}/traces/fft"
    called = answer("trace", "--check", fft)
    sent, = [call["bytes"] for call in called["calls"] if call["kind"] == "alltoallv"]
    # Half of the blocks of an exchange between two ranks stay where they are.
    own = sum(int(words[-2 + rank]) for rank in range(RANKS)
              for words in (line.replace(":", " ").split() for line in
                            run("trace", "--dump", "--rank", str(rank), fft).splitlines())
              if "alltoallv" in words)
    runtime_s, used = check_program("fft", (sent - own) // RANKS)
    alone_s = {"fft": runtime_s, "milc": check_program("milc", 0)[0]}
    check("a byte takes as long as at the lab's rate, or a little longer",
          0.9 * NS_PER_BYTE < used["G"]["value"] * 1e9 < 2 * NS_PER_BYTE, used["G"])
    # Medians of a busy machine: only that it is the latency of this network, which has switches of software.
    check("a message takes as long as through a bridge", 1e-7 < used["L"]["value"] < 2e-3, used["L"])
    measured_s = called["time_s"]
    check("the run time is that of the program", 0.4 < runtime_s / measured_s < 1.6, runtime_s, measured_s)

    traces = fft, f"{results}/traces/milc"
    together = answer("simulate", *traces, "--logp", logp)["programs"]
    for program, name in zip(together, ("fft", "milc")):
        check(f"{name}: simulated alone it takes as long as by the exact envelope, or longer by what it waits for itself",
              0.99 < program["alone_s"] / alone_s[name] < 1.2, program, alone_s)
        check(f"{name}: is not faster together", program["slowdown"] > -1e-9, program)
        check(f"{name}: its slowdown is of its times",
              near(program["runtime_s"], program["alone_s"] * (1 + program["slowdown"]), 1e-9), program)
    check("milc waits for blocks of fft", together[1]["runtime_s"] - together[1]["alone_s"] > 1e-3, together)

    models = "lp", "packets"
    pairs = answer("predict", results, "--models", ",".join(models))["pairs"]
    check("every model answers for every pair",
          all(pair["predicted"][model] is not None for pair in pairs for model in models) and len(pairs) == 4, pairs)
    check_beside(runtime_s, used["L"]["value"])
    print(f"{failures} failures")
    sys.exit(failures > 0)


main()
