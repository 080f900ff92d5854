/* The list of events that a rank's records are made into, and what all of them need: times,
 * communicators, ranks. */
#pragma once

#include "trace/otf2/calls.h"

enum ct_status ct_otf2_no_memory(const struct ct_otf2_calls *calls);

/* Since the archive's first tick. */
uint64_t ct_otf2_time_ns(const struct ct_otf2_calls *calls, OTF2_TimeStamp time);

/* The last n_values values are the event's. */
enum ct_status ct_otf2_add_value(struct ct_otf2_calls *calls, uint64_t value);
enum ct_status ct_otf2_add_event(struct ct_otf2_calls *calls, struct ct_trace_event event,
                                 uint64_t position);
/* What no model is for; text stays where it is. */
enum ct_status ct_otf2_add_unmodelled(struct ct_otf2_calls *calls, const char *text, uint64_t at_ns,
                                      uint64_t position);
/* The event that the rank has a communicator; none if it is no member. */
enum ct_status ct_otf2_add_comm(struct ct_otf2_calls *calls, const struct ct_otf2_comm *comm,
                                uint64_t start_ns, uint64_t end_ns, uint64_t position);
/* Something happened, at a time; what is first of the rank brings its communicators. */
enum ct_status ct_otf2_begin_events(struct ct_otf2_calls *calls, uint64_t at_ns, uint64_t position);

/* Whether a record's partner is MPI_PROC_NULL: a negative number in every MPI library, -1 or -2. */
bool ct_otf2_is_null(uint32_t peer);

/* A communicator that is defined, of one group. CT_OK; CT_EFORMAT; CT_EUNSUPPORTED */
enum ct_status ct_otf2_need_comm(const struct ct_otf2_calls *calls, OTF2_CommRef ref,
                                 const struct ct_otf2_comm **comm_p);
/* Rank of MPI_COMM_WORLD of a member. CT_OK; CT_EFORMAT */
enum ct_status ct_otf2_need_rank(const struct ct_otf2_calls *calls, const struct ct_otf2_comm *comm,
                                 uint32_t member, uint32_t *rank_p);
/* A message as an event has it; event: gets its communicator. CT_OK; CT_EFORMAT; CT_EUNSUPPORTED */
enum ct_status ct_otf2_take_message(const struct ct_otf2_calls *calls, OTF2_CommRef ref,
                                    uint32_t member, uint32_t tag, uint64_t bytes,
                                    struct ct_trace_event *event,
                                    struct ct_trace_message *message_p);
