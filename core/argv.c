#include "core/argv.h"

#include "core/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes word over. */
static void append_word(struct ct_argv *argv, char *word)
{
    if (!word || !CT_ARRAY_RESIZE(argv->item, argv->n + 2)) {
        free(word);
        argv->failed = true;
        return;
    }
    argv->item[argv->n++] = word;
    argv->item[argv->n] = NULL;
}

void ct_argv_add(struct ct_argv *argv, const char *format, ...)
{
    char *word;
    va_list args;
    va_start(args, format);
    if (vasprintf(&word, format, args) < 0)
        word = NULL;
    va_end(args);
    append_word(argv, word);
}

bool ct_argv_has(const struct ct_argv *argv, const char *word)
{
    for (size_t i = 0; i < argv->n; i++)
        if (!strcmp(argv->item[i], word))
            return true;
    return false;
}

void ct_argv_add_all(struct ct_argv *argv, char *const *list)
{
    for (; *list; list++)
        append_word(argv, strdup(*list));
}

/* Copy one word, which starts at *text_p; room holds the whole text. */
static enum ct_status take_word(const char **text_p, char *room, struct ct_error *err)
{
    const char *text = *text_p, *whole = *text_p;
    char quote = '\0';
    for (; *text && (quote || !strchr(" \t\n", *text)); text++) {
        if (quote && *text == quote)
            quote = '\0';
        else if (!quote && (*text == '\'' || *text == '"'))
            quote = *text;
        else if (*text == '\\' && quote != '\'' && text[1])
            *room++ = *++text;
        else
            *room++ = *text;
    }
    *room = '\0';
    if (quote)
        return ct_fail(err, CT_EINVAL, "'%.60s': no closing %c", whole, quote);
    *text_p = text;
    return CT_OK;
}

enum ct_status ct_argv_split(struct ct_argv *argv, const char *text, struct ct_error *err)
{
    char *room = malloc(strlen(text) + 1);
    if (!room)
        return ct_no_memory(err, "command line");
    enum ct_status status = CT_OK;
    for (text += strspn(text, " \t\n"); *text && status == CT_OK; text += strspn(text, " \t\n")) {
        status = take_word(&text, room, err);
        if (status == CT_OK)
            ct_argv_add(argv, "%s", room);
    }
    free(room);
    if (status == CT_OK && argv->failed)
        status = ct_no_memory(err, "command line");
    return status;
}

void ct_argv_free(struct ct_argv *argv)
{
    for (size_t i = 0; i < argv->n; i++)
        free(argv->item[i]);
    free(argv->item);
    *argv = (struct ct_argv){0};
}
