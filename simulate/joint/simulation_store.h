/**
 * Simulated slowdowns in a cache of the user (results/cache.h), so that each simulation is made
 * once.
 *
 * The key of an entry is a 128-bit hash of all inputs of its simulation, so one file serves all
 * campaigns. If it cannot be read or is damaged, the store is empty. If it cannot be written, the
 * next command simulates again. What others have written meanwhile is kept.
 */
#pragma once

#include "core/status.h"
#include "predict/response.h"
#include "simulate/network.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_simulation_store;

/** The store, with what its file has. @return ct_simulation_store_close(); NULL: out of memory */
struct ct_simulation_store *ct_simulation_store_open(void);

/** Write the file if entries were added, and free the store. NULL: nothing happens. */
void ct_simulation_store_close(struct ct_simulation_store *store);

/**
 * @param slowdown  [out] n; unchanged where there is no entry
 * @param n              [in]  programs of the simulation, 1 .. CT_SIMULATE_JOBS_MAX
 * @return whether there is an entry
 */
bool ct_simulation_store_find(const struct ct_simulation_store *store, const uint64_t key[2],
                              struct ct_joint_slowdown *slowdown, size_t n);

/** Add an entry that is not there. Where there is no memory nothing is added.
 * @param slowdown  [in] n; NaN: the simulation gave none */
void ct_simulation_store_add(struct ct_simulation_store *store, const uint64_t key[2],
                             const struct ct_joint_slowdown *slowdown, size_t n);

/**
 * The bytes of a file, checked.
 * @param store_p  [out] ct_simulation_store_close(), which writes nothing; unchanged on error
 * @return CT_OK; CT_ENOENT (by another build); CT_EFORMAT (damaged); CT_ENOMEM
 */
enum ct_status ct_simulation_store_decode(const unsigned char *bytes, size_t n,
                                          struct ct_simulation_store **store_p);
