#!/usr/bin/env python3
"""threads_trace.py FOLDER CASE: traces of two ranks. Rank 0 has two threads, one of which receives while the other
sends. Rank 1 receives first, and then sends.

CASE  whole: the calls of the threads overlap;  late: the send begins when the receive has ended, so that the program cannot
      end;  sizes: two threads send messages of different sizes at the same time
"""
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from trace_bytes import fold, varint  # noqa: E402

# Numbers of kinds: trace/format.h.
BEGIN, END, COMM, SEND, RECEIVE = 1, 2, 3, 4, 5
SYNCHRONOUS = 1


class Trace:
    """The file of one rank."""

    def __init__(self, rank):
        self.data = bytearray(b"CTTRACE\0" + struct.pack("<IIIIQQ", 4, rank, 2, 0, 1000, 0).ljust(56, b"\0"))
        self.n = 0
        self.add(COMM, 0, 3, 0, 0, 1)
        self.add(COMM, 1, 2, 0, rank)
        self.add(BEGIN)

    def add(self, kind, *numbers, thread=0, after=None):
        """An event that ends 1 us behind the one before, and takes no time, or as long as the others."""
        early = 0 if after is None else self.n - after
        self.data += bytes([kind]) + varint(fold(1000)) + varint(1000 * early) + varint(thread) + varint(early)
        self.data += b"".join(varint(n) for n in numbers)
        self.n += 1


def main():
    folder, case = sys.argv[1:]
    ranks = [Trace(0), Trace(1)]
    other = ranks[0].n
    if case == "sizes":
        for i in range(2):
            ranks[0].add(SEND, 0, 0, 0, fold(1), fold(2), 8 + i, thread=i, after=other)
            ranks[1].add(RECEIVE, 0, 0, fold(0), fold(2), 8 + i)
    else:
        ranks[0].add(RECEIVE, 0, 0, fold(1), fold(1), 8)
        ranks[0].add(SEND, 0, 0, SYNCHRONOUS, fold(1), fold(2), 8, thread=1, after=other + (case == "late"))
        ranks[1].add(RECEIVE, 0, 0, fold(0), fold(2), 8)
        ranks[1].add(SEND, 0, 0, 0, fold(0), fold(1), 8)
    os.makedirs(folder)
    for i, rank in enumerate(ranks):
        rank.add(END)
        with open(f"{folder}/rank-{i:06d}.trace", "wb") as out:
            out.write(rank.data)


main()
