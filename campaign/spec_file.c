#include "campaign/spec_file.h"

#include "campaign/folder_name.h"
#include "campaign/journal.h"
#include "core/foreign.h"
#include "core/units.h"
#include "study/placements.h"
#include "study/scan_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_unplaced_runs(const char *folder)
{
    char runs[PATH_MAX];
    struct ct_argv names;
    if (ct_folder_name(folder, "runs", "", "", runs, NULL) != CT_OK ||
        ct_placements_read(runs, &names, NULL) != CT_OK)
        return false;
    bool found = names.n > 0 && !*names.item[0]; /* in alphabetical order */
    ct_argv_free(&names);
    return found;
}

static bool is_begun_without_choices(const char *folder)
{
    struct ct_history history = {0};
    bool found = ct_history_read(folder, &history, NULL) == CT_OK && !history.has_choices;
    ct_history_free(&history);
    return found;
}

/* A folder is no campaign file, but often has one. */
static enum ct_status refuse_folder(const char *path, struct ct_error *err)
{
    struct stat about;
    char inside[PATH_MAX];
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return CT_OK;
    if (ct_folder_name(path, "campaign.yaml", "", "", inside, NULL) == CT_OK &&
        access(inside, F_OK) == 0)
        return ct_fail(err, CT_EINVAL, "%s: a folder; did you mean its campaign file, %s?", path,
                       inside);
    return ct_fail(err, CT_EINVAL, "%s: a folder; give a campaign file", path);
}

/* ---- configurations of a scan ---- */

static void print_loads(FILE *out, const struct ct_config *configs, size_t n)
{
    fprintf(out, "\nconfigurations: # the known loads of the scan\n");
    for (size_t i = 0; i < n; i++) {
        char pause[CT_UNITS_TEXT_MAX], size[CT_UNITS_TEXT_MAX];
        ct_format_duration(configs[i].bubble_s, pause);
        ct_format_size(configs[i].message_bytes, size);
        fprintf(out, "  - {partners: %u, messages: %u, bubble: %s, message_size: %s, slots: %u}\n",
                configs[i].partners, configs[i].messages, pause, size, configs[i].slots);
    }
}

/* @param file  [in,out] gets them at its end */
static enum ct_status append_loads(const char *scan, struct ct_text *file, struct ct_error *err)
{
    struct ct_config *configs;
    size_t n;
    struct ct_text longer = {0};
    CT_TRY(ct_scan_loads_read(scan, &configs, &n, err));
    FILE *out = open_memstream(&longer.text, &longer.size);
    if (out) {
        fwrite(file->text, 1, file->size, out);
        print_loads(out, configs, n);
    }
    free(configs);
    if (!out || fclose(out) != 0) {
        free(longer.text);
        return ct_no_memory(err, "%s", scan);
    }
    free(file->text);
    *file = longer;
    return CT_OK;
}

static enum ct_status add_loads(const char *path, struct ct_text *file,
                                struct ct_campaign_spec *spec_p, struct ct_error *err)
{
    struct ct_error why = {0};
    enum ct_status status = append_loads(spec_p->scan, file, &why);
    ct_campaign_spec_free(spec_p);
    if (status != CT_OK)
        return ct_fail(err, status, "%s: scan: %s", path, why.text);
    status = ct_campaign_spec_parse(file->text, file->size, path, spec_p, err);
    return status == CT_EFORMAT
               ? ct_fail(err, status,
                         "%s: scan: configurations cannot be added at the end of the file, which "
                         "must be lines 'key: value' that are not indented, without '{' around "
                         "them, '...' at the end or an empty 'configurations'",
                         path)
               : status;
}

enum ct_status ct_campaign_spec_read(const char *path, const char *folder, struct ct_text *file_p,
                                     struct ct_campaign_spec *spec_p, struct ct_error *err)
{
    struct ct_text file;
    CT_TRY(refuse_folder(path, err));
    CT_TRY(ct_file_read(path, &file, err));
    enum ct_status status = ct_campaign_spec_parse(file.text, file.size, path, spec_p, err);
    if (status == CT_OK && *spec_p->scan && spec_p->n_configs == 0)
        status = add_loads(path, &file, spec_p, err);
    if (status == CT_OK && folder && spec_p->is_placement_chosen && spec_p->n_placements > 0 &&
        has_unplaced_runs(folder)) {
        ct_campaign_spec_free(spec_p);
        status = ct_campaign_spec_parse_begun(file.text, file.size, path, true, spec_p, err);
    }
    if (status == CT_OK && folder && is_begun_without_choices(folder)) {
        spec_p->has_fixed_phases = true;
        if (spec_p->is_logp_chosen)
            spec_p->logp = CT_CAMPAIGN_LOGP_NONE;
    }
    if (status == CT_OK) {
        *file_p = file;
        return CT_OK;
    }
    if (status != CT_ENOMEM && ct_foreign_explain(path, file.text, file.size, CT_READS_YAML, err))
        status = CT_EFORMAT;
    free(file.text);
    return status;
}
