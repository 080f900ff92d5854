/* Write example runs of every kind and a packed campaign into a folder, for programs that read run
 * files without this library:  run_for_h5py FOLDER [ROWS] */
#include "core/units.h"
#include "results/run.h"
#include "tests/unit/run_example.h"

#include <stdio.h>

static int fail(const struct ct_error *err)
{
    fprintf(stderr, "run_for_h5py: %s\n", err->text);
    return 1;
}

int main(int argc, char **argv)
{
    static const enum ct_run_kind kinds[] = {CT_RUN_IMPACT, CT_RUN_COMPRESSION, CT_RUN_RUNTIME,
                                             CT_RUN_LOGP};
    struct ct_error err;
    uint64_t n = 5;
    char path[4096];
    if (argc < 2 || (argc > 2 && ct_parse_u64(argv[2], &n, NULL) != CT_OK)) {
        fputs("usage: run_for_h5py FOLDER [ROWS]\n", stderr);
        return 2;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct ct_run run = example_run(kinds[k], n);
        snprintf(path, sizeof path, "%s/%s.h5", argv[1], ct_run_kind_text(kinds[k]));
        enum ct_status status = ct_run_write(path, &run, &err);
        ct_run_free(&run);
        if (status != CT_OK)
            return fail(&err);
    }
    struct ct_run_list list;
    if (ct_run_list_read(argv[1], &list, &err) != CT_OK)
        return fail(&err);
    snprintf(path, sizeof path, "%s/campaign.h5", argv[1]);
    enum ct_status status = ct_run_pack_thinned(&list, path, SIZE_MAX, &err);
    ct_run_list_free(&list);
    return status == CT_OK ? 0 : fail(&err);
}
