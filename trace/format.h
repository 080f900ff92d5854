/**
 * Trace files: the MPI calls of one rank of a program. One file for each rank, named
 * rank-000000.trace. It is written while the program runs (trace/stream.h) and read by
 * trace/reader.h.
 *
 * A file is a header of CT_TRACE_HEADER_BYTES, then events, then zero bytes, if any. An event is a
 * byte with its kind, the start as nanoseconds since the end of the event before, the duration in
 * nanoseconds, and the fields that its kind has, in the order of enum ct_trace_field. Numbers are
 * base-128 varints, low bits first; signed numbers are mapped to unsigned ones first (zigzag: 0,
 * -1, 1, -2, ...). A typical call takes 8 to 16 bytes. The kind's byte is written last, so that a
 * file whose program was killed ends with its last whole event.
 *
 * The highest bit of that byte is set for a variant of the kind. Of a collective that is its vector
 * form. Of a send or receive it is the start of a persistent request: after the duration come
 * `starts` and `start` (struct ct_trace_event). A receive with 0 as `starts`, and without `start`,
 * got the begin of a message only. The second highest bit is set if the place in the program that
 * made the call was recorded: its number comes right after the duration.
 *
 * Threads of a program with MPI_THREAD_MULTIPLE may be in calls at the same time. Its files have
 * has_threads set. Events are in the order in which their calls ended; only an event without
 * values (wait, test below) comes later, right before the next one of its thread. The first number
 * of an event, in place of the start, is its end minus that of the event before, of any thread,
 * signed; after the duration (and the place of the call) come the thread and how many of the
 * events before it had not ended when its call began: index - after. Events of kind "site" have
 * neither.
 *
 * Ranks are those of MPI_COMM_WORLD, also in calls on other communicators. The ranks of a
 * communicator are runs (trace/ranks.h), so that the world takes as many bytes as one rank. Files
 * of versions before 5 list them one by one; the events that are read of them have runs, too. Where
 * there are more than CT_TRACE_INLINE_VALUES numbers of runs, the event is a variant of its kind
 * and has a number in place of them: the list is in a file of its own, which the first member
 * writes once (CT_TRACE_LIST_NAME_MAX), so that N ranks do not have N numbers each. Pure: no MPI,
 * no files.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is written. Read are all versions: 1 has no persistent requests and no vectors, 2 no places
 * of calls, 3 has them, 4 has threads, 5 has communicators as runs of ranks, 6 has one-sided
 * accesses, 7 has lists of ranks in files of their own, 8 has stages. */
enum { CT_TRACE_VERSION = 8, CT_TRACE_HEADER_BYTES = 64 };

/** Fields of an event; a kind has some of them. */
enum ct_trace_field {
    CT_TRACE_COMM = 1 << 0,    /**< communicator */
    CT_TRACE_REQUEST = 1 << 1, /**< request that completes the call later; 0: it is complete */
    CT_TRACE_MODE = 1 << 2,    /**< enum ct_trace_mode */
    CT_TRACE_TO = 1 << 3,      /**< message sent: rank, tag, bytes */
    CT_TRACE_FROM = 1 << 4,    /**< message received */
    CT_TRACE_ROOT = 1 << 5,    /**< rank */
    CT_TRACE_BYTES = 1 << 6,   /**< see CT_TRACE_KIND_MAP */
    CT_TRACE_VALUES = 1 << 7,  /**< list of numbers, see CT_TRACE_KIND_MAP */
    CT_TRACE_GROUP = 1 << 9,   /**< ranks of a communicator: ordinal, list, values */
    CT_TRACE_TEXT = 1 << 8     /**< at most CT_TRACE_TEXT_MAX bytes, of a site CT_TRACE_SITE_MAX */
};

enum { CT_TRACE_TEXT_MAX = 64, CT_TRACE_SITE_MAX = 160 };

/** Text of an unmodelled event in files of versions before 4: from here on threads of the rank may
 * call MPI at the same time. Events of these files do not tell the thread, and those of calls that
 * overlap start at the end of the one before. */
#define CT_TRACE_THREADS "communication by several threads at once"

