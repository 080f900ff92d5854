/**
 * Numbers of texts, which are copied: a map (map.h) of their hashes. In no order.
 *
 *     bool is_new;
 *     uint32_t *line = ct_text_map_put(&lines, name, strlen(name), &is_new);
 *     if (!line)
 *         return CT_ENOMEM;
 *     if (is_new)
 *         *line = number;
 */
#pragma once

#include "core/map.h"

struct ct_text_entry {
    size_t text; /**< offset in the texts */
    uint32_t length, value;
};

/** {0} is empty. */
struct ct_text_map {
    struct ct_map map; /**< hash -> index of an entry + 1 */
    struct ct_text_entry *entries;
    size_t n, room;
    char *texts;
    size_t n_texts, room_texts;
};

/**
 * Find a text or add it.
 * @param text      [in]  length bytes, less than 4 GiB
 * @param is_new_p  [out] whether it was added, with the value 0
 * @return its value, valid until another text is added; NULL: out of memory
 */
uint32_t *ct_text_map_put(struct ct_text_map *map, const char *text, size_t length, bool *is_new_p);
/** Value of a text, as above; NULL: it is not there. */
uint32_t *ct_text_map_get(const struct ct_text_map *map, const char *text, size_t length);
/** Remove all texts, as ct_map_clear() does. */
void ct_text_map_clear(struct ct_text_map *map);
void ct_text_map_free(struct ct_text_map *map);
