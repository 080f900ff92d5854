/**
 * Map from MPI handles to small numbers. A handle may have several numbers at the same time, since
 * an MPI library may give the same handle to all requests that are complete at once.
 */
#ifndef CT_LP_BRIDGE_TRACE_PMPI_HANDLE_MAP_H
#define CT_LP_BRIDGE_TRACE_PMPI_HANDLE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_handle_slot {
    uint64_t handle;
    uint32_t number; /**< 0: free */
};

/** Open addressing; {0} is an empty map. */
struct ct_handle_map {
    struct ct_handle_slot *slots;
    size_t room; /**< 0 or a power of 2 */
    size_t n;
};

/** Number of a handle, the latest if there are several; 0: none. */
uint32_t ct_handle_map_find(const struct ct_handle_map *map, uint64_t handle);
/**
 * Its numbers one by one, the latest first.
 * @param at_p  [in,out] 0 at first; valid as long as the map is not changed
 * @return 0: there are no more
 */
uint32_t ct_handle_map_next(const struct ct_handle_map *map, uint64_t handle, size_t *at_p);
/** @param number  >= 1  @return false: out of memory */
bool ct_handle_map_add(struct ct_handle_map *map, uint64_t handle, uint32_t number);
/** Remove a pair, if it exists. */
void ct_handle_map_remove(struct ct_handle_map *map, uint64_t handle, uint32_t number);
/** Copy all pairs; what was in `to` is gone. @return false: out of memory, and `to` is empty */
bool ct_handle_map_copy(const struct ct_handle_map *from, struct ct_handle_map *to);
void ct_handle_map_free(struct ct_handle_map *map);

#endif
