#include "topology/read.h"

#include "core/file.h"
#include "core/foreign.h"
#include "topology/readers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How the first line that says something begins, letters of any case. */
static const struct {
    const char *beginning;
    enum ct_status (*read)(const char *text, const char *source, struct ct_topology *topology_p,
                           struct ct_error *err);
} forms[] = {{"switchname", ct_topology_read_slurm},  {"blockname", ct_topology_read_slurm},
             {"vendid=", ct_topology_read_ibnet},     {"devid=", ct_topology_read_ibnet},
             {"sysimgguid=", ct_topology_read_ibnet}, {"switchguid=", ct_topology_read_ibnet},
             {"caguid=", ct_topology_read_ibnet},     {"switch\t", ct_topology_read_ibnet},
             {"switch ", ct_topology_read_ibnet},     {"non-chassis", ct_topology_read_ibnet},
             {"chassis ", ct_topology_read_ibnet},    {"ca\t", ct_topology_read_ibnet},
             {"ca ", ct_topology_read_ibnet}};

static const char *first_line(const char *text)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (*text != '#')
            return text;
        text += strcspn(text, "\n");
    }
}

enum ct_status ct_topology_parse(const char *text, size_t size, const char *source,
                                 struct ct_topology *topology_p, struct ct_error *err)
{
    if (memchr(text, '\0', size))
        return ct_fail(err, CT_EFORMAT, "%s: a NUL byte in it: no text", source);
    char *copy = strndup(text, size);
    if (!copy)
        return ct_fail(err, CT_ENOMEM, "topology: out of memory");
    const char *line = first_line(copy);
    enum ct_status status;
    size_t i = 0;
    while (i < sizeof forms / sizeof *forms &&
           strncasecmp(line, forms[i].beginning, strlen(forms[i].beginning)) != 0)
        i++;
    if (!*line)
        status = ct_fail(err, CT_EFORMAT, "%s: empty", source);
    else if (i < sizeof forms / sizeof *forms)
        status = forms[i].read(copy, source, topology_p, err);
    else
        status = ct_topology_read_yaml(copy, source, topology_p, err);
    free(copy);
    return status;
}

enum ct_status ct_topology_read(const char *path, struct ct_topology *topology_p,
                                struct ct_error *err)
{
    struct ct_text text;
    enum ct_status status = ct_file_read(path, &text, err);
    if (status != CT_OK)
        return status;
    status = ct_topology_parse(text.text, text.size, path, topology_p, err);
    if (status == CT_EFORMAT)
        ct_foreign_explain(path, text.text, text.size, CT_READS_TOPOLOGY, err);
    free(text.text);
    return status;
}

enum ct_status ct_topology_open(const char *text, const struct ct_topology_settings *settings,
                                struct ct_topology *topology_p, struct ct_error *err)
{
    if (ct_topology_is_spec(text))
        return ct_topology_make(text, settings, topology_p, err);
    return ct_topology_read(text, topology_p, err);
}
