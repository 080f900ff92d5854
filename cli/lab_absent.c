/* In place of cmd_lab.c where the lab is left out. */
#include "cli/cli.h"

int ct_cmd_lab(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct ct_error err;
    ct_fail(&err, CT_EUNSUPPORTED,
            "crosstalk was built without the lab: configure with -DCROSSTALK_LAB=ON, on Linux");
    return ct_print_failure("crosstalk lab", &err);
}
