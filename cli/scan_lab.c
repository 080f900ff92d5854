#include "cli/scan_launcher.h"
#include "lab/lab.h"

enum ct_status ct_scan_lab_spec(const char *name, struct ct_lab_spec *spec, struct ct_error *err)
{
    struct ct_lab *lab;
    enum ct_status status = ct_lab_open(name, &lab, err);
    if (status != CT_OK)
        return status;
    *spec = ct_lab_spec_of(lab);
    ct_lab_close(lab);
    return CT_OK;
}
