/**
 * A JSON document (RFC 8259) that is built as a tree and printed. For answers of commands; JSON is
 * read elsewhere, by a library.
 *
 *     struct ct_json *root = ct_json_object();
 *     ct_json_put(root, "latency_s", ct_json_number(12.5e-6));
 *     enum ct_status status = ct_json_print(root, stdout);
 *     ct_json_free(root);
 *
 * Callers need not check for memory on the way: where a value could not be made, the container that
 * it was meant for remembers that, and ct_json_print() refuses the whole document.
 */
#ifndef CT_CORE_JSON_H
#define CT_CORE_JSON_H

#include "core/status.h"

#include <stdio.h>

struct ct_json;

/** Values; NULL: out of memory. Who makes one gives it to a container or to ct_json_free(). */
struct ct_json *ct_json_object(void);
struct ct_json *ct_json_array(void);
/** @param value  [in] printed as null where it is not finite */
struct ct_json *ct_json_number(double value);
/** @param text  [in] copied; a byte that belongs to no UTF-8 character is printed as U+FFFD */
struct ct_json *ct_json_text(const char *text);

/** With everything in it; NULL: nothing happens. Not for a value that is in a container. */
void ct_json_free(struct ct_json *value);

/**
 * Put a member at the end of an object; a name that is there already is then there twice.
 * @param object  [in,out] NULL: out of memory earlier; the value is freed
 * @param name    [in] copied
 * @param value   [in] owned by the object from now on; NULL: see above
 * @return value; NULL where it could not be put
 */
struct ct_json *ct_json_put(struct ct_json *object, const char *name, struct ct_json *value);

/** The same without a name: at the end of an array. */
struct ct_json *ct_json_append(struct ct_json *container, struct ct_json *value);

/** The member of that name; NULL: there is none. Belongs to the object. */
struct ct_json *ct_json_member(const struct ct_json *object, const char *name);

/**
 * Print with a member a line, indented by tabs, arrays on one line. No newline follows. A number
 * has 15 significant digits where these give it back within one part in 2^52 (DBL_EPSILON), else
 * 17; this is how cJSON prints, so that both look the same.
 * @param root  [in] NULL: out of memory
 * @return CT_OK; CT_ENOMEM (a value could not be made: nothing was printed); CT_EIO
 */
enum ct_status ct_json_print(const struct ct_json *root, FILE *out);

/** Print a text as ct_json_print() does, with its quotes: for documents too large to be built. */
void ct_json_print_text(const char *text, FILE *out);

#endif
