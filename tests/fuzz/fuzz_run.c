/* Run files: any bytes are read or refused, and what is read keeps the rules of a run. */
#include "results/dataset.h"
#include "results/run.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* HDF5 itself leaks on some damaged files. The name is the leak checker's. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

static void check_run(const char *path)
{
    struct ct_run run;
    struct ct_error err;
    if (ct_run_read(path, &run, &err) != CT_OK)
        return;
    if (!run.info.tool || !run.info.hosts ||
        ct_run_check(&run, run.info.kind, run.n_pairs, NULL) != CT_OK)
        abort();
    ct_run_free(&run);
}

static void check_list(const char *path)
{
    struct ct_run_list list;
    struct ct_error err;
    if (ct_run_list_read(path, &list, &err) != CT_OK)
        return;
    if (list.n_entries == 0)
        abort();
    for (size_t i = 0; i < list.n_entries; i++)
        if (!list.entries[i].path || !list.entries[i].info.tool)
            abort();
    ct_run_list_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("run", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    /* Another process reads it, too: of the name of a process, not "self". */
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
    check_run(path);
    check_list(path);
    close(fd);
    return 0;
}
