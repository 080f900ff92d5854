/* Labels of the operations of one rank, in the text form. */
#ifndef CT_LP_BRIDGE_GOAL_LABELS_H
#define CT_LP_BRIDGE_GOAL_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_label {
    uint64_t hash;
    uint64_t text; /* offset in the texts */
    uint32_t length;
    uint32_t op_plus_one; /* 0: the slot is free */
};

/** A hash table with open addressing; {0} is empty. */
struct ct_labels {
    struct ct_label *slots;
    size_t room; /* 0 or a power of 2 */
    size_t n;
    char *texts;
    size_t n_texts, room_texts;
};

enum ct_label_added { CT_LABEL_ADDED, CT_LABEL_THERE_ALREADY, CT_LABEL_OUT_OF_MEMORY };
enum ct_label_added ct_labels_add(struct ct_labels *labels, const char *text, size_t length,
                                  uint32_t op);
bool ct_labels_find(const struct ct_labels *labels, const char *text, size_t length,
                    uint32_t *op_p);
/** Remove all labels; the memory is kept. */
void ct_labels_clear(struct ct_labels *labels);
void ct_labels_free(struct ct_labels *labels);

#endif
