/* Host files: any text is read or refused, and each host that it names is there once. */
#include "core/host_file.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool has_host(const struct ct_argv *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (ct_host_is_same(names->item[i], name))
            return true;
    return false;
}

static void check_hosts(const struct ct_argv *all, struct ct_argv *united)
{
    if (all->n == 0 || !ct_host_unite(united) || united->n == 0 || united->n > all->n)
        abort();
    for (size_t i = 0; i < all->n; i++)
        if (all->item[i][0] == '\0' || (all->n < 1000 && !has_host(united, all->item[i])))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int file = memfd_create("hosts", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct ct_argv all = {0}, united = {0};
    struct ct_error err;
    if (ct_host_file_read(path, &all, &err) == CT_OK &&
        ct_host_file_read(path, &united, &err) == CT_OK)
        check_hosts(&all, &united);
    ct_argv_free(&all);
    ct_argv_free(&united);
    close(file);
    return 0;
}
