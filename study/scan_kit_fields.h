/**
 * What the file of a kit may have: one table, by which it is written, read and documented
 * (docs/kit.md). What is not in the table does not leave; a text is one of few words, a pseudonym,
 * a cell, a digest or a line of a seal, and nothing else.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>

struct cJSON;

enum ct_scan_kit_form {
    CT_KIT_NUMBER,  /**< or null */
    CT_KIT_WORD,    /**< one of the row's words */
    CT_KIT_VERSION, /**< digits and points */
    CT_KIT_NODE,    /**< "node-" and 12 hexadecimal digits */
    CT_KIT_SWITCH,  /**< "switch-" and the same */
    CT_KIT_CELL,    /**< as scanb takes it */
    CT_KIT_LOAD,    /**< a cell without its canary */
    CT_KIT_DIGEST,  /**< 64 hexadecimal digits */
    CT_KIT_LINE     /**< of a seal */
};

struct ct_scan_kit_field {
    const char *path; /**< members joined by "."; "[]": of each element */
    const char *what; /**< for docs/kit.md */
    enum ct_scan_kit_form form;
    const char *const *words; /**< NULL-terminated; of CT_KIT_WORD */
};

/** The table; its last row has no path. */
extern const struct ct_scan_kit_field ct_scan_kit_fields[];

/** Words of switches_of: what else is known by, such as a file, is "topology". */
extern const char *const ct_scan_kit_sources[];

/**
 * A copy of a document with what the table has.
 * @param is_strict  [in]  what the table does not have is an error, and is not left out
 * @param kept_p     [out] cJSON_Delete(); unchanged on error
 * @return CT_OK; CT_EFORMAT (a listed member is not of its form, or one is not listed; the message
 *         has no text of the document); CT_ENOMEM
 */
enum ct_status ct_scan_kit_filter(const struct cJSON *root, bool is_strict, const char *source,
                                  struct cJSON **kept_p, struct ct_error *err);
