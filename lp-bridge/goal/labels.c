#include "lp-bridge/goal/labels.h"

#include "core/array.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 256, SPARSE = 16 };

/* Mixed once more: labels often differ in their last digits only. */
static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = ct_hash_text(text, length);
    return hash ^ hash >> 32;
}

static struct ct_label *slot_of(const struct ct_labels *labels, uint64_t hash, const char *text,
                                size_t length)
{
    size_t i = hash & (labels->room - 1);
    while (labels->slots[i].op_plus_one != 0 &&
           (labels->slots[i].hash != hash || labels->slots[i].length != length ||
            memcmp(labels->texts + labels->slots[i].text, text, length) != 0))
        i = (i + 1) & (labels->room - 1);
    return &labels->slots[i];
}

static bool grow(struct ct_labels *labels)
{
    size_t room = labels->room ? 2 * labels->room : SMALLEST;
    struct ct_label *slots = calloc(room, sizeof *slots);
    if (!slots)
        return false;
    for (size_t old = 0; old < labels->room; old++) {
        if (labels->slots[old].op_plus_one == 0)
            continue;
        size_t i = labels->slots[old].hash & (room - 1);
        while (slots[i].op_plus_one != 0)
            i = (i + 1) & (room - 1);
        slots[i] = labels->slots[old];
    }
    free(labels->slots);
    labels->slots = slots;
    labels->room = room;
    return true;
}

static bool keep_text(struct ct_labels *labels, const char *text, size_t length)
{
    if (!CT_ARRAY_RESERVE(labels->texts, labels->room_texts, labels->n_texts + length))
        return false;
    memcpy(labels->texts + labels->n_texts, text, length);
    labels->n_texts += length;
    return true;
}

enum ct_label_added ct_labels_add(struct ct_labels *labels, const char *text, size_t length,
                                  uint32_t op)
{
    if (2 * (labels->n + 1) > labels->room && !grow(labels))
        return CT_LABEL_OUT_OF_MEMORY;
    uint64_t hash = hash_of(text, length);
    struct ct_label *slot = slot_of(labels, hash, text, length);
    if (slot->op_plus_one != 0)
        return CT_LABEL_THERE_ALREADY;
    size_t at = labels->n_texts;
    if (!keep_text(labels, text, length))
        return CT_LABEL_OUT_OF_MEMORY;
    *slot = (struct ct_label){hash, at, (uint32_t)length, op + 1};
    labels->n++;
    return CT_LABEL_ADDED;
}

bool ct_labels_find(const struct ct_labels *labels, const char *text, size_t length, uint32_t *op_p)
{
    if (labels->n == 0)
        return false;
    const struct ct_label *slot = slot_of(labels, hash_of(text, length), text, length);
    if (slot->op_plus_one == 0)
        return false;
    *op_p = slot->op_plus_one - 1;
    return true;
}

void ct_labels_clear(struct ct_labels *labels)
{
    /* Else every small rank after a large one would pay for clearing the large one's table. */
    if (labels->room > SMALLEST && SPARSE * labels->n < labels->room) {
        ct_labels_free(labels);
        return;
    }
    if (labels->n > 0)
        memset(labels->slots, 0, labels->room * sizeof *labels->slots);
    labels->n = 0;
    labels->n_texts = 0;
}

void ct_labels_free(struct ct_labels *labels)
{
    free(labels->slots);
    free(labels->texts);
    *labels = (struct ct_labels){0};
}
