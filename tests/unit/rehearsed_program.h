/* Programs made by hand, rehearsed: those that are taken, and those that are refused. */
#pragma once

#include "trace/rehearse/rehearsal.h"
#include "traced_program.h"

/* What a rank needs; fails the test if the program is refused. ct_rehearsal_free() */
struct ct_rehearsal rehearsed(struct traced_program *program, uint32_t rank);

/* These take the program, and free it. */
void taken(struct traced_program program);
/* words: in the message */
void refused(struct traced_program program, enum ct_status expected, const char *words);
