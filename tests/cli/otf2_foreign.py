#!/usr/bin/env python3
"""Archives as several writers make them: what they do not have is named, and what does not matter is no reason to refuse
them."""
import json
import os
import shutil
import subprocess
import tempfile

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
WRITER = os.path.join(os.environ["CROSSTALK_BUILD"], "tests", "otf2_archive")
MODEL = ("--L", "1us", "--o", "0ns", "--G", "0ns")
SCORE_P = "creator Score-P 8.4\n"


def run(*words, code=0):
    done = subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


def make(name, script):
    with open(f"{name}.txt", "w", encoding="ascii") as file:
        file.write(script)
    subprocess.run([WRITER, f"{name}.txt", name], timeout=60, check=True)
    return f"{name}/traces.otf2"


def call(rank, start, end, name, *records):
    """A region with records in its middle; times in microseconds."""
    lines = [f"{rank} {start}000 enter {name}"]
    lines += [f"{rank} {start}000 {record}" for record in records]
    return "\n".join(lines + [f"{rank} {end}000 leave {name}", ""])


def program(n_ranks, *calls, head=SCORE_P, end=9000, begin=True, finalize=True):
    """Calls between the begin at 0 and the end of each rank."""
    text = f"{head}ranks {n_ranks}\nregion MPI_Finalize\n"
    for rank in range(n_ranks):
        text += call(rank, 0, 1, "MPI_Init") if begin else ""
    text += "".join(calls)
    for rank in range(n_ranks):
        text += call(rank, end, end + 1, "MPI_Finalize") if finalize else ""
    return text


def at(rank, time, record):
    return f"{rank} {time}000 {record}\n"


def message(start, n_bytes=1000, comm=0, tag=5):
    """From rank 0 to rank 1."""
    return (call(0, start, start + 1, "MPI_Send", f"send 1 {tag} {n_bytes} {comm}")
            + call(1, start, start + 2, "MPI_Recv", f"recv 0 {tag} {n_bytes} {comm}"))


def goal(archive, *warnings, messages, n_bytes, compute_us):
    """The schedule, with these warnings and no others."""
    done = run("goal", archive, "--format", "json")
    found = json.loads(done.stdout)
    assert (found["messages"], found["message_bytes"]) == (messages, n_bytes), found
    assert abs(found["compute_s"] - 1e-6 * compute_us) < 1e-9, (found["compute_s"], compute_us)
    check_warnings(done.stderr, archive, warnings)


def check_warnings(said, archive, warnings):
    lines = said.splitlines()
    assert len(lines) == len(warnings), (lines, warnings)
    for line, warning in zip(sorted(lines), sorted(warnings)):
        assert f"warning: {archive}: {warning}" in line, (line, warning)


def refused(archive, *words, code=1):
    for command in (("goal",), ("tolerance", *MODEL)):
        said = run(command[0], archive, *command[1:], code=code).stderr
        for word in words:
            assert word in said, (word, said)


def runtime_s(archive):
    said = run("tolerance", archive, *MODEL, "--format", "json").stdout
    return json.loads(said)["runtime_s"]


# ---- what is missing without records ----

def check_calls_without_records():
    waits, messages = "its messages are missing, and that ranks wait for it", "its messages are missing"
    lost = {"MPI_Iallreduce": waits, "MPI_Ibcast_c": waits, "mpi_ireduce_scatter_block_": waits,
            "MPI_Barrier": "its messages are missing, and that ranks wait for each other in it",
            "MPI_Alltoallw_init": "the collective calls that it prepares are missing",
            "MPI_Start": "what it started is missing: a collective, a partitioned message, or one of MPI_PROC_NULL",
            "MPI_Isendrecv_replace": messages, "MPI_Psend_init": messages, "MPI_Pready_range": messages,
            "MPI_Sendrecv": f"{messages}, unless they were of MPI_PROC_NULL",
            "MPI_Recv()": f"{messages}, unless they were of MPI_PROC_NULL"}
    calls = [call(rank, time + 10 * n, time + 10 * n + 1, name) for rank, time in ((0, 1000), (0, 2000), (1, 1000))
             for n, name in enumerate(lost)]
    archive = make("by-name", program(2, *calls, message(3000)))
    for command, what in ((("trace", "--check"), "modelled"), (("goal",), "in the schedule"), (("tolerance", *MODEL), "in the schedule")):
        said = run(command[0], *command[1:], archive).stderr
        check_warnings(said, archive, [f"{name} is not {what} (calls: 3): {text}" for name, text in lost.items()])
        assert all(f": {text}\n" in said for text in lost.values()), said
    calls = [call(0, 1000 + 10 * n, 1001 + 10 * n, name) for n, name in enumerate(
        ("MPI_Comm_rank", "MPI_Type_commit", "MPI_Get_count", "MPI_Iprobe", "MPI_Testall", "MPI_Comm_free",
         "MPI_Parrived", "MPI_Group_incl", "MPI_Send_init", "MPI_Reduce_local", "MPI_Wtime", "MPI_Initialized"))]
    archive = make("local", program(2, *calls, message(3000)))
    check_warnings(run("goal", archive).stderr, archive, [])


