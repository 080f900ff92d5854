#include "simulate/joint/simulation_store.h"

#include "core/array.h"
#include "core/version.h"
#include "results/cache.h"
#include "results/fingerprint.h"
#include "simulate/joint/simulation_sources.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = "ctsimul";

/* Of what would be more, the older half goes. */
enum { ENTRIES_MAX = 20000 };

struct entry {
    uint64_t key[2];
    struct ct_joint_slowdown slowdown[CT_SIMULATE_JOBS_MAX]; /* behind the last one: 0 */
};

struct header {
    char magic[8];
    uint64_t n;
    uint64_t build[2];
    uint64_t entries[2]; /* their hash */
};

struct ct_simulation_store {
    char *path; /* of the file; NULL: there is none */
    struct entry *entries;
    size_t n, room;
    size_t n_read; /* of the file; behind them are those that are new */
};

/* ---- the file ---- */

static bool hash_text(const char *text, const void *bytes, size_t n, uint64_t bits[2])
{
    struct ct_fingerprint *fingerprint = ct_fingerprint_new();
    if (!fingerprint)
        return false;
    ct_fingerprint_add_text(fingerprint, text);
    ct_fingerprint_add(fingerprint, bytes, n);
    ct_fingerprint_end(fingerprint, bits);
    return true;
}

static bool make_header(const struct entry *entries, size_t n, struct header *header_p)
{
    static const uint64_t layout[] = {0x0102030405060708, sizeof(struct entry)};
    struct header header = {.n = n};
    memcpy(header.magic, magic, sizeof magic);
    if (!hash_text(CT_VERSION CT_SIMULATION_SOURCES, layout, sizeof layout, header.build) ||
        !hash_text("entries", entries, n * sizeof *entries, header.entries))
        return false;
    *header_p = header;
    return true;
}

enum ct_status ct_simulation_store_decode(const unsigned char *bytes, size_t n,
                                          struct ct_simulation_store **store_p)
{
    struct header header, expected;
    if (n < sizeof header || memcmp(bytes, magic, sizeof magic) != 0)
        return CT_EFORMAT;
    memcpy(&header, bytes, sizeof header);
    if (header.n > ENTRIES_MAX || n - sizeof header != header.n * sizeof(struct entry))
        return CT_EFORMAT;
    struct ct_simulation_store *store = calloc(1, sizeof *store);
    if (!store || !CT_ARRAY_RESERVE(store->entries, store->room, header.n + 1)) {
        free(store);
        return CT_ENOMEM;
    }
    store->n = store->n_read = header.n;
    memcpy(store->entries, bytes + sizeof header, header.n * sizeof(struct entry));
    enum ct_status status = CT_ENOMEM;
    if (make_header(store->entries, store->n, &expected))
        status = memcmp(header.build, expected.build, sizeof header.build) != 0 ? CT_ENOENT
                 : memcmp(&header, &expected, sizeof header) != 0               ? CT_EFORMAT
                                                                                : CT_OK;
    if (status == CT_OK)
        *store_p = store;
    else
        ct_simulation_store_close(store);
    return status;
}

static void save_store(const struct ct_simulation_store *store)
{
    size_t n_bytes = store->n * sizeof *store->entries;
    struct header header;
    unsigned char *bytes = malloc(sizeof header + n_bytes);
    if (bytes && make_header(store->entries, store->n, &header)) {
        memcpy(bytes, &header, sizeof header);
        memcpy(bytes + sizeof header, store->entries, n_bytes);
        ct_cache_write(store->path, bytes, sizeof header + n_bytes);
    }
    free(bytes);
}

/* ---- the store ---- */

struct ct_simulation_store *ct_simulation_store_open(void)
{
    struct ct_simulation_store *store = NULL;
    struct header header;
    char *path = make_header(&(struct entry){0}, 0, &header)
                     ? ct_cache_path(header.build[0], header.build[1], "simulations")
                     : NULL;
    size_t n = 0;
    unsigned char *bytes = path ? ct_cache_read(path, &n) : NULL;
    if (!bytes || ct_simulation_store_decode(bytes, n, &store) != CT_OK)
        store = calloc(1, sizeof *store);
    free(bytes);
    if (store)
        store->path = path;
    else
        free(path);
    return store;
}

static void free_store(struct ct_simulation_store *store)
{
    free(store->path);
    free(store->entries);
    free(store);
}

/* New entries go to what the file has by now. */
static void add_to_file(const struct ct_simulation_store *store)
{
    struct ct_joint_slowdown found[CT_SIMULATE_JOBS_MAX];
    struct ct_simulation_store *latest = ct_simulation_store_open();
    for (size_t i = store->n_read; latest && i < store->n; i++)
        if (!ct_simulation_store_find(latest, store->entries[i].key, found, 1))
            ct_simulation_store_add(latest, store->entries[i].key, store->entries[i].slowdown,
                                    CT_SIMULATE_JOBS_MAX);
    if (latest && latest->path && latest->entries)
        save_store(latest);
    if (latest)
        free_store(latest);
}

void ct_simulation_store_close(struct ct_simulation_store *store)
{
    if (!store)
        return;
    if (store->n > store->n_read && store->path)
        add_to_file(store);
    free_store(store);
}

bool ct_simulation_store_find(const struct ct_simulation_store *store, const uint64_t key[2],
                              struct ct_joint_slowdown *slowdown, size_t n)
{
    for (size_t i = 0; i < store->n; i++)
        if (store->entries[i].key[0] == key[0] && store->entries[i].key[1] == key[1]) {
            memcpy(slowdown, store->entries[i].slowdown, n * sizeof *slowdown);
            return true;
        }
    return false;
}

void ct_simulation_store_add(struct ct_simulation_store *store, const uint64_t key[2],
                             const struct ct_joint_slowdown *slowdown, size_t n)
{
    struct entry entry = {.key = {key[0], key[1]}};
    memcpy(entry.slowdown, slowdown, n * sizeof *slowdown);
    if (store->n == ENTRIES_MAX) {
        store->n /= 2;
        store->n_read = store->n_read > store->n ? store->n_read - store->n : 0;
        memmove(store->entries, store->entries + store->n, store->n * sizeof *store->entries);
    }
    if (!CT_ARRAY_RESERVE(store->entries, store->room, store->n + 1))
        return;
    store->entries[store->n++] = entry;
}
