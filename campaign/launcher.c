#include "campaign/launcher.h"

#include <stdio.h>
#include <stdlib.h>

static const struct ct_launcher_row *const rows[] = {
#define LAUNCHER_ROW(name, text, row) [CT_LAUNCHER_##name] = &(row),
    CT_LAUNCHER_MAP(LAUNCHER_ROW)
#undef LAUNCHER_ROW
};

enum ct_status ct_launcher_open(const struct ct_campaign_spec *spec, const char *folder,
                                struct ct_log *log, struct ct_launcher *launcher_p,
                                struct ct_error *err)
{
    struct ct_launcher launcher = {
        .row = rows[spec->launcher.kind], .spec = spec, .folder = folder, .log = log};
    enum ct_status status = launcher.row->open(&launcher, err);
    if (status == CT_OK)
        *launcher_p = launcher;
    return status;
}

void ct_launcher_close(struct ct_launcher *launcher)
{
    if (launcher->row->close)
        launcher->row->close(launcher);
}

char *ct_launcher_list_hosts(const struct ct_launcher *launcher, const uint32_t *hosts, size_t n,
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
