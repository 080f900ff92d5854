#include "simulate/observer.h"

#include <stddef.h>

const char *const ct_time_part_names[] = {"compute", "stack", "sync", "network", NULL};
