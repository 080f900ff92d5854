/**
 * A JSON document (RFC 8259) that is built as a tree and printed. For the output of commands. Other
 * rooms read JSON, by cJSON.
 *
 *     struct ct_json *root = ct_json_object();
 *     ct_json_put(root, "latency_s", ct_json_number(12.5e-6));
 *     enum ct_status status = ct_json_print(root, stdout);
 *     ct_json_free(root);
 *
 * Callers need not check every call for lack of memory: if a value cannot be allocated, the
 * container that it should be put into is marked, and ct_json_print() refuses the whole document.
 */
#pragma once

#include "core/status.h"

#include <stdio.h>

struct ct_json;

/**
 * Values; NULL: out of memory. The caller puts it into a container, which owns it from then on, or
 * frees it by ct_json_free().
 */
struct ct_json *ct_json_object(void);
struct ct_json *ct_json_array(void);
/** @param value  [in] printed as null where it is not finite */
struct ct_json *ct_json_number(double value);
/** @param text  [in] copied; a byte that belongs to no UTF-8 character is printed as U+FFFD */
struct ct_json *ct_json_text(const char *text);

/**
 * Free a value and everything in it; NULL: does nothing. Not for a value that is in a container.
 */
void ct_json_free(struct ct_json *value);

/**
 * Append a member to an object. Names are not compared: a name that is put twice is printed twice.
 * @param object  [in,out] NULL: out of memory earlier; the value is freed
 * @param name    [in] copied
 * @param value   [in] owned by the object from now on; NULL: out of memory earlier
 * @return value; NULL: it could not be put
 */
struct ct_json *ct_json_put(struct ct_json *object, const char *name, struct ct_json *value);

/** The same without a name: at the end of an array. */
struct ct_json *ct_json_append(struct ct_json *container, struct ct_json *value);

/** The member of that name; NULL: there is none. Belongs to the object. */
struct ct_json *ct_json_member(const struct ct_json *object, const char *name);

/**
 * Print one member a line, indented by tabs, and each array on one line. No newline follows. A
 * number has 15 significant digits if these reproduce it within a relative error of 2^-52
 * (DBL_EPSILON), else 17, as cJSON prints it.
 * @param root  [in] NULL: out of memory
 * @return CT_OK; CT_ENOMEM (a value could not be made: nothing was printed); CT_EIO
 */
enum ct_status ct_json_print(const struct ct_json *root, FILE *out);

/**
 * Print a text as ct_json_print() does, with quotes: for documents that are too large for memory.
 */
void ct_json_print_text(const char *text, FILE *out);
