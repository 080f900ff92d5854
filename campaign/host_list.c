#include "campaign/host_list.h"

#include <stdio.h>
#include <stdlib.h>

char *ct_host_list(const struct ct_launcher *launcher, const uint32_t *hosts, size_t n,
                   const char *separator, const char *after)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        char name[CT_HOST_MAX];
        launcher->row->host_name(launcher, hosts[i], name);
        fprintf(out, "%s%s%s", i ? separator : "", name, after);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
