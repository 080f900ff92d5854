#include "campaign/launcher.h"

static const struct ct_launcher_row *const rows[] = {
#define LAUNCHER_ROW(name, text, row) [CT_LAUNCHER_##name] = &(row),
    CT_LAUNCHER_MAP(LAUNCHER_ROW)
#undef LAUNCHER_ROW
};

const struct ct_launcher_row *ct_launcher_row(const struct ct_campaign_spec *spec)
{
    return rows[spec->launcher.kind];
}

enum ct_status ct_launcher_open(const struct ct_campaign_spec *spec, const char *folder,
                                struct ct_log *log, struct ct_launcher *launcher_p,
                                struct ct_error *err)
{
    struct ct_launcher launcher = {
        .row = ct_launcher_row(spec), .spec = spec, .folder = folder, .log = log};
    CT_TRY(launcher.row->open(&launcher, err));
    *launcher_p = launcher;
    return CT_OK;
}

void ct_launcher_close(struct ct_launcher *launcher)
{
    if (launcher->row->close)
        launcher->row->close(launcher);
}
