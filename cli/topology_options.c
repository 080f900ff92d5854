#include "cli/topology_options.h"

#include <stdbool.h>
#include <unistd.h>

enum ct_status ct_topology_options_refuse(const char *options, const char *text,
                                          struct ct_error *err)
{
    bool is_there = access(text, F_OK) == 0;
    return ct_fail(err, CT_EUSAGE, "%s: '%s' is %s", options, text,
                   is_there ? "a file, which has its own"
                            : "no kind of network to generate, and no file that is there");
}
