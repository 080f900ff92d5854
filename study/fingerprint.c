#include "study/fingerprint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Odd numbers without a pattern: the fractional parts of square roots of 2, 3, 5 and 7. */
static const uint64_t odd[4] = {0x6a09e667f3bcc909U, 0xbb67ae8584caa73bU, 0x3c6ef372fe94f82bU,
                                0xa54ff53a5f1d36f1U};

enum { CHUNK_BYTES = 1 << 20, BLOCK_BYTES = 32 };

static uint64_t turn(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* Four lanes that do not wait for each other; each step can be undone, so that no two states of a
 * lane become one by equal words. */
static void add_blocks(struct ct_fingerprint *fingerprint, const unsigned char *bytes, size_t n)
{
    uint64_t lane[4];
    memcpy(lane, fingerprint->lane, sizeof lane);
    for (size_t at = 0; at < n; at += BLOCK_BYTES) {
        uint64_t word[4];
        memcpy(word, bytes + at, sizeof word);
        for (size_t i = 0; i < 4; i++)
            lane[i] = turn(lane[i] ^ word[i] * odd[0], 29) * odd[i];
    }
    memcpy(fingerprint->lane, lane, sizeof lane);
}

struct ct_fingerprint ct_fingerprint_begin(void)
{
    struct ct_fingerprint fingerprint = {.size = 0};
    memcpy(fingerprint.lane, odd, sizeof odd);
    return fingerprint;
}

void ct_fingerprint_add(struct ct_fingerprint *fingerprint, const void *bytes, size_t n)
{
    size_t whole = n - n % BLOCK_BYTES, rest = n - whole;
    unsigned char end[BLOCK_BYTES] = {0};
    add_blocks(fingerprint, bytes, whole);
    if (rest > 0)
        memcpy(end, (const unsigned char *)bytes + whole, rest);
    add_blocks(fingerprint, end, BLOCK_BYTES);
    fingerprint->size += n; /* tells zeros at the end from those that fill the block */
    fingerprint->lane[0] ^= fingerprint->size * odd[1];
}

enum ct_status ct_fingerprint_add_file(struct ct_fingerprint *fingerprint, const char *path,
                                       struct ct_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "%s: %s", path, strerror(errno));
    unsigned char *chunk = malloc(CHUNK_BYTES);
    enum ct_status status = chunk ? CT_OK : ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    while (status == CT_OK) {
        ssize_t n = read(fd, chunk, CHUNK_BYTES);
        if (n < 0 && errno != EINTR)
            status = ct_fail(err, CT_EIO, "%s: %s", path, strerror(errno));
        if (n == 0)
            break;
        if (n > 0)
            ct_fingerprint_add(fingerprint, chunk, (size_t)n);
    }
    free(chunk);
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

enum ct_status ct_fingerprint_add_folder(struct ct_fingerprint *fingerprint, const char *folder,
                                         const char *const *endings, size_t *n_p,
                                         struct ct_error *err)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? CT_OK
                   : ct_fail(err, CT_EIO, "%s: %s", folder, strerror(errno));
    enum ct_status status = CT_OK;
    for (int i = 0; i < n; i++) {
        char *path = NULL;
        if (status == CT_OK && ends_in(entries[i]->d_name, endings)) {
            if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0) {
                path = NULL;
                status = ct_fail(err, CT_ENOMEM, "%s: out of memory", folder);
            }
            if (status == CT_OK) {
                ct_fingerprint_add(fingerprint, entries[i]->d_name, strlen(entries[i]->d_name));
                status = ct_fingerprint_add_file(fingerprint, path, err);
                ++*n_p;
            }
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

void ct_fingerprint_end(const struct ct_fingerprint *fingerprint, uint64_t bits[2])
{
    bits[0] = fingerprint->size;
    bits[1] = odd[3];
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < 4; i++) {
            bits[i % 2] = turn(bits[i % 2] ^ fingerprint->lane[i], 31) * odd[i];
            bits[1 - i % 2] ^= bits[i % 2] >> 29;
        }
}
