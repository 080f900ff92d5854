#include "cli/thresholds.h"

#include <math.h>
#include <string.h>

enum { WORD_MAX = 64 };

static enum ct_status append_threshold(struct ct_thresholds *list, const char *word,
                                       struct ct_error *err)
{
    double frac;
    CT_TRY(ct_parse_percent(word, &frac, err));
    if (list->n == CT_THRESHOLDS_MAX)
        return ct_fail(err, CT_EINVAL, "more than %d thresholds", (int)CT_THRESHOLDS_MAX);
    if (list->n > 0 && !(frac > list->frac[list->n - 1]))
        return ct_fail(err, CT_EINVAL, "'%s' is not above the one before; give them ascending",
                       word);
    list->frac[list->n++] = frac;
    return CT_OK;
}

enum ct_status ct_thresholds_parse(const char *text, void *field, struct ct_error *err)
{
    struct ct_thresholds list = {.n = 0};
    for (const char *rest = text;;) {
        size_t length = strcspn(rest, ",");
        char word[WORD_MAX];
        if (length == 0 || length >= sizeof word)
            return ct_fail(err, CT_EINVAL, "'%s': not fractions such as 1%%,2%%,5%%", text);
        snprintf(word, sizeof word, "%.*s", (int)length, rest);
        CT_TRY(append_threshold(&list, word, err));
        if (rest[length] == '\0')
            break;
        rest += length + 1;
    }
    *(struct ct_thresholds *)field = list;
    return CT_OK;
}

void ct_thresholds_append(const struct ct_thresholds *thresholds, size_t i, const char *tolerated,
                          char *text, size_t size)
{
    char longer[CT_UNITS_TEXT_MAX];
    size_t used = strlen(text);
    ct_format_share(thresholds->frac[i], longer);
    snprintf(text + used, size - used, i ? ", %s for %s" : "%s for a run time %s longer", tolerated,
             longer);
}

void ct_thresholds_answer(const struct ct_thresholds *thresholds, const char *to,
                          const double *added_s, struct ct_tables *tables)
{
    char text[500] = "", added[CT_UNITS_TEXT_MAX], longer[CT_UNITS_TEXT_MAX];
    for (size_t i = 0; i < thresholds->n && isfinite(added_s[i]); i++) {
        size_t used = strlen(text);
        ct_format_words(added_s[i], 2, added);
        ct_format_share(thresholds->frac[i], longer);
        snprintf(text + used, sizeof text - used, "%s%s%s%s%s %s", i ? ", " : "Adding ", added,
                 i ? "" : " to ", i ? "" : to, i ? "" : " costs", longer);
    }
    ct_format_share(thresholds->frac[0], longer);
    if (*text)
        ct_tables_answer(tables, "%s.", text);
    else
        ct_tables_answer(tables, "No latency of %s makes the program %s longer.", to, longer);
}
