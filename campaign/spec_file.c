#include "campaign/spec_file.h"

#include "core/foreign.h"

#include <stdlib.h>

enum ct_status ct_campaign_spec_read(const char *path, struct ct_text *file_p,
                                     struct ct_campaign_spec *spec_p, struct ct_error *err)
{
    struct ct_text file;
    enum ct_status status = ct_file_read(path, &file, err);
    if (status != CT_OK)
        return status;
    status = ct_campaign_spec_parse(file.text, file.size, path, spec_p, err);
    if (status == CT_OK) {
        *file_p = file;
        return CT_OK;
    }
    if (status != CT_ENOMEM && ct_foreign_explain(path, file.text, file.size, CT_READS_YAML, err))
        status = CT_EFORMAT;
    free(file.text);
    return status;
}
