/* What the simulator loads: the rest is in crosstalk-simgrid. */
#include "bench/simgrid/simgrid_ranks.h"

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return ct_simgrid_rank();
}

/* By this name, if a library is given as the platform file. */
void load_platform(const void *engine) __attribute__((visibility("default")));

void load_platform(const void *engine)
{
    (void)engine;
    ct_simgrid_network();
}
