#include "rehearsed_program.h"

#include "unit.h"

#include <string.h>

struct ct_rehearsal rehearsed(struct traced_program *program, uint32_t rank)
{
    struct ct_events events = events_of(program);
    struct ct_rehearsal rehearsal;
    struct ct_error err;
    if (ct_rehearse(&events, rank, &rehearsal, &err) != CT_OK)
        fail_msg("%s", err.text);
    return rehearsal;
}

void taken(struct traced_program program)
{
    struct ct_rehearsal rehearsal = rehearsed(&program, 0);
    ct_rehearsal_free(&rehearsal);
    program_free(&program);
}

void refused(struct traced_program program, enum ct_status expected, const char *words)
{
    struct ct_events events = events_of(&program);
    struct ct_rehearsal rehearsal;
    struct ct_error err;
    enum ct_status status = ct_rehearse(&events, 0, &rehearsal, &err);
    if (status == CT_OK)
        fail_msg("taken, without a word of '%s'", words);
    if (status != expected || !strstr(err.text, words))
        fail_msg("status %d, '%s', without '%s'", (int)status, err.text, words);
    program_free(&program);
}
