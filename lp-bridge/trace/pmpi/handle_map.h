/* Former names of core/map.h. */
#ifndef CT_LP_BRIDGE_TRACE_PMPI_HANDLE_MAP_H
#define CT_LP_BRIDGE_TRACE_PMPI_HANDLE_MAP_H

#include "core/map.h"

#define ct_handle_map ct_map
#define ct_handle_map_find ct_map_find
#define ct_handle_map_add ct_map_add
#define ct_handle_map_remove ct_map_remove
#define ct_handle_map_free ct_map_free

#endif