# ---- what was not recorded ----

def check_parts_without_recording():
    off = (at(0, 1003, "off"), at(1, 1004, "off"), at(0, 5003, "on"), at(1, 5003, "on"))
    part = "a part that was not recorded is not in the schedule (number: 2, 7.999ms together): its calls are missing"
    archive = make("off", program(2, message(1000), *off, message(6003)))
    goal(archive, part, messages=2, n_bytes=2000, compute_us=2 * 8999 - 3 - 3 - 7999)
    assert abs(runtime_s(archive) - (0.008999 - 2e-6 - 0.004)) < 1e-8, runtime_s(archive)  # without the part
    said = run("trace", "--check", archive).stderr
    assert "off/traces.otf2: a part that was not recorded is not modelled (number: 2, 7.999ms together)" in said, said
    # Of one rank only: its message has no counterpart.
    archive = make("one", program(2, message(1000), at(1, 1004, "off"),
                                  call(0, 2000, 2001, "MPI_Send", "send 1 6 77 0"), at(1, 5003, "on"), message(6003)))
    refused(archive, "never received", "the recording of rank 1 was off in between")
    archive = make("one-size", program(2, message(1000), at(1, 1004, "off"),
                                       call(0, 2000, 2001, "MPI_Send", "send 1 5 7777 0"), at(1, 5003, "on"), message(6003)))
    refused(archive, "the recording of rank 1 was off in between")
    archive = make("one-barrier", program(2, at(1, 1004, "off"), call(0, 2000, 2001, "MPI_Barrier", "collective barrier 0 -1 0 0"),
                                          at(1, 5003, "on"), message(6003)))
    refused(archive, "the recording of rank 1 was off in between")
    # Requests that begin or end meanwhile.
    archive = make("requests", program(
        2, call(0, 1000, 1001, "MPI_Isend", "isend 1 3 50 0 7"), *off, call(0, 5010, 5011, "MPI_Wait", "isend-complete 9"),
        call(1, 5010, 5011, "MPI_Wait", "irecv 0 4 60 0 9"), call(1, 5020, 5021, "MPI_Recv", "recv 0 3 50 0"),
        call(0, 5030, 5031, "MPI_Isend", "isend 1 8 50 0 7"), call(0, 5040, 5041, "MPI_Wait", "isend-complete 7"),
        call(1, 5050, 5051, "MPI_Recv", "recv 0 8 50 0")))
    said = run("goal", archive).stderr
    assert "a request that began while nothing was recorded is not in the schedule (number: 2)" in said, said
    # Within a call, whose end comes later or not at all.
    for end in ("", at(1, 5004, "leave MPI_Recv")):
        archive = make(f"within{len(end)}", program(2, call(0, 1000, 1001, "MPI_Send", "send 1 5 1000 0"), at(1, 1000, "enter MPI_Recv"),
                                                    at(1, 1001, "recv 0 5 1000 0"), at(1, 1004, "off"), at(1, 5003, "on"), end,
                                                    message(6003)))
        goal(archive, "a part that was not recorded is not in the schedule (number: 1, 3.999ms)", messages=2, n_bytes=2000,
             compute_us=2 * 8999 - 2 - 4 - 2 - 3999)


