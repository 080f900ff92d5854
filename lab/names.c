/* What has a name in every lab, also where none can be built. */
#include "lab/lab.h"

#include <stdio.h>

const char *const ct_lab_queue_names[] = {
    [CT_LAB_ROUND_ROBIN] = "round-robin", [CT_LAB_FIFO] = "fifo", NULL};

const char *const ct_lab_delay_names[] = {[CT_LAB_DELAY_NONE] = "none",
                                          [CT_LAB_DELAY_LINE] = "delay line",
                                          [CT_LAB_DELAY_NETEM] = "netem",
                                          NULL};

void ct_lab_host_name(unsigned host, char text[16])
{
    snprintf(text, 16, "h%u", host + 1);
}

void ct_lab_host_address(unsigned host, char text[16])
{
    snprintf(text, 16, "10.77.0.%u", (host + 1) & 0xff);
}

void ct_lab_management_address(unsigned host, char text[16])
{
    snprintf(text, 16, "10.78.0.%u", (host + 1) & 0xff);
}
