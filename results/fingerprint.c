#include "results/fingerprint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { CHUNK_BYTES = 1 << 20 };

struct ct_fingerprint {
    XXH3_state_t *state;
};

struct ct_fingerprint *ct_fingerprint_new(void)
{
    struct ct_fingerprint *fingerprint = malloc(sizeof *fingerprint);
    XXH3_state_t *state = XXH3_createState();
    if (!fingerprint || !state || XXH3_128bits_reset(state) != XXH_OK) {
        XXH3_freeState(state);
        free(fingerprint);
        return NULL;
    }
    fingerprint->state = state;
    return fingerprint;
}

void ct_fingerprint_add(struct ct_fingerprint *fingerprint, const void *bytes, size_t n)
{
    XXH3_128bits_update(fingerprint->state, bytes, n);
}

void ct_fingerprint_add_text(struct ct_fingerprint *fingerprint, const char *text)
{
    ct_fingerprint_add(fingerprint, text, strlen(text) + 1);
}

static enum ct_status add_content(struct ct_fingerprint *fingerprint, int fd, const char *path,
                                  struct ct_error *err)
{
    uint64_t size = 0;
    ssize_t n = 1;
    unsigned char *chunk = malloc(CHUNK_BYTES);
    if (!chunk)
        return ct_no_memory(err, "%s", path);
    enum ct_status status = CT_OK;
    while (n != 0 && status == CT_OK) {
        n = read(fd, chunk, CHUNK_BYTES);
        if (n < 0 && errno != EINTR)
            status = ct_fail(err, CT_EIO, "%s: %s", path, strerror(errno));
        if (n > 0) {
            ct_fingerprint_add(fingerprint, chunk, (size_t)n);
            size += (uint64_t)n;
        }
    }
    ct_fingerprint_add(fingerprint, &size, sizeof size);
    free(chunk);
    return status;
}

enum ct_status ct_fingerprint_add_file(struct ct_fingerprint *fingerprint, const char *path,
                                       struct ct_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "%s: %s", path, strerror(errno));
    enum ct_status status = add_content(fingerprint, fd, path, err);
    close(fd);
    return status;
}

static bool ends_in(const char *name, const char *const *endings)
{
    size_t length = strlen(name);
    for (; *endings; endings++) {
        size_t n = strlen(*endings);
        if (length >= n && strcmp(name + length - n, *endings) == 0)
            return true;
    }
    return false;
}

static enum ct_status add_named_file(struct ct_fingerprint *fingerprint, const char *folder,
                                     const char *name, struct ct_error *err)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return ct_no_memory(err, "%s", folder);
    ct_fingerprint_add_text(fingerprint, name);
    enum ct_status status = ct_fingerprint_add_file(fingerprint, path, err);
    free(path);
    return status;
}

enum ct_status ct_fingerprint_add_folder(struct ct_fingerprint *fingerprint, const char *folder,
                                         const char *const *endings, struct ct_error *err)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? CT_OK
                   : ct_fail(err, CT_EIO, "%s: %s", folder, strerror(errno));
    enum ct_status status = CT_OK;
    for (int i = 0; i < n; i++) {
        if (status == CT_OK && ends_in(entries[i]->d_name, endings))
            status = add_named_file(fingerprint, folder, entries[i]->d_name, err);
        free(entries[i]);
    }
    free(entries);
    return status;
}

void ct_fingerprint_end(struct ct_fingerprint *fingerprint, uint64_t bits[2])
{
    XXH128_hash_t hash = XXH3_128bits_digest(fingerprint->state);
    if (bits) {
        bits[0] = hash.low64;
        bits[1] = hash.high64;
    }
    XXH3_freeState(fingerprint->state);
    free(fingerprint);
}