def check_ends_without_recording():
    rest = "the rest of the program is not in the schedule (number: 2): a rank ends where its recording was turned off"
    archive = make("ends", program(2, message(1000), at(0, 2001, "off"), at(1, 2002, "off"), finalize=False))
    goal(archive, rest, messages=1, n_bytes=1000, compute_us=2000 + 2001 - 3)
    assert abs(runtime_s(archive) - 0.002) < 3e-6, runtime_s(archive)
    said = run("trace", "--check", archive)
    assert "the rest of the program is not modelled (number: 2)" in said.stderr and "aborted" not in said.stderr, said.stderr
    assert json.loads(run("trace", "--check", "--format", "json", archive).stdout)["cut_ranks"] == 0
    # What has no counterpart before the end is left out.
    archive = make("ends-early", program(2, message(1000), call(0, 1500, 1501, "MPI_Send", "send 1 5 30 0"), at(0, 2001, "off"),
                                         at(1, 1400, "off"), finalize=False))
    assert json.loads(run("goal", archive, "--format", "json").stdout)["messages"] == 1
    # A writer that never leaves MPI_Finalize, and a program that was aborted.
    archive = make("open", program(2, message(1000), at(0, 2000, "enter MPI_Finalize"), at(1, 2000, "enter MPI_Finalize"),
                                   finalize=False))
    goal(archive, messages=1, n_bytes=1000, compute_us=2 * 1999 - 3)
    archive = make("aborted", program(2, message(1000), finalize=False))
    assert "2 of 2 traces end before MPI_Finalize" in run("trace", "--check", archive).stderr


def check_flushes():
    flush = "writing of the tracer's buffer is not in the schedule (number: 1, {}): its time is not counted as compute"
    archive = make("flush", program(2, message(1000), at(0, 2000, "flush 5002000000"), message(5003000), end=5004000))
    goal(archive, flush.format("5s"), messages=2, n_bytes=2000, compute_us=2 * 5003999 - 6 - 5000000)
    # In a call it takes the call's time; it ends at the next record at the latest.
    archive = make("flushes", program(2, message(1000), at(0, 2000, "flush 999999999999"), message(3000),
                                      at(1, 4000, "enter MPI_Test"), at(1, 4001, "flush 4500000"), at(1, 5000, "leave MPI_Test")))
    goal(archive, flush.format("1ms"), messages=2, n_bytes=2000, compute_us=2 * 8999 - 6 - 1000 - 1000)
    # As the library writes it, with the time of the record that found the buffer full.
    archive = make("flush-leave", program(2, message(1000), at(0, 2000, "enter MPI_Test"), at(0, 2001, "flush 2500000"),
                                          at(0, 2001, "leave MPI_Test"), at(1, 3000, "flush 4000000"),
                                          at(1, 3000, "enter MPI_Test"), at(1, 4001, "leave MPI_Test")))
    goal(archive, flush.format("499us"), messages=1, n_bytes=1000, compute_us=2 * 8999 - 3 - 1 - 499 - 1001)


# ---- records of other writers ----

def check_sizes():
    def allreduce(rank, time, n_bytes):
        return call(rank, time, time + 1, "MPI_Allreduce", f"collective allreduce 0 -1 {n_bytes} {n_bytes}")
    calls = [allreduce(rank, time, 8) for rank in range(2) for time in (1000, 2000)]
    calls += [call(rank, 3000, 3001, "MPI_Barrier", "collective barrier 0 -1 0 0") for rank in range(2)]
    unknown = ("what the sizes of a collective count is not in the schedule (number: 4): they are read as sums over its "
               "ranks, which Score-P writes; who wrote this archive is not known")
    for n, (head, warnings) in enumerate(((SCORE_P, []), ("creator crosstalk 1\n", []), ("creator TAU\n", [unknown]), ("", [unknown]))):
        archive = make(f"sizes{n}", program(2, *calls, head=head))
        check_warnings(run("goal", archive).stderr, archive, warnings)


def check_proc_null():
    for peer in (2**32 - 1, 2**32 - 2):  # of MPICH, of Open MPI
        archive = make(f"null{peer}", program(
            2, call(0, 1000, 1001, "MPI_Send", f"send {peer} 5 30 0"), call(0, 1010, 1011, "MPI_Recv", f"recv {peer} 5 30 0"),
            call(0, 1020, 1021, "MPI_Isend", f"isend {peer} 5 30 0 7"), call(0, 1030, 1031, "MPI_Irecv", "irecv-request 8"),
            call(0, 1040, 1041, "MPI_Waitall", "isend-complete 7", f"irecv {peer} 5 30 0 8"),
            call(0, 1050, 1051, "MPI_Isend", "isend 1 6 40 0 7"), call(0, 1060, 1061, "MPI_Wait", "isend-complete 7"),
            call(1, 1070, 1080, "MPI_Recv", "recv 0 6 40 0")))
        goal(archive, messages=1, n_bytes=40, compute_us=2 * 8999 - 17)


