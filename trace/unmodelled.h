/** What is not modelled of a program: calls by their names, and what else its traces do not have.
 */
#pragma once

#include "trace/format.h"

/**
 * Texts of unmodelled events that are no calls. Their time is from the start to the end of the
 * event, and no compute.
 */
#define CT_TRACE_NOT_RECORDED "a part that was not recorded"
#define CT_TRACE_FLUSH "writing of the tracer's buffer"
#define CT_TRACE_END_NOT_RECORDED "the rest of the program" /* time: none */
#define CT_TRACE_BEGUN_BEFORE "a request that began while nothing was recorded"
#define CT_TRACE_SIZES                                                                             \
    "what the sizes of a collective count" /* the archive's writer is unknown                      \
                                            */

/** Whether an event is of kind CT_TRACE_UNMODELLED, and has that text. */
bool ct_trace_is_unmodelled(const struct ct_trace_event *event, const char *text);

/** Events of one text, over all ranks. */
struct ct_trace_unmodelled {
    char name[CT_TRACE_TEXT_MAX + 1];
    uint64_t calls;
    uint64_t time_ns;
};

/**
 * Count an event of kind CT_TRACE_UNMODELLED.
 * @param list_p  [in,out] *n_p of them, owned; NULL and 0 at first
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_trace_unmodelled_add(struct ct_trace_unmodelled **list_p, size_t *n_p,
                                       const struct ct_trace_event *event, struct ct_error *err);

/**
 * What the traces lose with a call that is there by name only: "its message". "": the call does not
 * communicate, or is not known. name: "MPI_Isendrecv"; case, the endings of Fortran and of large
 * counts do not matter.
 */
const char *ct_trace_lost_with(const char *name);

enum { CT_TRACE_COUNT_TEXT_MAX = 192 };
/**
 * How often, how long and what is lost, to follow "NAME is not modelled": "(calls: 4): lost are
 * ...".
 */
void ct_trace_unmodelled_describe(const struct ct_trace_unmodelled *unmodelled,
                                  char text[CT_TRACE_COUNT_TEXT_MAX]);
