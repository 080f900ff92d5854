#include "results/sum.h"

#include "core/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUMMED_BYTES_MAX = 64 << 20, BLOCK_BYTES = 1 << 16 };

struct trailer {
    char name[16]; /* without its NUL */
    uint64_t sum;
};

static const char trailer_name[] = "crosstalk sum 1\n";

static bool read_bytes(int fd, void *bytes, size_t n, off_t offset)
{
    size_t done = 0;
    while (done < n) {
        ssize_t more = pread(fd, (char *)bytes + done, n - done, offset + (off_t)done);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return false;
        done += (size_t)more;
    }
    return true;
}

/* Each step can be undone, so that a change of one word always changes the sum. */
static uint64_t sum_words(uint64_t sum, const uint64_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ words[i]) * CT_HASH_PRIME;
        sum ^= sum >> 32;
    }
    return sum;
}

/* Of the first n bytes of a file, and of n. */
static bool sum_file(int fd, size_t n, uint64_t *sum_p)
{
    uint64_t block[BLOCK_BYTES / sizeof(uint64_t)];
    uint64_t sum = CT_HASH_BASIS ^ n;
    for (size_t done = 0; done < n; done += BLOCK_BYTES) {
        size_t left = n - done, bytes = left < BLOCK_BYTES ? left : BLOCK_BYTES;
        size_t n_words = (bytes + sizeof *block - 1) / sizeof *block;
        block[n_words - 1] = 0;
        if (!read_bytes(fd, block, bytes, (off_t)done))
            return false;
        sum = sum_words(sum, block, n_words);
    }
    *sum_p = sum;
    return true;
}

enum ct_status ct_sum_commit(struct ct_file *draft, struct ct_error *err)
{
    struct trailer trailer;
    struct stat about;
    /* Where the file cannot be read back, it goes without a sum. */
    if (!draft->failure && fstat(draft->fd, &about) == 0 && about.st_size <= SUMMED_BYTES_MAX &&
        sum_file(draft->fd, (size_t)about.st_size, &trailer.sum)) {
        memcpy(trailer.name, trailer_name, sizeof trailer.name);
        ct_file_write(draft, &trailer, sizeof trailer, about.st_size);
    }
    return ct_file_commit(draft, err);
}

static bool is_own(const struct stat *about)
{
    return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool sum_is_right(int fd, off_t size)
{
    struct trailer trailer;
    uint64_t sum;
    off_t summed = size - (off_t)sizeof trailer;
    return summed >= 0 && summed <= SUMMED_BYTES_MAX &&
           read_bytes(fd, &trailer, sizeof trailer, summed) &&
           memcmp(trailer.name, trailer_name, sizeof trailer.name) == 0 &&
           sum_file(fd, (size_t)summed, &sum) && sum == trailer.sum;
}

bool ct_sum_is_doubtful(const char *path)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would wait */
    if (fd < 0)
        return false;
    bool doubtful = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                    !(is_own(&about) && sum_is_right(fd, about.st_size));
    close(fd);
    return doubtful;
}
