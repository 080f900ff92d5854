#include "calibrate/runs/calibration_store.h"

#include "calibrate/runs/calibration_sources.h"
#include "core/hash.h"
#include "core/version.h"
#include "results/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[8] = "ctdesgn";

/* The bytes of an entry: key, values, check. */
struct header {
    char magic[8];
    uint64_t n_values;
    uint64_t build;
};

struct ct_calibration_store {
    int fd;
    char *name;
    size_t n_values;
    size_t n; /* entries that the file had */
    unsigned char *bytes;
    unsigned char *entry; /* to be written */
};

static size_t entry_bytes(size_t n_values)
{
    return (n_values + 3) * sizeof(uint64_t);
}

static struct header header_of(size_t n_values)
{
    static const char build[] = CT_VERSION CT_CALIBRATION_SOURCES;
    struct header header = {.n_values = n_values, .build = ct_hash_text(build, sizeof build)};
    memcpy(header.magic, magic, sizeof magic);
    return header;
}

static uint64_t check_of(const unsigned char *entry, size_t n_values)
{
    return ct_hash_text((const char *)entry, entry_bytes(n_values) - sizeof(uint64_t));
}

size_t ct_calibration_store_count(const unsigned char *bytes, size_t n, size_t n_values)
{
    const struct header header = header_of(n_values);
    size_t size = entry_bytes(n_values), count = 0;
    if (n < sizeof header || memcmp(bytes, &header, sizeof header) != 0)
        return 0;
    for (size_t at = sizeof header; n - at >= size; at += size, count++) {
        uint64_t check;
        memcpy(&check, bytes + at + size - sizeof check, sizeof check);
        if (check != check_of(bytes + at, n_values))
            break;
    }
    return count;
}

static enum ct_status fail_io(const struct ct_calibration_store *store, struct ct_error *err)
{
    return ct_fail(err, CT_EIO, "%s: %s", store->name, strerror(errno));
}

static bool write_all(int fd, const void *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t more = write(fd, (const char *)bytes + done, n - done);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return false;
        done += (size_t)more;
    }
    return true;
}

/* The file ends after its last intact entry; what is of another build is dropped. */
static enum ct_status prepare_store(struct ct_calibration_store *store, struct ct_error *err)
{
    const struct header header = header_of(store->n_values);
    size_t n = 0;
    store->bytes = ct_cache_read(store->name, &n);
    store->n = store->bytes ? ct_calibration_store_count(store->bytes, n, store->n_values) : 0;
    off_t length = (off_t)(sizeof header + store->n * entry_bytes(store->n_values));
    store->fd = open(store->name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (store->fd < 0)
        return fail_io(store, err);
    if (store->n > 0)
        return ftruncate(store->fd, length) == 0 ? CT_OK : fail_io(store, err);
    return ftruncate(store->fd, 0) == 0 && write_all(store->fd, &header, sizeof header)
               ? CT_OK
               : fail_io(store, err);
}

enum ct_status ct_calibration_store_open(const char *output, size_t n_values,
                                         struct ct_calibration_store **store_p,
                                         struct ct_error *err)
{
    struct ct_calibration_store *store = calloc(1, sizeof *store);
    if (!store)
        return ct_no_memory(err, "simulations");
    store->fd = -1;
    store->n_values = n_values;
    store->entry = malloc(entry_bytes(n_values));
    if (asprintf(&store->name, "%s%s", output, CT_CALIBRATION_STORE_SUFFIX) < 0)
        store->name = NULL;
    enum ct_status status =
        store->name && store->entry ? prepare_store(store, err) : ct_no_memory(err, "simulations");
    if (status == CT_OK)
        *store_p = store;
    else
        ct_calibration_store_close(store);
    return status;
}

void ct_calibration_store_close(struct ct_calibration_store *store)
{
    if (!store)
        return;
    if (store->fd >= 0)
        close(store->fd);
    free(store->name);
    free(store->bytes);
    free(store->entry);
    free(store);
}

bool ct_calibration_store_find(const struct ct_calibration_store *store, const uint64_t key[2],
                               double *values)
{
    size_t size = entry_bytes(store->n_values);
    for (size_t i = 0; i < store->n; i++) {
        const unsigned char *entry = store->bytes + sizeof(struct header) + i * size;
        if (memcmp(entry, key, 2 * sizeof *key) != 0)
            continue;
        memcpy(values, entry + 2 * sizeof *key, store->n_values * sizeof *values);
        return true;
    }
    return false;
}

enum ct_status ct_calibration_store_add(struct ct_calibration_store *store, const uint64_t key[2],
                                        const double *values, struct ct_error *err)
{
    size_t size = entry_bytes(store->n_values);
    memcpy(store->entry, key, 2 * sizeof *key);
    memcpy(store->entry + 2 * sizeof *key, values, store->n_values * sizeof *values);
    uint64_t check = check_of(store->entry, store->n_values);
    memcpy(store->entry + size - sizeof check, &check, sizeof check);
    return write_all(store->fd, store->entry, size) ? CT_OK : fail_io(store, err);
}
