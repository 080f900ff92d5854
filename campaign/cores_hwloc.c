#include "campaign/cores.h"

#include <hwloc.h>
#include <stdlib.h>

/* Some virtual machines show hardware threads, and no cores. */
static hwloc_obj_type_t find_type(hwloc_topology_t topology)
{
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/* Those that this process may use. hwloc leaves out what a cgroup takes away, and nothing that an
   affinity mask does: of taskset, or of a resource manager without cgroups. */
static enum ct_status take_cores(hwloc_topology_t topology, hwloc_bitmap_t usable,
                                 struct ct_cores *cores_p, struct ct_error *err)
{
    hwloc_obj_type_t type = find_type(topology);
    int n = hwloc_get_nbobjs_by_type(topology, type);
    if (n <= 0)
        return ct_fail(err, CT_EUNSUPPORTED, "cores: hwloc finds none on this machine");
    struct ct_cores cores = {.cpu = calloc((size_t)n, sizeof *cores.cpu)};
    if (!cores.cpu)
        return ct_no_memory(err, "cores");
    for (int i = 0; i < n; i++) {
        hwloc_obj_t core = hwloc_get_obj_by_type(topology, type, (unsigned)i);
        int first = hwloc_bitmap_first(core->cpuset);
        while (first >= 0 && !hwloc_bitmap_isset(usable, (unsigned)first))
            first = hwloc_bitmap_next(core->cpuset, first);
        if (first >= 0)
            cores.cpu[cores.n++] = (unsigned)first;
    }
    if (cores.n == 0) {
        ct_cores_free(&cores);
        return ct_fail(err, CT_EUNSUPPORTED, "cores: hwloc finds none that this process may use");
    }
    *cores_p = cores;
    return CT_OK;
}

static enum ct_status read_usable(hwloc_topology_t topology, struct ct_cores *cores_p,
                                  struct ct_error *err)
{
    hwloc_bitmap_t usable = hwloc_bitmap_alloc();
    if (!usable)
        return ct_no_memory(err, "cores: hwloc");
    if (hwloc_get_cpubind(topology, usable, HWLOC_CPUBIND_THREAD) != 0)
        hwloc_bitmap_fill(usable); /* not known: as if there were no mask */
    enum ct_status status = take_cores(topology, usable, cores_p, err);
    hwloc_bitmap_free(usable);
    return status;
}

enum ct_status ct_cores_read(struct ct_cores *cores_p, struct ct_error *err)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return ct_no_memory(err, "cores: hwloc");
    enum ct_status status;
    if (hwloc_topology_load(topology) == 0)
        status = read_usable(topology, cores_p, err);
    else
        status = ct_fail(err, CT_EUNSUPPORTED, "cores: hwloc cannot read this machine's topology");
    hwloc_topology_destroy(topology);
    return status;
}
