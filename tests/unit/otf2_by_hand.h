/* An archive of a small program, written by the functions of the OTF2 library in the manner of
 * Score-P. */
#pragma once

#include <stdbool.h>

enum { OTF2_BY_HAND_RANKS = 2 };

/* What archives of the tests differ in. */
struct otf2_by_hand {
    bool without_mpi;
    bool with_thread;
    bool with_offset; /* rank 1's clock is 100 ticks behind */
    bool with_drift;  /* and, at the end, 300 ticks */
    bool with_foreign_comm;
    bool with_gaps; /* calls whose communication is not, or not whole, in the records, and no end */
    unsigned next_thread; /* not 0: at the end of MPI_Init, crosstalk's attribute that this thread
                             goes on */
    bool with_clock_back; /* offsets of rank 1's clock that take more than its time passes */
};

/* DIRECTORY/traces.otf2; the calls that an archive without anything special holds are in
 * write_rank(). Fails the test on an error. */
void otf2_write_by_hand(const char *directory, const struct otf2_by_hand *sort);
