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

static struct ct_name *place_of(const struct ct_names *names, const char *name)
{
    size_t i = hash(name) & (names->size - 1);
    while (names->entries[i].name && strcmp(names->entries[i].name, name) != 0)
        i = (i + 1) & (names->size - 1);
    return &names->entries[i];
}

static bool enlarge(struct ct_names *names)
{
    struct ct_names larger = {.size = names->size ? 2 * names->size : SIZE_MIN, .n = names->n};
    larger.entries = calloc(larger.size, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < names->size; i++)
        if (names->entries[i].name)
            *place_of(&larger, names->entries[i].name) = names->entries[i];
    free(names->entries);
    *names = larger;
    return true;
}

uint32_t *ct_names_put(struct ct_names *names, const char *name, bool *is_new_p)
{
    if (2 * (names->n + 1) > names->size && !enlarge(names))
        return NULL;
    struct ct_name *entry = place_of(names, name);
    *is_new_p = !entry->name;
    if (*is_new_p) {
        entry->name = strdup(name);
        if (!entry->name)
            return NULL;
        names->n++;
    }
    return &entry->value;
}

uint32_t *ct_names_get(const struct ct_names *names, const char *name)
{
    if (names->size == 0)
        return NULL;
    struct ct_name *entry = place_of(names, name);
    return entry->name ? &entry->value : NULL;
}

void ct_names_free(struct ct_names *names)
{
    for (size_t i = 0; i < names->size; i++)
        free(names->entries[i].name);
    free(names->entries);
    *names = (struct ct_names){0};
}