/** Fields that all collectives have. */
#define CT_TRACE_COLLECTIVE_FIELDS (CT_TRACE_COMM | CT_TRACE_REQUEST)

/**
 * Kinds of events, with their text and fields. The nonblocking form of a call has a request, the
 * blocking one 0.
 *
 * - comm: a new communicator. ordinal: its number among the communicators with the same members, so
 *   that all members identify the same one. values: the members (trace/ranks.h).
 * - send, receive: a nonblocking receive for any source or any tag has -1 there, a blocking one has
 *   the actual values. The bytes of a nonblocking receive are the size of its buffer, those of a
 *   blocking one the size of the message.
 * - wait, test: calls that completed requests, or saw them complete (MPI_Request_get_status).
 *   values: ct_trace_completion_next(). An event without
 *   values replaces all calls since the event before that have no event of their own: tests and
 *   probes that found nothing, waits for requests that are not in the trace. Its duration is the
 *   sum of theirs, and it ends at the start of the next event.
 * - probe: a message was found, and is still to be received.
 * - free, cancel: of a request.
 * - send_init, receive_init: a persistent request is made: no communication yet. Each start of it
 * is a nonblocking send or receive with the same request, which stays its number until it is freed.
 *   A persistent request that a program frees without starting it again has a free, too.
 * - bytes of collectives: barrier none; bcast, reduce, allreduce, scan, exscan, reduce_scatter: of
 *   the whole vector; gather(v), allgather(v): sent by this rank; scatter(v): received by it;
 *   alltoall: sent by it to each rank. values: alltoallv (w): bytes sent to each member;
 *   reduce_scatter: bytes that each member receives; neighbor: number of destinations, then rank
 *   and bytes of each, then rank and bytes of each source.
 * - access: one-sided, to the memory of rank `to`, which makes no call for it: a message there, and
 *   one back of `bytes`, which is empty where nothing was asked for. mode: the call. A request
 *   completes it like a send.
 * - flush: a call waited until accesses of the communicator had got their messages back. values:
 *   the ranks that they went to; none: all.
 * - stages: a call, with its time, that begins the nonblocking events after it in stages, each when
 *   those before have ended. values: how many events each stage has.
 * - unmodelled: a call whose communication is not in the trace. text: its name.
 * - end: MPI_Finalize. It is missing if the program was aborted.
 * - site: no call: from here on a number, its `site`, stands for a place in the program that calls
 *   MPI. text: "exchange (lulesh+0x4f12)", the function, the file that was loaded, and the address
 *   in it, which addr2line translates. trace/reader.h hands out names instead of these events.
 */
