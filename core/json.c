#include "core/json.h"

#include "core/text.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum kind { OBJECT, ARRAY, NUMBER, TEXT };

struct ct_json {
    enum kind kind;
    bool incomplete; /* of a container: a value is missing */
    double number;
    char *text; /* of a text */
    char *name; /* of a member */
    struct ct_json *first, *last, *next;
};

static struct ct_json *new_value(enum kind kind)
{
    struct ct_json *value = calloc(1, sizeof *value);
    if (value)
        value->kind = kind;
    return value;
}

struct ct_json *ct_json_object(void)
{
    return new_value(OBJECT);
}

struct ct_json *ct_json_array(void)
{
    return new_value(ARRAY);
}

struct ct_json *ct_json_number(double value)
{
    struct ct_json *json = new_value(NUMBER);
    if (json)
        json->number = value;
    return json;
}

struct ct_json *ct_json_text(const char *text)
{
    struct ct_json *value = new_value(TEXT);
    if (value && !(value->text = strdup(text))) {
        free(value);
        return NULL;
    }
    return value;
}

void ct_json_free(struct ct_json *value)
{
    while (value) {
        struct ct_json *next = value->next;
        ct_json_free(value->first);
        free(value->text);
        free(value->name);
        free(value);
        value = next;
    }
}

struct ct_json *ct_json_append(struct ct_json *container, struct ct_json *value)
{
    if (!container || !value) {
        if (container)
            container->incomplete = true;
        ct_json_free(value);
        return NULL;
    }
    if (container->last)
        container->last->next = value;
    else
        container->first = value;
    container->last = value;
    return value;
}

struct ct_json *ct_json_put(struct ct_json *object, const char *name, struct ct_json *value)
{
    if (value && !(value->name = strdup(name))) {
        ct_json_free(value);
        value = NULL;
    }
    return ct_json_append(object, value);
}

struct ct_json *ct_json_member(const struct ct_json *object, const char *name)
{
    struct ct_json *value = object ? object->first : NULL;
    while (value && strcmp(value->name, name) != 0)
        value = value->next;
    return value;
}

static bool is_complete(const struct ct_json *value)
{
    if (value->incomplete)
        return false;
    for (const struct ct_json *child = value->first; child; child = child->next)
        if (!is_complete(child))
            return false;
    return true;
}

static void print_number(double number, FILE *out)
{
    if (!isfinite(number)) {
        fputs("null", out);
        return;
    }
    char text[32];
    snprintf(text, sizeof text, "%1.15g", number);
    double back = strtod(text, NULL);
    if (!(fabs(back - number) <= fmax(fabs(back), fabs(number)) * DBL_EPSILON))
        snprintf(text, sizeof text, "%1.17g", number);
    fputs(text, out);
}

void ct_json_print_text(const char *text, FILE *out)
{
    static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    fputc('"', out);
    while (*text) {
        size_t n = ct_text_utf8(text);
        const char *escape = strchr(escaped, *text);
        if (escape)
            fprintf(out, "\\%c", letters[escape - escaped]);
        else if (n == 0)
            fputs("\xef\xbf\xbd", out);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
    }
    fputc('"', out);
}

static void print_tabs(size_t n, FILE *out)
{
    while (n-- > 0)
        fputc('\t', out);
}

static void print_value(const struct ct_json *value, size_t depth, FILE *out)
{
    switch (value->kind) {
    case NUMBER:
        print_number(value->number, out);
        break;
    case TEXT:
        ct_json_print_text(value->text, out);
        break;
    case ARRAY:
        fputc('[', out);
        for (const struct ct_json *child = value->first; child; child = child->next) {
            print_value(child, depth + 1, out);
            fputs(child->next ? ", " : "", out);
        }
        fputc(']', out);
        break;
    case OBJECT:
        fputs("{\n", out);
        for (const struct ct_json *child = value->first; child; child = child->next) {
            print_tabs(depth + 1, out);
            ct_json_print_text(child->name, out);
            fputs(":\t", out);
            print_value(child, depth + 1, out);
            fputs(child->next ? ",\n" : "\n", out);
        }
        print_tabs(depth, out);
        fputc('}', out);
        break;
    }
}

enum ct_status ct_json_print(const struct ct_json *root, FILE *out)
{
    if (!root || !is_complete(root))
        return CT_ENOMEM;
    print_value(root, 0, out);
    return ferror(out) ? CT_EIO : CT_OK;
}
