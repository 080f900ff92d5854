/** The cores of a host, as numbers that programs can be bound to. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/** Some of the cores of a host: cpu[first] to cpu[first + n - 1]. */
struct ct_core_range {
    size_t first, n;
};

struct ct_cores {
    unsigned *cpu; /**< n; owned, ct_cores_free(): the system's number of the first hardware thread
                      of each core that may be used, neighbours in the machine next to each other */
    size_t n;
};

/**
 * Find the cores that programs may use on this machine, by hwloc: those that the calling process
 * may use, by its affinity mask as well as by cgroups.
 * @param cores_p  [out] ct_cores_free() is due; unchanged on error
 * @return CT_OK; CT_EUNSUPPORTED (hwloc finds none); CT_ENOMEM
 */
enum ct_status ct_cores_read(struct ct_cores *cores_p, struct ct_error *err);

/**
 * Text of a range of cores, as srun and mpiexec read it: "0,2,4".
 * @return owned by the caller; NULL: out of memory
 */
char *ct_cores_format(const struct ct_cores *cores, struct ct_core_range range);

/**
 * Read the output of ct_cores_format() from several hosts, one line each. Other lines, such as a
 * greeting, are ignored.
 * @param n_lists_p  [out] number of hosts
 * @param same_p     [out] whether all of them have the same cores
 * @param cores_p    [out] the cores of the host that has fewest; ct_cores_free() is due
 * @return CT_OK; CT_EFORMAT (no list in it); CT_ENOMEM
 */
enum ct_status ct_cores_parse(const char *text, size_t *n_lists_p, bool *same_p,
                              struct ct_cores *cores_p, struct ct_error *err);

/**
 * Replace this process by another program, bound to one core of a list: the first core for the
 * first rank on this host, and so on, by the number that the launcher gave this rank. If there are
 * more ranks than cores, further ranks begin at the first core again.
 * @param list  [in] as ct_cores_format() writes it
 * @param argv  [in] NULL-terminated; argv[0] is looked up in PATH
 * @return only on error: CT_EFORMAT (no list); CT_EUNSUPPORTED (no launcher, or no such core);
 *         CT_ENOENT, CT_EIO (the program cannot be run); CT_ENOMEM
 */
enum ct_status ct_cores_become(const char *list, char *const *argv, struct ct_error *err);

void ct_cores_free(struct ct_cores *cores);