#define CT_TRACE_KIND_MAP(X)                                                                       \
    X(BEGIN, "begin", 0)                                                                           \
    X(END, "end", 0)                                                                               \
    X(NEW_COMM, "comm", CT_TRACE_COMM | CT_TRACE_GROUP)                                            \
    X(SEND, "send", CT_TRACE_COMM | CT_TRACE_REQUEST | CT_TRACE_MODE | CT_TRACE_TO)                \
    X(RECEIVE, "receive", CT_TRACE_COMM | CT_TRACE_REQUEST | CT_TRACE_FROM)                        \
    X(SENDRECV, "sendrecv", CT_TRACE_COMM | CT_TRACE_TO | CT_TRACE_FROM)                           \
    X(PROBE, "probe", CT_TRACE_COMM | CT_TRACE_FROM)                                               \
    X(WAIT, "wait", CT_TRACE_VALUES)                                                               \
    X(TEST, "test", CT_TRACE_VALUES)                                                               \
    X(CANCEL, "cancel", CT_TRACE_REQUEST)                                                          \
    X(FREE, "free", CT_TRACE_REQUEST)                                                              \
    X(BARRIER, "barrier", CT_TRACE_COLLECTIVE_FIELDS)                                              \
    X(BCAST, "bcast", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_ROOT | CT_TRACE_BYTES)                 \
    X(REDUCE, "reduce", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_ROOT | CT_TRACE_BYTES)               \
    X(ALLREDUCE, "allreduce", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_BYTES)                         \
    X(SCAN, "scan", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_BYTES)                                   \
    X(EXSCAN, "exscan", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_BYTES)                               \
    X(GATHER, "gather", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_ROOT | CT_TRACE_BYTES)               \
    X(SCATTER, "scatter", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_ROOT | CT_TRACE_BYTES)             \
    X(ALLGATHER, "allgather", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_BYTES)                         \
    X(ALLTOALL, "alltoall", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_BYTES)                           \
    X(ALLTOALLV, "alltoallv", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_VALUES)                        \
    X(REDUCE_SCATTER, "reduce_scatter",                                                            \
      CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_BYTES | CT_TRACE_VALUES)                               \
    X(NEIGHBOR, "neighbor", CT_TRACE_COLLECTIVE_FIELDS | CT_TRACE_VALUES)                          \
    X(UNMODELLED, "unmodelled", CT_TRACE_TEXT)                                                     \
    X(SEND_INIT, "send_init", CT_TRACE_COMM | CT_TRACE_REQUEST | CT_TRACE_MODE | CT_TRACE_TO)      \
    X(RECEIVE_INIT, "receive_init", CT_TRACE_COMM | CT_TRACE_REQUEST | CT_TRACE_FROM)              \
    X(SITE, "site", CT_TRACE_TEXT)                                                                 \
    X(ACCESS, "access",                                                                            \
      CT_TRACE_COMM | CT_TRACE_REQUEST | CT_TRACE_MODE | CT_TRACE_TO | CT_TRACE_BYTES)             \
    X(WINDOW_FLUSH, "flush", CT_TRACE_COMM | CT_TRACE_VALUES)                                      \
    X(STAGES, "stages", CT_TRACE_VALUES)

/** 0 is no kind: it follows the last event. */
enum ct_trace_kind {
    CT_TRACE_NONE,
#define CT_TRACE_KIND_ENUM(name, text, fields) CT_TRACE_##name,
    CT_TRACE_KIND_MAP(CT_TRACE_KIND_ENUM)
#undef CT_TRACE_KIND_ENUM
        CT_TRACE_N_KINDS
};

/** "send" and so on; "none" for a value outside the list. */
const char *ct_trace_kind_text(enum ct_trace_kind kind);
/** Fields of a kind, enum ct_trace_field together; 0 for a value outside the list. */
unsigned ct_trace_kind_fields(enum ct_trace_kind kind);
/** Whether a kind of collective has a vector form, with a size for each member. */
bool ct_trace_kind_has_vector(enum ct_trace_kind kind);

enum ct_trace_mode {
    CT_TRACE_STANDARD,
    CT_TRACE_SYNCHRONOUS,
    CT_TRACE_BUFFERED,
    CT_TRACE_READY,
    CT_TRACE_N_MODES,
    /* Of an access, all of whose modes come from here on: */
    CT_TRACE_PUT = CT_TRACE_N_MODES,
    CT_TRACE_GET,
    CT_TRACE_ACCUMULATE,
    CT_TRACE_GET_ACCUMULATE,
    CT_TRACE_FETCH_AND_OP,
    CT_TRACE_COMPARE_AND_SWAP,
    CT_TRACE_LOCK, /**< of the rank's memory: no data */
    CT_TRACE_UNLOCK,
    CT_TRACE_ALL_MODES
};
const char *ct_trace_mode_text(enum ct_trace_mode mode);

struct ct_trace_message {
    int32_t rank, tag;
    uint64_t bytes;
};

/** One event. Fields that its kind does not have are 0: one struct for all kinds, so that what
 * passes events on need not know them. */
