/* In place of cmd_lab.c and scan_lab.c where the lab is left out. */
#include "cli/cli.h"
#include "cli/scan_launcher.h"

static enum ct_status fail_without(struct ct_error *err)
{
    return ct_fail(
        err, CT_EUNSUPPORTED,
        "crosstalk was built without the lab: configure with -DCROSSTALK_LAB=ON, on Linux");
}

int ct_cmd_lab(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct ct_error err;
    fail_without(&err);
    return ct_print_failure("crosstalk lab", &err);
}

enum ct_status ct_scan_lab_spec(const char *name, struct ct_lab_spec *spec, struct ct_error *err)
{
    (void)name;
    (void)spec;
    return fail_without(err);
}
