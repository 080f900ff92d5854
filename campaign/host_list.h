/** Names of hosts as a list. */
#pragma once

#include "campaign/launcher.h"

/**
 * List the names of hosts: "h1,h2".
 * @param separator  [in] between names: ","
 * @param after      [in] after each name: "" or, for example, ":2"
 * @return free(); NULL: out of memory
 */
char *ct_host_list(const struct ct_launcher *launcher, const uint32_t *hosts, size_t n,
                   const char *separator, const char *after);