struct ct_trace_event {
    enum ct_trace_kind kind;
    uint64_t start_ns, end_ns; /**< on the clock of the rank's node, start <= end */
    uint32_t thread; /**< that made the call: 0 called MPI_Init, others are numbered in the order of
                        their first events */
    uint64_t after;  /**< of the rank's first `after` events all that other threads made had ended
                        when the call began; at most the index of the event, its number among those
                        of the rank from 0. A rank of one thread: the index */
    uint32_t comm;   /**< 0: MPI_COMM_WORLD, 1: MPI_COMM_SELF, others by "comm" events */
    uint32_t request; /**< numbers are reused after completion */
    uint32_t starts;  /**< of a send or receive: persistent requests that its call starts, one event
                         each; 0: it is not the start of one */
    uint32_t start;   /**< which of these it is, from 0 */
    bool cut;         /**< of a blocking receive, as in struct ct_trace_completion of others */
    bool vector;      /**< the vector form: MPI_Gatherv, also if all sizes are equal */
    enum ct_trace_mode mode;
    struct ct_trace_message to, from;
    uint32_t root;
    uint64_t bytes;
    uint64_t ordinal; /**< of a new communicator */
    /** Of a new communicator: not 0 if its values stay where they are as long as the source of the
     * event is open, and then ct_hash_numbers() of them: many ranks have the same ones. Without
     * values: those of the file of that list, as an event has it in its file. */
    uint64_t list;
    const uint64_t *values; /**< n_values; borrowed */
    size_t n_values;
    const char *text; /**< n_text bytes, without a zero at the end; borrowed */
    size_t n_text;
    uint32_t site;         /**< place of the call, numbered by "site" events; 0: not recorded */
    const char *site_name; /**< from the reader: its name, borrowed from the trace; else NULL */
};

/** A request that a wait or test completed. */
struct ct_trace_completion {
    uint32_t request;
    bool received;                /**< a message, whose actual source, tag and size are: */
    struct ct_trace_message from; /**< else 0 */
    bool cut; /**< the message was longer than its buffer, whose size is in `from`: the call failed
                 with MPI_ERR_TRUNCATE */
};

enum { CT_TRACE_COMPLETION_VALUES = 4 }; /**< most values of one completion */

/** Append to values (room for CT_TRACE_COMPLETION_VALUES more). @return their new number */
size_t ct_trace_completion_put(const struct ct_trace_completion *completion, uint64_t *values,
                               size_t n);
/**
 * The next completion of a wait or test.
 * @param at_p  [in,out] index among the event's values, 0 to begin with
 * @return false at the end, or if the values are damaged (then *at_p is below n_values)
 */
bool ct_trace_completion_next(const struct ct_trace_event *event, size_t *at_p,
                              struct ct_trace_completion *completion_p);

enum { CT_TRACE_NAME_MAX = 32 };
/** Name of a rank's file: "rank-000000.trace". */
void ct_trace_file_name(uint32_t rank, char name[CT_TRACE_NAME_MAX]);

/* ---- lists of ranks that are too long for the files of all members ---- */

enum { CT_TRACE_INLINE_VALUES = 63, CT_TRACE_LIST_NAME_MAX = 32 };
/** Name of the file of a list: "ranks-00c0ffee00c0ffee.list", beside the files of the ranks.
 * @param list  [in] ct_hash_numbers() of its values */
void ct_trace_list_name(uint64_t list, char name[CT_TRACE_LIST_NAME_MAX]);
/** Upper bound of the bytes of such a file. */
size_t ct_trace_list_bound(size_t n_values);
/** @param bytes  [out] room for ct_trace_list_bound()  @return bytes written */
size_t ct_trace_list_encode(const uint64_t *values, size_t n_values, unsigned char *bytes);
/**
 * @param values_p  [out] free(); unchanged on error
 * @return CT_OK; CT_EFORMAT (not the values of that list); CT_ENOMEM
 */
enum ct_status ct_trace_list_decode(const unsigned char *bytes, size_t size, uint64_t list,
                                    uint64_t **values_p, size_t *n_values_p, struct ct_error *err);

/** Header of a file. */
struct ct_trace_header {
    uint32_t rank, n_ranks;
    uint64_t start_ns;      /**< clock (CLOCK_MONOTONIC) when the file was begun */
    uint64_t start_unix_ns; /**< the same moment since 1970 */
    /**
     * Whether the time between two calls is the processor time of the thread that made them. Time
     * in calls is always that of the clock. Times of events are the sum of both, so they fall
     * behind the clock by the time in which the rank waited for a processor or slept.
     */
    bool by_processor;
    bool has_sites;   /**< places of calls are recorded */
    bool in_simgrid;  /**< the MPI is SimGrid's; not known of files of 0.2 */
    bool has_threads; /**< MPI_THREAD_MULTIPLE: events tell their threads. Time between calls by
                         processor is then that of each thread, and the times of two threads cannot
                         be compared: their order is that of `after` */
    bool lists_ranks; /**< from a file: of a version before 5 */
};

