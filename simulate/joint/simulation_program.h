/*
 * A program of a simulation, and where it is.
 */
#pragma once

#include "results/fingerprint.h"
#include "simulate/engine.h"

struct ct_simulation_program {
    struct ct_engine_program *packets;
    struct ct_simulate_place place;
    uint64_t schedule[2]; /* fingerprint */
    uint32_t n_nodes;     /* above the number of each node that it has ranks on */
};

/**
 * @param goal       [in]  may be freed afterwards
 * @param place      [in]  its nodes are borrowed while the program is used
 * @param program_p  [out] ct_simulation_program_free(); unchanged on error
 * @return CT_OK; as ct_engine_program_new()
 */
enum ct_status ct_simulation_program_new(const struct ct_goal *goal,
                                         const struct ct_simulate_place *place,
                                         struct ct_simulation_program **program_p,
                                         struct ct_error *err);
void ct_simulation_program_free(struct ct_simulation_program *program);

/* Add all that it consists of. */
void ct_simulation_program_add(const struct ct_simulation_program *program,
                               struct ct_fingerprint *fingerprint);
