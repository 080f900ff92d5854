#include "core/text_map.h"

#include "core/array.h"
#include "core/hash.h"

static uint32_t *find_value(const struct ct_text_map *map, uint64_t hash, const char *text,
                            size_t length)
{
    size_t at = 0;
    for (uint64_t found; (found = ct_map_next(&map->map, hash, &at)) != 0;) {
        struct ct_text_entry *entry = &map->entries[found - 1];
        if (entry->length == length && memcmp(map->texts + entry->text, text, length) == 0)
            return &entry->value;
    }
    return NULL;
}

uint32_t *ct_text_map_put(struct ct_text_map *map, const char *text, size_t length, bool *is_new_p)
{
    uint64_t hash = ct_hash_text(text, length);
    uint32_t *value = find_value(map, hash, text, length);
    *is_new_p = !value;
    if (value)
        return value;
    if (!CT_ARRAY_RESERVE(map->entries, map->room, map->n + 1) ||
        !CT_ARRAY_RESERVE(map->texts, map->room_texts, map->n_texts + length + 1) ||
        !ct_map_add(&map->map, hash, map->n + 1))
        return NULL;
    memcpy(map->texts + map->n_texts, text, length);
    map->entries[map->n] = (struct ct_text_entry){map->n_texts, (uint32_t)length, 0};
    map->n_texts += length;
    return &map->entries[map->n++].value;
}

uint32_t *ct_text_map_get(const struct ct_text_map *map, const char *text, size_t length)
{
    return find_value(map, ct_hash_text(text, length), text, length);
}

void ct_text_map_clear(struct ct_text_map *map)
{
    ct_map_clear(&map->map);
    map->n = map->n_texts = 0;
}

void ct_text_map_free(struct ct_text_map *map)
{
    ct_map_free(&map->map);
    free(map->entries);
    free(map->texts);
    *map = (struct ct_text_map){0};
}
