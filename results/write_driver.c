#include "results/write_driver.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* HDF5 casts between this and its first member. */
struct driver_file {
    H5FD_t base;
    struct ct_file *draft;
    haddr_t end_of_allocation, end_of_file;
};

/* As it is in the access properties, which HDF5 copies byte by byte. */
struct driver_info {
    struct ct_file *draft;
};

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t max_address)
{
    (void)name, (void)flags, (void)max_address;
    const struct driver_info *info = H5Pget_driver_info(access);
    struct driver_file *file = info ? calloc(1, sizeof *file) : NULL;
    if (!file)
        return NULL;
    file->draft = info->draft;
    return &file->base;
}

static herr_t driver_close(H5FD_t *base)
{
    free(base);
    return 0;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags)
{
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver_file *)base)->end_of_allocation;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((struct driver_file *)base)->end_of_allocation = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver_file *)base)->end_of_file;
}

/* What was never written reads as zeros. */
static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, void *buffer)
{
    (void)type, (void)transfer;
    const struct driver_file *file = (const struct driver_file *)base;
    size_t done = 0;
    for (ssize_t n = 1; n > 0 && done<size; done += n> 0 ? (size_t)n : 0)
        n = pread(file->draft->fd, (char *)buffer + done, size - done, (off_t)(address + done));
    memset((char *)buffer + done, 0, size - done);
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void *buffer)
{
    (void)type, (void)transfer;
    struct driver_file *file = (struct driver_file *)base;
    ct_file_write(file->draft, buffer, size, (off_t)address);
    if (address + size > file->end_of_file)
        file->end_of_file = address + size;
    return 0;
}

static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    struct driver_file *file = (struct driver_file *)base;
    if (file->end_of_file != file->end_of_allocation) {
        ct_file_truncate(file->draft, (off_t)file->end_of_allocation);
        file->end_of_file = file->end_of_allocation;
    }
    return 0;
}

static const H5FD_class_t driver_class = {.name = "crosstalk-write",
                                          .maxaddr = INT64_MAX,
                                          .fc_degree = H5F_CLOSE_STRONG,
                                          .fapl_size = sizeof(struct driver_info),
                                          .open = driver_open,
                                          .close = driver_close,
                                          .query = driver_query,
                                          .get_eoa = driver_get_eoa,
                                          .set_eoa = driver_set_eoa,
                                          .get_eof = driver_get_eof,
                                          .read = driver_read,
                                          .write = driver_write,
                                          .truncate = driver_truncate,
                                          .fl_map = H5FD_FLMAP_DICHOTOMY};

hid_t ct_write_driver_create(struct ct_file *draft, hid_t creation, hid_t access)
{
    hid_t file = H5I_INVALID_HID;
    struct driver_info info = {draft};
    hid_t driver = H5FDregister(&driver_class);
    if (driver >= 0 && H5Pset_driver(access, driver, &info) >= 0)
        file = H5Fcreate(draft->temporary, H5F_ACC_TRUNC, creation, access);
    /* The properties and the file hold references of their own. After a failure nothing may be
     * called that clears the error stack. */
    if (driver >= 0 && file >= 0)
        H5FDunregister(driver);
    return file;
}
