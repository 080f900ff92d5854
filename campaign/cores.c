#include "campaign/cores.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        return ct_fail(err, CT_ENOMEM, "cores: out of memory");
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

static bool equal(const struct ct_cores *a, const struct ct_cores *b)
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
            same = same && (n_lists == 0 || equal(&cores, &fewest));
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

void ct_cores_free(struct ct_cores *cores)
{
    free(cores->cpu);
    *cores = (struct ct_cores){0};
}
