/** Names and classes of the MPI calls of events. */
#pragma once

#include "trace/format.h"

/** Classes of calls, for figures and statistics. */
#define CT_TRACE_CLASS_MAP(X)                                                                      \
    X(SEND, "send")                                                                                \
    X(RECEIVE, "receive")                                                                          \
    X(WAIT, "wait or test")                                                                        \
    X(COLLECTIVE, "collective")                                                                    \
    X(OTHER, "other")

enum ct_trace_class {
#define CT_TRACE_CLASS_ENUM(name, text) CT_TRACE_CLASS_##name,
    CT_TRACE_CLASS_MAP(CT_TRACE_CLASS_ENUM)
#undef CT_TRACE_CLASS_ENUM
        CT_TRACE_N_CLASSES
};

/** "send" and so on; "other" for a value outside the list. */
const char *ct_trace_class_text(enum ct_trace_class class);
enum ct_trace_class ct_trace_class_of(enum ct_trace_kind kind);

enum { CT_TRACE_CALL_MAX = CT_TRACE_TEXT_MAX + 1 };

/**
 * The name of an event's call: "MPI_Isend". The trace does not distinguish some similar calls: all
 * waits are MPI_Wait, calls with neighbours MPI_Neighbor_alltoallv. The start of a persistent
 * request is MPI_Start, or MPI_Startall if its call starts several.
 * @param name  [out] a call without a model: its own text; bytes that are not printable are '?'
 */
void ct_trace_call_name(const struct ct_trace_event *event, char name[CT_TRACE_CALL_MAX]);

/**
 * The name of all calls of a kind: "MPI_Isend", "MPI_Rput", "MPI_Neighbor".
 * @param mode  [in] of sends and accesses
 */
const char *ct_trace_kind_name(enum ct_trace_kind kind, enum ct_trace_mode mode, bool has_request);

/**
 * Whether a call is the vector form of its kind. Traces of version 1 tell it of a reduce_scatter by
 * its sizes.
 */
bool ct_trace_is_vector(const struct ct_trace_event *event);

/**
 * Bytes that an event sends: of its message (an access: to the other rank); for a collective those
 * of CT_TRACE_KIND_MAP, or the sum of its list.
 */
uint64_t ct_trace_sent_bytes(const struct ct_trace_event *event);
