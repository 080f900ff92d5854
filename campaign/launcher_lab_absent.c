/* In place of launcher_lab.c where the lab is left out. */
#include "campaign/launcher.h"

static enum ct_status refuse_lab(struct ct_launcher *launcher, struct ct_error *err)
{
    (void)launcher;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "launcher: kind: lab: crosstalk was built without the lab: configure with "
                   "-DCROSSTALK_LAB=ON on Linux, or use kind mpiexec or slurm");
}

const struct ct_launcher_row ct_launcher_lab = {.open = refuse_lab};
