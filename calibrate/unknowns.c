#include "calibrate/unknowns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 48 };

/* Keys may come in any order in a file. */
static void insert_unknown(struct ct_unknowns *unknowns, size_t key,
                           const struct ct_parameter *parameter)
{
    size_t at = unknowns->n++;
    for (; at > 0 && unknowns->keys[at - 1] > key; at--) {
        unknowns->keys[at] = unknowns->keys[at - 1];
        unknowns->parameters[at] = unknowns->parameters[at - 1];
    }
    unknowns->keys[at] = key;
    unknowns->parameters[at] = *parameter;
}

enum ct_status ct_unknowns_add(struct ct_unknowns *unknowns, size_t key,
                               const struct ct_prior *prior, struct ct_error *err)
{
    static const char *const units[] = {
        [CT_STACK_BYTES_PER_S] = "B/s", [CT_STACK_SECONDS] = "s", [CT_STACK_AMOUNT] = "B"};
    enum ct_stack_unit unit = ct_stack_key_unit(key);
    if (unit > CT_STACK_AMOUNT)
        return ct_fail(err, CT_EFORMAT,
                       "%s: rates, durations, burst and ahead have priors; give a value",
                       ct_stack_key_name(key));
    const struct ct_parameter parameter = {
        .name = ct_stack_key_name(key), .unit = units[unit], .prior = *prior};
    for (size_t i = 0; i < unknowns->n; i++)
        if (unknowns->keys[i] == key)
            return ct_fail(err, CT_EINVAL, "%s: has a prior already", parameter.name);
    enum ct_status status = ct_parameters_check(&parameter, 1, err);
    struct ct_stack_parameters at = unknowns->fixed;
    for (int end = -1; end <= 1 && status == CT_OK; end += 2) {
        status = ct_stack_set(&at, key, ct_prior_value(prior, end), err);
        if (status != CT_OK)
            ct_fail_within(err, status, "the prior reaches too far");
    }
    if (status == CT_OK)
        insert_unknown(unknowns, key, &parameter);
    return status;
}

/* ---- files ---- */

/* "uniform 8GB/s 16GB/s": three words. */
static enum ct_status parse_prior(size_t key, const char *text, struct ct_prior *prior_p,
                                  struct ct_error *err)
{
    char words[3][WORD_MAX];
    int end = 0;
    if (strlen(text) >= WORD_MAX * 3 ||
        sscanf(text, "%47s %47s %47s %n", words[0], words[1], words[2], &end) != 3 ||
        text[end] != '\0')
        return ct_fail(err, CT_EFORMAT,
                       "%s '%.100s': a value, or a prior of three words, such as uniform 8GB/s "
                       "16GB/s",
                       ct_stack_key_name(key), text);
    enum ct_status status = ct_prior_kind_of(words[0], &prior_p->kind, err);
    if (status != CT_OK)
        return ct_fail_within(err, CT_EFORMAT, "%s", ct_stack_key_name(key));
    CT_TRY(ct_stack_key_parse(key, words[1], &prior_p->a, err));
    return ct_stack_key_parse(key, words[2], &prior_p->b, err);
}

static enum ct_status take_line(void *taker, size_t key, const char *value, struct ct_error *err)
{
    struct ct_prior prior = {.kind = CT_PRIOR_UNIFORM};
    enum ct_status status = parse_prior(key, value, &prior, err);
    if (status == CT_OK)
        status = ct_unknowns_add(taker, key, &prior, err);
    return status == CT_EINVAL ? CT_EFORMAT : status;
}

static enum ct_status finish_reading(struct ct_unknowns *read, enum ct_status status,
                                     const char *source, struct ct_unknowns *unknowns_p,
                                     struct ct_error *err)
{
    if (status == CT_OK && read->n == 0)
        return ct_fail(err, CT_ENODATA,
                       "%s: no parameter has a prior; write those that are not known as 'pin: "
                       "uniform 1us 7us'",
                       source);
    if (status == CT_OK)
        *unknowns_p = *read;
    return status;
}

enum ct_status ct_unknowns_parse(const char *text, const char *source,
                                 struct ct_unknowns *unknowns_p, struct ct_error *err)
{
    struct ct_unknowns read = {.fixed = ct_stack_defaults()};
    enum ct_status status = ct_stack_parse(text, source, take_line, &read, &read.fixed, err);
    return finish_reading(&read, status, source, unknowns_p, err);
}

enum ct_status ct_unknowns_read(const char *path, struct ct_unknowns *unknowns_p,
                                struct ct_error *err)
{
    struct ct_unknowns read = {.fixed = ct_stack_defaults()};
    enum ct_status status = ct_stack_read(path, take_line, &read, &read.fixed, err);
    return finish_reading(&read, status, path, unknowns_p, err);
}

struct ct_stack_parameters ct_unknowns_at(const struct ct_unknowns *unknowns, const double *values)
{
    struct ct_stack_parameters at = unknowns->fixed;
    for (size_t i = 0; i < unknowns->n; i++)
        ct_stack_set(&at, unknowns->keys[i], values[i], NULL);
    return at;
}

void ct_unknowns_prior_text(const struct ct_unknowns *unknowns, size_t i,
                            char text[CT_PRIOR_TEXT_MAX])
{
    const struct ct_prior *prior = &unknowns->parameters[i].prior;
    char a[CT_STACK_VALUE_MAX], b[CT_STACK_VALUE_MAX];
    ct_stack_key_format(unknowns->keys[i], prior->a, a);
    ct_stack_key_format(unknowns->keys[i], prior->b, b);
    snprintf(text, CT_PRIOR_TEXT_MAX, "%s %s %s", ct_prior_kind_text(prior->kind), a, b);
}