void ct_trace_header_encode(const struct ct_trace_header *header,
                            unsigned char bytes[CT_TRACE_HEADER_BYTES]);
/** @return CT_OK; CT_EFORMAT (not a trace, an unknown version, an invalid rank) */
enum ct_status ct_trace_header_decode(const unsigned char *bytes, size_t size,
                                      struct ct_trace_header *header_p, struct ct_error *err);

/** Upper bound of the bytes of an event. */
size_t ct_trace_event_bound(const struct ct_trace_event *event);

/** What comes before an event in its file: the event's numbers are relative to it. */
struct ct_trace_before {
    bool has_threads; /**< of the file */
    bool lists_ranks; /**< of the file: a version before 5 */
    uint64_t end_ns;  /**< end of the event before, of any thread; start of the file */
    uint64_t index;   /**< events before this one, those of kind CT_TRACE_SITE not counted */
};
/** What comes before the first event. */
struct ct_trace_before ct_trace_before_first(const struct ct_trace_header *header);
/** An event comes next: what comes before the one after it. */
void ct_trace_before_pass(struct ct_trace_before *before, const struct ct_trace_event *event);

/**
 * Write an event, its first byte last.
 * @param event   [in]  without threads: starts at before->end_ns or later; with them: `after` is
 *                      before->index or less
 * @param bytes   [out] room for ct_trace_event_bound()
 * @return bytes written
 */
size_t ct_trace_event_encode(const struct ct_trace_event *event,
                             const struct ct_trace_before *before, unsigned char *bytes);

/** Memory for the values of a decoded event; {0} at first. */
struct ct_trace_scratch {
    uint64_t *values;
    size_t room;
};
void ct_trace_scratch_free(struct ct_trace_scratch *scratch);

/**
 * Read the event at an offset of a file.
 * @param at_p     [in,out] offset in bytes; after the event on success, else unchanged
 * @param before   [in]     see ct_trace_threads_pass() for what its numbers do not say
 * @param event_p  [out] kind CT_TRACE_NONE at the end; borrows bytes and scratch until the next
 *                       call; unchanged on error
 * @return CT_OK; CT_EFORMAT (an unknown kind, a number out of range, the file ends within an
 *         event); CT_ENOMEM
 */
enum ct_status ct_trace_event_decode(const unsigned char *bytes, size_t size, size_t *at_p,
                                     const struct ct_trace_before *before,
                                     struct ct_trace_scratch *scratch,
                                     struct ct_trace_event *event_p, struct ct_error *err);

/** The threads of a rank: when the last event of each ended. */
struct ct_trace_threads {
    uint64_t begin_ns; /**< of the file: no thread's first event starts before */
    uint64_t *ends_ns; /**< [n] owned */
    uint32_t n, room;
};

/**
 * When the last event of a thread ended.
 * @param thread  [in]  at most threads->n: that number is the next new one
 * @param end_p   [out] in threads, valid until the next call; of a new thread begin_ns
 * @return CT_OK; CT_EFORMAT (a higher number); CT_ENOMEM
 */
enum ct_status ct_trace_threads_end(struct ct_trace_threads *threads, uint32_t thread,
                                    uint64_t **end_p, struct ct_error *err);

/**
 * Check the thread of the next event of a rank, as it comes from its file, and note its end.
 * @return CT_OK; CT_EFORMAT (threads are not numbered in the order of their first events; the event
 *         starts before the last one of its thread ends); CT_ENOMEM
 */
enum ct_status ct_trace_threads_pass(struct ct_trace_threads *threads,
                                     const struct ct_trace_event *event, struct ct_error *err);
void ct_trace_threads_free(struct ct_trace_threads *threads);