def check_receives_that_are_longer():
    archive = make("longer", program(
        2, call(0, 1000, 1001, "MPI_Send", "send 1 5 1000 0"), call(1, 1000, 1001, "MPI_Irecv", "irecv-request 7"),
        call(1, 1010, 1020, "MPI_Wait", "irecv 0 5 4000 0 7"), call(0, 2000, 2001, "MPI_Send", "send 1 5 30 0"),
        call(1, 2000, 2010, "MPI_Recv", "recv 0 5 100 0"), head=""))
    goal(archive, "2 receives are longer than their messages: the size of the message is used", messages=2, n_bytes=1030,
         compute_us=2 * 8999 - 23)
    archive = make("shorter", program(2, call(0, 1000, 1001, "MPI_Send", "send 1 5 1000 0"),
                                      call(1, 1000, 1001, "MPI_Recv", "recv 0 5 999 0")))
    refused(archive, "meets the receive of rank 1", "got 999 B")


def check_requests_without_completions():
    calls = [call(0, time, time + 1, "MPI_Isend", "isend 1 5 10 0 7") + call(0, time + 5, time + 6, "MPI_Wait")
             + call(1, time, time + 1, "MPI_Recv", "recv 0 5 10 0") for time in (1000, 2000)]
    refused(make("incomplete", program(2, *calls)), "request 7 begins twice: the archive has no records of what completes requests")


def check_intercommunicators():
    head = SCORE_P
    comms = "comm 1 0 1\ncomm 2 2 3\nintercomm 3\n"
    archive = make("inter", program(4, comms, call(0, 1000, 1001, "MPI_Send", "send 0 5 1000 3"), head=head))
    refused(archive, "rank 0, event 4: communicator 3 is an intercommunicator: messages", "not read")
    archive = make("inter-unused", program(4, comms, message(1000, comm=1), head=head))
    goal(archive, messages=1, n_bytes=1000, compute_us=4 * 8999 - 3)


def check_without_mpi():
    script = "creator APEX version 1.2\nranks 3\nwithout-comms\n" + "".join(call(rank, 10, 20, "solve") for rank in range(3))
    refused(make("without-mpi", script), "not of a program with MPI: neither a call nor a communicator of MPI is defined")
    archive = make("cut", program(2, message(1000)))
    os.truncate("cut/traces/1.evt", os.path.getsize("cut/traces/1.evt") // 2)
    refused(archive, "rank 1 (location 1, its file 1.evt)")


# ---- places, and what has always worked ----

def check_folders():
    archive = make("folder", program(2, message(1000)))
    for command in (("goal",), ("trace", "--check"), ("trace", "--dump"), ("tolerance", *MODEL),
                    ("export", "--format", "perfetto")):
        of_folder, of_file = ([word for line in run(command[0], *command[1:], path).stdout.splitlines()
                               if line[:1] != "#" and "process_name" not in line for word in line.split() if word != path]
                              for path in ("folder", archive))
        assert of_folder == of_file and len(of_file) > 0, (command, of_folder)
    shutil.copytree("folder", "two")
    shutil.copy("two/traces.otf2", "two/other.otf2")
    refused("two", "two: a folder with 2 archives: give one of other.otf2, traces.otf2", code=2)
    os.mkdir("empty")
    refused("empty", "no traces there")


def check_what_works():
    archive = make("one-group", program(4, message(1000), head=SCORE_P + "one-group\n"))
    goal(archive, messages=1, n_bytes=1000, compute_us=4 * 8999 - 3)
    os.rename("one-group/traces.otf2", "one-group/ring.otf2")
    os.rename("one-group/traces.def", "one-group/ring.def")
    os.rename("one-group/traces", "one-group/ring")
    goal("one-group/ring.otf2", messages=1, n_bytes=1000, compute_us=4 * 8999 - 3)
    archive = make("late", program(2, message(1000), head=SCORE_P + "clock 340000000000000\n"))
    goal(archive, messages=1, n_bytes=1000, compute_us=2 * 8999 - 3)
    # An archive made of an archive has the same parts.
    run("export", "off/traces.otf2", "--format", "otf2", "-o", "off-again")
    of_both = [run("goal", path, "-o", "-") for path in ("off/traces.otf2", "off-again")]
    assert of_both[0].stdout == of_both[1].stdout and len(of_both[0].stdout) > 100
    assert of_both[0].stderr.replace("off/traces.otf2", "off-again") == of_both[1].stderr, of_both[1].stderr


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    check_calls_without_records()
    check_parts_without_recording()
    check_ends_without_recording()
    check_flushes()
    check_sizes()
    check_proc_null()
    check_receives_that_are_longer()
    check_requests_without_completions()
    check_intercommunicators()
    check_without_mpi()
    check_folders()
    check_what_works()
print("archives of others hold")
