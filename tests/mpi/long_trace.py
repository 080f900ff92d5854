#!/usr/bin/env python3
"""long_trace.py FOLDER RANKS ROUNDS: traces of a ring, of 4 events a round: receive from any source, send, two
waits; every tenth round an allreduce."""
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from trace_bytes import fold, varint  # noqa: E402


def event(kind, *numbers):
    return bytes([kind]) + varint(0) + varint(100) + b"".join(varint(n) for n in numbers)


# Numbers of kinds: trace/format.h.
BEGIN, END, COMM, SEND, RECEIVE, WAIT, ALLREDUCE = 1, 2, 3, 4, 5, 8, 15


def main():
    folder, ranks, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder)
    for rank in range(ranks):
        after, before = (rank + 1) % ranks, (rank + ranks - 1) % ranks
        world = event(COMM, 0, ranks + 1, 0, *range(ranks))
        alone = event(COMM, 1, 2, int(ranks == 1), rank)
        receive = event(RECEIVE, 0, 1, fold(-1), fold(7), 64)
        send = event(SEND, 0, 2, 0, fold(after), fold(7), 64)
        got = event(WAIT, 4, 1 << 1 | 1, fold(before), fold(7), 64)
        gone = event(WAIT, 1, 2 << 1)
        ten = 10 * (receive + send + got + gone) + event(ALLREDUCE, 0, 0, 8)
        with open(f"{folder}/rank-{rank:06d}.trace", "wb") as out:
            out.write(b"CTTRACE\0" + struct.pack("<IIIIQQ", 1, rank, ranks, 0, 1000, 0).ljust(56, b"\0"))
            out.write(world + alone + event(BEGIN) + ten * (rounds // 10) + event(END))


main()
