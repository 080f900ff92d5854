/*
 * Actions of ranks, independent of MPI: messages that begin, completions, collectives. They are
 * made from the events of traces, and schedules are made from them. Here messages get their actual
 * source, tag and counterpart.
 */
#pragma once

#include "trace/convert/communicators.h"
#include "trace/convert/convert.h"
#include "trace/convert/events.h"

#include <stdint.h>

enum ct_action_kind {
    CT_ACTION_NONE, /* time passes */
    CT_ACTION_SEND,
    CT_ACTION_RECEIVE,
    CT_ACTION_COLLECTIVE,
    CT_ACTION_COMPLETE, /* the program waits for earlier actions */
    CT_ACTION_ACCESS    /* one-sided; an action NONE follows, of the message back */
};

enum {
    CT_ACTION_BLOCKS = 1 << 0,    /* the program continues at its end, not at its start */
    CT_ACTION_COMPLETED = 1 << 1, /* the program waits or tests for its completion successfully */
    CT_ACTION_CANCELLED =
        1 << 2, /* the program called MPI_Cancel(); whether it succeeded is not in the trace */
    CT_ACTION_UNRESOLVED = 1 << 3, /* a receive whose source or tag is not known */
    CT_ACTION_DROPPED = 1 << 4,    /* not in the schedule */
    CT_ACTION_MATCHED = 1 << 5,    /* partner is set */
    CT_ACTION_MARK = 1 << 6,       /* the last of a blocking collective of all ranks */
    CT_ACTION_CONTINUES = 1 << 7   /* of the same event as the action before it */
};

/* Where an action is in a call that begins its actions in stages. */
enum ct_action_stage {
    CT_STAGE_NONE,
    CT_STAGE_FIRST, /* the first of the call */
    CT_STAGE_SAME,  /* it begins with the one before */
    CT_STAGE_NEXT   /* it begins when all of the call before it have ended */
};

struct ct_action {
    uint64_t gap_ns;   /* compute before it */
    uint64_t position; /* of its event, for messages */
    uint64_t bytes;    /* of a message; of a receive without CT_ACTION_COMPLETED: room for it */
    uint32_t peer;     /* of a message: rank; of a collective: communicator */
    uint32_t number;   /* of a message: tag of the schedule; of a collective: instance */
    /* Message: the counterpart among the peer's actions. Complete: where in `completed` its list
     * begins. */
    uint32_t partner;
    uint32_t
        n; /* complete: length of the list; others: actions of their request, itself the first */
    uint8_t kind, flags;
    uint8_t mode;         /* enum ct_trace_mode; of a receive that is matched: of its send */
    uint8_t event;        /* enum ct_trace_kind of its event */
    bool nonblocking : 1; /* its event has a request */
    bool cut : 1;         /* a receive of a message that is longer than `bytes` */
    uint8_t stage;        /* enum ct_action_stage */
    uint16_t site;        /* place in the program, of struct ct_actions; 0: not known */
};

struct ct_rank_actions {
    struct ct_action *actions;
    uint32_t n, room;
    uint32_t *completed; /* actions, for those of CT_ACTION_COMPLETE */
    uint32_t n_completed, room_completed;
    uint32_t *comms; /* [n_comms] that this rank is a member of, in the order of first use */
    uint32_t n_comms, room_comms;
    uint64_t last_position;  /* of its events */
    uint32_t n_not_recorded; /* parts of it */
    bool ended;              /* by MPI_Finalize, or where its recording was turned off */
};

struct ct_actions {
    uint32_t n_ranks;
    struct ct_rank_actions *ranks;
    struct ct_comms comms;
    char **sites; /* [n_sites] names of the places that calls of all ranks come from */
    uint32_t n_sites, room_sites;
};

enum { CT_ACTIONS_SITES_MAX = UINT16_MAX }; /* calls from further places have none */

void ct_rank_actions_free(struct ct_rank_actions *of);
void ct_actions_free(struct ct_actions *actions);

/*
 * Find the counterparts of messages. In an aborted program the actions after one without
 * counterpart are dropped. CT_OK; CT_EFORMAT naming the first message or call without counterpart,
 * or with another size
 */
enum ct_status ct_actions_match(struct ct_actions *actions, const struct ct_events *events,
                                struct ct_convert_notes *notes, struct ct_error *err);

/*
 * Drop what lies outside a part of the program, and the compute there. CT_OK; CT_EUSAGE (no such
 * part, or messages or requests are under way at its begin or end); CT_ENOMEM
 */
enum ct_status ct_actions_cut(struct ct_actions *actions, const struct ct_convert_part *part,
                              struct ct_error *err);

/* Where the program of a rank is between two windows (windows.h). */
struct ct_rank_carry {
    double compute_ns; /* since the point at which the window ended */
    bool is_set_up;    /* the rank has communicated */
    bool joins_many; /* that point was of many operations, and becomes one when the rank goes on */
};

/*
 * Write the schedule. carry: NULL: of a whole program; else [n_ranks] from window to window: the
 * first operation of each rank is what the window before ended with, unless is_first; the last one
 * what the next window begins with, unless is_last. The actions of each rank of a whole program,
 * and of the last window, are freed as soon as it is there.
 */
struct ct_emit_window {
    struct ct_rank_carry *carry;
    bool is_first, is_last;
};
enum ct_status ct_actions_emit(struct ct_actions *actions, const struct ct_convert_options *options,
                               const struct ct_emit_window *window, struct ct_goal *goal_p,
                               struct ct_error *err);
