/* What the simulator loads: the rest is in crosstalk-simgrid. */
#include "bench/simgrid/simgrid_ranks.h"

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return ct_simgrid_rank();
}
