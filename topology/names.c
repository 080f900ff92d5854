/* A hash table of names. */
#include "topology/readers.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE_MIN = 64 };

/* FNV-1a. */
static size_t hash(const char *name)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return (size_t)(h ^ h >> 32);
}

static size_t place_of(const struct ct_names *names, const char *name)
{
    size_t i = hash(name) & (names->size - 1);
    while (names->name[i] && strcmp(names->name[i], name) != 0)
        i = (i + 1) & (names->size - 1);
    return i;
}

static bool enlarge(struct ct_names *names)
{
    struct ct_names larger = {.size = names->size ? 2 * names->size : SIZE_MIN, .n = names->n};
    larger.name = calloc(larger.size, sizeof *larger.name);
    larger.value = calloc(larger.size, sizeof *larger.value);
    if (!larger.name || !larger.value) {
        free(larger.name);
        free(larger.value);
        return false;
    }
    for (size_t i = 0; i < names->size; i++)
        if (names->name[i]) {
            size_t place = place_of(&larger, names->name[i]);
            larger.name[place] = names->name[i];
            larger.value[place] = names->value[i];
        }
    free(names->name);
    free(names->value);
    *names = larger;
    return true;
}

uint32_t *ct_names_put(struct ct_names *names, const char *name, bool *is_new_p)
{
    if (2 * (names->n + 1) > names->size && !enlarge(names))
        return NULL;
    size_t i = place_of(names, name);
    *is_new_p = !names->name[i];
    if (*is_new_p) {
        names->name[i] = strdup(name);
        if (!names->name[i])
            return NULL;
        names->n++;
    }
    return &names->value[i];
}

uint32_t *ct_names_get(const struct ct_names *names, const char *name)
{
    if (names->size == 0)
        return NULL;
    size_t i = place_of(names, name);
    return names->name[i] ? &names->value[i] : NULL;
}

void ct_names_free(struct ct_names *names)
{
    for (size_t i = 0; i < names->size; i++)
        free(names->name[i]);
    free(names->name);
    free(names->value);
    *names = (struct ct_names){0};
}
