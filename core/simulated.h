/**
 * Programs that run inside a simulator: all ranks are in one process, a rank runs until it waits,
 * and time passes only while all ranks wait. The build preset simgrid compiles the same sources for
 * that; core/parts.h has CT_SIMULATED, which is then 1. What differs:
 * - clocks are those of the simulation, by the macros of smpi/smpi_helpers.h in every source;
 * - waiting, and what else must be asked of the simulator, is in core/simulated.c;
 * - a few places ask for CT_SIMULATED: they would poll, or limit real time.
 */
#pragma once

#include <stdbool.h>

/** What crosstalk-simgrid knows of the calling rank. */
struct ct_simulated_rank {
    void *world;   /**< MPI_Comm: the communicator of all ranks of the rank's program */
    bool is_first; /**< rank 0 of it */
    bool is_over;  /**< the program is to end, as if a signal had come */
};

/**
 * Of crosstalk-simgrid, which programs find when they are loaded by it. Programs that smpirun loads
 * do not: the address of this function is then NULL.
 */
struct ct_simulated_rank ct_simulated_self(void) __attribute__((weak, visibility("default")));

/**
 * Simulations only: the same, wherever the program was loaded.
 * @return with smpirun: world is NULL, and is_over false
 */
struct ct_simulated_rank ct_simulated_look(void);

/**
 * Of crosstalk-simgrid, as ct_simulated_self(): the calling rank begins, or ends, what its program
 * measures of the network. Counters of links then leave out how programs start, and how they end.
 */
void ct_simulated_measure(bool begins) __attribute__((weak, visibility("default")));

/** Simulations only: the same; with smpirun nothing happens. */
void ct_simulated_mark(bool begins);
