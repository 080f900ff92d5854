#include "campaign/cores.h"

#include "core/units.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *ct_cores_format(const struct ct_cores *cores, struct ct_core_range range)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < range.n; i++)
        fprintf(out, "%s%u", i ? "," : "", cores->cpu[range.first + i]);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Numbers separated by commas, and nothing else. */
static bool is_list(const char *line, size_t length)
{
    bool digit_before = false;
    for (size_t i = 0; i < length; i++) {
        bool digit = line[i] >= '0' && line[i] <= '9';
        if (!digit && (line[i] != ',' || !digit_before))
            return false;
        digit_before = digit;
    }
    return digit_before;
}

static enum ct_status parse_list(const char *line, size_t length, struct ct_cores *cores_p,
                                 struct ct_error *err)
{
    size_t n = 1;
    for (size_t i = 0; i < length; i++)
        n += line[i] == ',';
    struct ct_cores cores = {.cpu = calloc(n, sizeof *cores.cpu), .n = n};
    if (!cores.cpu)
        return ct_no_memory(err, "cores");
    const char *at = line;
    for (size_t i = 0; i < n; i++) {
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (number > INT_MAX) {
            free(cores.cpu);
            return ct_fail(err, CT_EFORMAT, "cores: %lu: no such core", number);
        }
        cores.cpu[i] = (unsigned)number;
        at = end + 1;
    }
    *cores_p = cores;
    return CT_OK;
}

static bool are_equal(const struct ct_cores *a, const struct ct_cores *b)
{
    return a->n == b->n && memcmp(a->cpu, b->cpu, a->n * sizeof *a->cpu) == 0;
}

enum ct_status ct_cores_parse(const char *text, size_t *n_lists_p, bool *same_p,
                              struct ct_cores *cores_p, struct ct_error *err)
{
    struct ct_cores fewest = {0};
    size_t n_lists = 0;
    bool same = true;
    enum ct_status status = CT_OK;
    while (*text && status == CT_OK) {
        size_t length = strcspn(text, "\n");
        struct ct_cores cores = {0};
        if (is_list(text, length))
            status = parse_list(text, length, &cores, err);
        if (cores.n > 0) {
            same = same && (n_lists == 0 || are_equal(&cores, &fewest));
            struct ct_cores *drop = n_lists == 0 || cores.n < fewest.n ? &fewest : &cores;
            ct_cores_free(drop);
            if (drop == &fewest)
                fewest = cores;
            n_lists++;
        }
        text += length + (text[length] == '\n');
    }
    if (status == CT_OK && n_lists == 0)
        status = ct_fail(err, CT_EFORMAT, "cores: no host said which it has");
    if (status != CT_OK) {
        ct_cores_free(&fewest);
        return status;
    }
    *n_lists_p = n_lists;
    *same_p = same;
    *cores_p = fewest;
    return CT_OK;
}

/* ---- one of them ---- */

/* Number of this rank among those on this host, in variables of launchers. */
static enum ct_status find_local_rank(uint64_t *rank_p, struct ct_error *err)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        if (text)
            return ct_parse_u64(text, rank_p, err);
    }
    return ct_fail(err, CT_EUNSUPPORTED, "cores: no launcher has set which rank this is");
}

static enum ct_status bind_to(unsigned number, struct ct_error *err)
{
    size_t n = (size_t)number + 1, size = CPU_ALLOC_SIZE(n);
    cpu_set_t *set = CPU_ALLOC(n);
    if (!set)
        return ct_no_memory(err, "cores");
    CPU_ZERO_S(size, set);
    CPU_SET_S(number, size, set);
    int result = sched_setaffinity(0, size, set);
    CPU_FREE(set);
    if (result != 0)
        return ct_fail(err, CT_EUNSUPPORTED, "core %u: %s", number, strerror(errno));
    return CT_OK;
}

enum ct_status ct_cores_become(const char *list, char *const *argv, struct ct_error *err)
{
    struct ct_cores cores = {0};
    size_t n_lists;
    bool same;
    uint64_t rank = 0;
    enum ct_status status = ct_cores_parse(list, &n_lists, &same, &cores, err);
    if (status == CT_OK)
        status = find_local_rank(&rank, err);
    if (status == CT_OK)
        status = bind_to(cores.cpu[rank % cores.n], err);
    ct_cores_free(&cores);
    if (status != CT_OK)
        return status;
    execvp(argv[0], argv);
    return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "%s: %s", argv[0], strerror(errno));
}

void ct_cores_free(struct ct_cores *cores)
{
    free(cores->cpu);
    *cores = (struct ct_cores){0};
}
