/*
 * Finds the call that receives each message. Messages are not stored, only channels (sender,
 * receiver, tag, communicator) and the receives of one rank at a time. Messages of a channel do not
 * overtake each other: the message sent first matches the receive posted first. These are the rules
 * of convert/match.c, which stores all messages.
 *
 * A pass over a rank is ct_messages_begin(), ct_messages_next() for each event, ct_messages_end().
 * First there is a counting pass over every rank, then ct_messages_pair(). After that, two passes
 * over a rank, as often as needed: one to order its receives, and one for the numbers of its
 * messages.
 */
#pragma once

#include "trace/convert/events.h"

struct ct_messages; /* opaque */

/* Kinds of passes over the events of a rank. */
enum ct_messages_pass {
    CT_MESSAGES_COUNT, /* first, of all ranks: how many messages each channel has */
    CT_MESSAGES_ORDER, /* then: the order in which the rank posted its receives, by the messages
                          that they got */
    CT_MESSAGES_NUMBER /* right after ORDER: the messages of each call */
};

/* Messages that a call sends, and those that it completes receiving; numbers from 1. */
struct ct_message_ends {
    uint64_t sent;            /* 0: none, or not received */
    const uint64_t *received; /* [n_received]; valid until the next call */
    size_t n_received;
};

/* CT_OK; CT_ENOMEM. events: no event is read */
enum ct_status ct_messages_new(const struct ct_events *events, struct ct_messages **messages_p,
                               struct ct_error *err);
void ct_messages_free(struct ct_messages *messages);

void ct_messages_begin(struct ct_messages *of, uint32_t rank, enum ct_messages_pass pass);

/*
 * The rank's next event. ends_p: only of CT_MESSAGES_NUMBER; may be NULL otherwise CT_OK;
 * CT_EFORMAT (a rank, tag or communicator that does not exist); CT_EUNSUPPORTED (more than 2^30
 * tags); CT_ENOMEM
 */
enum ct_status ct_messages_next(struct ct_messages *of, const struct ct_trace_event *event,
                                struct ct_message_ends *ends_p, struct ct_error *err);
enum ct_status ct_messages_end(struct ct_messages *of, struct ct_error *err);

/* After all ranks have been counted. */
void ct_messages_pair(struct ct_messages *of);

/* Highest number of a message; 0: there are none. */
uint64_t ct_messages_total(const struct ct_messages *messages);
