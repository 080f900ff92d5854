/*
 * Replay a corpus without a fuzzer: every file as it is, cut short at many places, and with bytes
 * changed by a fixed pseudo-random sequence. What counts is that nothing crashes (run it with the
 * sanitizers) and nothing hangs.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUTS = 64, CHANGES = 200, FILE_MAX = 1 << 20 };

/* Of cuts and changes every so many, by -every=N: for what starts a process an input. */
static size_t every = 1;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void replay_variants(const uint8_t *data, size_t size)
{
    LLVMFuzzerTestOneInput(data, size);
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    for (size_t i = 0; i < CUTS && i < size; i += every) {
        size_t cut = size * i / CUTS;
        memcpy(copy, data, cut);
        LLVMFuzzerTestOneInput(copy, cut);
    }
    uint64_t state = 0x9e3779b97f4a7c15U;
    for (size_t i = 0; i < CHANGES && size > 0; i += every) {
        memcpy(copy, data, size);
        for (uint64_t n = 1 + next_random(&state) % 4; n > 0; n--)
            copy[next_random(&state) % size] = (uint8_t)next_random(&state);
        LLVMFuzzerTestOneInput(copy, size);
    }
    free(copy);
}

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(FILE_MAX);
    if (!file || !data) {
        perror(path);
        abort();
    }
    size_t size = fread(data, 1, FILE_MAX, file);
    fclose(file);
    replay_variants(data, size);
    free(data);
    return 1;
}

int main(int argc, char **argv)
{
    int n_files = 0;
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "-every=%zu", &every) == 1 && every > 0)
            continue;
        DIR *dir = opendir(argv[i]);
        if (!dir) {
            n_files += replay_file(argv[i]);
            continue;
        }
        for (struct dirent *entry; (entry = readdir(dir));) {
            char path[4096];
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            n_files += replay_file(path);
        }
        closedir(dir);
    }
    printf("%d files replayed\n", n_files);
    return n_files > 0 ? 0 : 1;
}
