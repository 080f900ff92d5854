/* Journals of campaigns: any text is read or refused, and what was read, written again, reads the
 * same. */
#include "campaign/folder.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_attempt(const struct ct_attempt *attempt)
{
    if (!isfinite(attempt->duration_s) || attempt->duration_s < 0 ||
        !ct_outcome_text(attempt->outcome))
        abort();
}

/* A journal as the driver writes it; NULL: out of memory. */
static char *write_again(const struct ct_history *history)
{
    char *text = NULL;
    size_t size;
    struct ct_folder folder = {.path = ".", .journal = open_memstream(&text, &size)};
    if (!folder.journal)
        return NULL;
    fprintf(folder.journal, "{\"seed\":%llu}\n", (unsigned long long)history->seed);
    for (size_t i = 0; i < history->n_attempts; i++)
        if (ct_folder_note(&folder, &history->attempts[i], NULL) != CT_OK)
            abort();
    fclose(folder.journal);
    return text;
}

static bool are_equal(const struct ct_attempt *a, const struct ct_attempt *b)
{
    return strcmp(a->id, b->id) == 0 && a->number == b->number &&
           strcmp(a->started_utc, b->started_utc) == 0 && a->duration_s == b->duration_s &&
           a->outcome == b->outcome && strcmp(a->reason, b->reason) == 0;
}

static void check_history(const struct ct_history *history)
{
    struct ct_history again;
    for (size_t i = 0; i < history->n_attempts; i++)
        check_attempt(&history->attempts[i]);
    char *text = write_again(history);
    if (!text)
        return;
    if (ct_history_parse(text, "again", &again, NULL) != CT_OK || again.seed != history->seed ||
        again.n_attempts != history->n_attempts)
        abort();
    for (size_t i = 0; i < again.n_attempts; i++)
        if (!are_equal(&again.attempts[i], &history->attempts[i]))
            abort();
    ct_history_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_history history;
    struct ct_error err;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (ct_history_parse(text, "input", &history, &err) == CT_OK) {
        check_history(&history);
        ct_history_free(&history);
    }
    free(text);
    return 0;
}
