/* What campaign files may say about a lab, also where none can be built. */
#include "lab/lab.h"

const char *const ct_lab_queue_names[] = {
    [CT_LAB_ROUND_ROBIN] = "round-robin", [CT_LAB_FIFO] = "fifo", NULL};
