/**
 * GOAL schedules: for every rank of a program its operations (calculate, send, receive) and their
 * dependencies. Source: T. Hoefler, T. Schneider and A. Lumsdaine, "LogGOPSim", HPDC 2010. Its text
 * and binary forms are read and written.
 *
 *     const struct ct_goal_op calc = {.kind = CT_GOAL_CALC, .amount = 500};
 *     const struct ct_goal_op send = {.kind = CT_GOAL_SEND, .amount = 8, .peer = 1};
 *     struct ct_goal_builder *builder = ct_goal_builder_new(2);
 *     ct_goal_begin_rank(builder, 0);
 *     uint32_t worked = ct_goal_add(builder, calc), sent = ct_goal_add(builder, send);
 *     ct_goal_require(builder, sent, worked, CT_GOAL_FINISH);
 *     ct_goal_begin_rank(builder, 1);
 *     ...
 *     status = ct_goal_build(builder, &goal, &err);
 *
 * Pure: no MPI. Files are read and written by text.c and binary.c.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum ct_goal_kind { CT_GOAL_CALC, CT_GOAL_SEND, CT_GOAL_RECV, CT_GOAL_N_KINDS };
const char *ct_goal_kind_text(enum ct_goal_kind kind);

enum {
    CT_GOAL_ANY_TAG = -1,
    CT_GOAL_TAG_MAX = INT32_MAX,
    CT_GOAL_RANKS_MAX = 1 << 20,
    CT_GOAL_OPS_MAX = 1 << 29 /**< over all ranks */
};

/** Largest sum of a rank's calculations, ns: thirty years, far from where whole numbers end. */
#define CT_GOAL_CALC_MAX_NS UINT64_C(1000000000000000000)

/** An operation. */
struct ct_goal_op {
    uint64_t amount;  /**< calc: nanoseconds; send and recv: bytes */
    uint32_t peer;    /**< rank to send to or to receive from, may be the rank itself; calc: 0 */
    int32_t tag;      /**< >= 0; of a recv also CT_GOAL_ANY_TAG; calc: 0 */
    uint8_t kind;     /**< enum ct_goal_kind */
    uint8_t cpu, nic; /**< nic of a calc: 0 */
    uint32_t line;    /**< of the text that it was read from, from 1; 0: none */
};

/** `op requires on`, or `op irequires on`; operations numbered over all ranks. */
struct ct_goal_dep {
    uint32_t op, on;
    bool irequires; /**< op waits for the start of on, not for its end */
};

/** Of these numbers of calls the last CT_GOAL_CALLS_ANYWHERE are for calls without a known place.
 */
enum { CT_GOAL_NO_CALL, CT_GOAL_CALLS_MAX = 1 << 8, CT_GOAL_CALLS_ANYWHERE = 1 << 6 };

/** A call of MPI, of all ranks, from one place in the program or, if that is not known, from all.
 */
struct ct_goal_call {
    const char *name; /**< "MPI_Waitall"; static storage; of CT_GOAL_NO_CALL "" */
    char *site;       /**< "exchange (lulesh+0x4f12)"; NULL: not known, or one place too many */
    uint64_t count;   /**< how often the ranks call it, together */
};

/** Calls of an operation, as numbers of calls; CT_GOAL_NO_CALL: none. */
struct ct_goal_op_calls {
    uint8_t made;   /**< the call that begins it */
    uint8_t waited; /**< the call in which the rank waits for its end; the same if it is a blocking
                         one, or if no call waits */
};

/** Which calls operations come from. Not in GOAL's text and binary forms. */
struct ct_goal_calls {
    uint32_t n_calls;
    struct ct_goal_call calls[CT_GOAL_CALLS_MAX]; /**< n_calls, the first CT_GOAL_NO_CALL */
    struct ct_goal_op_calls *of;                  /**< [n_ops] */
};

enum ct_goal_mark_flags {
    CT_GOAL_MARK_FIRST = 1, /**< of the first call that waits, for whatever, after op has begun */
    CT_GOAL_MARK_LAST = 2,  /**< of the call that waits for the end of op */
    CT_GOAL_MARK_START = 4, /**< from the start of `on`; else from its end */
    CT_GOAL_MARK_BEGINS = 8 /**< op itself begins in such a call: a later message of a nonblocking
                                 collective */
};

/**
 * In which calls of MPI the rank of a message that is not blocking waits until it ends: op is a
 * send or a receive, and the rank is in MPI from `on` until op has ended, but for pauses of
 * away_ns at most. Several marks of op with the same flag: from the latest `on`. An operation
 * without a mark is blocking: its rank is in MPI until it has ended.
 */
struct ct_goal_mark {
    uint64_t away_ns;
    uint32_t op, on; /**< numbered over all ranks; on = op: from the begin of the program */
    uint32_t rank;
    uint8_t flags; /**< FIRST, LAST or both, and the others */
};

/** A schedule. Owned; ct_goal_free(). Its arrays are not NULL even if they are empty. */
struct ct_goal {
    uint32_t n_ranks;
    uint64_t *first_op; /**< n_ranks + 1; operations of rank r: first_op[r] .. first_op[r + 1] */
    struct ct_goal_op *ops; /**< n_ops */
    uint64_t n_ops;
    struct ct_goal_dep *deps; /**< n_deps, in the order of the ranks */
    uint64_t n_deps;
    struct ct_goal_calls *calls; /**< NULL: not known */
    /** Of a window of a longer schedule: the first operation of each rank, a calc of 0, stands for
     * the last one of the window before. */
    bool goes_on;
    bool is_continued; /**< the last one is where the next window goes on; nothing waits for it */
    struct ct_goal_mark *marks; /**< n_marks, by op; NULL: not known, which n_marks = 0 is not */
    uint64_t n_marks;
    uint64_t *numbers_from; /**< [n_ranks] for messages: of the first operation of each rank of a
                                 window the number in its file, from 0; NULL: all 0 */
};

void ct_goal_free(struct ct_goal *goal);

/** Rank of an operation. */
uint32_t ct_goal_rank_of(const struct ct_goal *goal, uint32_t op);

enum { CT_GOAL_TEXT_MAX = 128 };
/** For messages: "rank 3, operation 17 in line 40 (send 8b to 1 tag 2)"; operations count from 1.
 */
void ct_goal_describe(const struct ct_goal *goal, uint32_t op, char text[CT_GOAL_TEXT_MAX]);

/* ---- making one ---- */

struct ct_goal_builder; /**< opaque; if it runs out of memory, ct_goal_build() returns CT_ENOMEM */

/** @param n_ranks  1 .. CT_GOAL_RANKS_MAX  @return NULL when out of memory */
struct ct_goal_builder *ct_goal_builder_new(uint32_t n_ranks);
void ct_goal_builder_free(struct ct_goal_builder *builder); /**< NULL is allowed */

/**
 * The next calls add to this rank. Each rank is begun at most once, in any order; a rank may have
 * no operations.
 */
void ct_goal_begin_rank(struct ct_goal_builder *builder, uint32_t rank);

/** @return its number within the rank, from 0 */
uint32_t ct_goal_add(struct ct_goal_builder *builder, struct ct_goal_op op);

/**
 * A tag of any size. Those above CT_GOAL_TAG_MAX get other numbers by ct_goal_build(): the smallest
 * that are no tags of the schedule. Equal tags stay equal.
 * @return for struct ct_goal_op
 */
int32_t ct_goal_make_tag(struct ct_goal_builder *builder, uint64_t tag);

/** Add a dependency: op waits for `on`. Both are numbers within the rank that was begun last. */
enum ct_goal_wait { CT_GOAL_FINISH, CT_GOAL_START };
void ct_goal_require(struct ct_goal_builder *builder, uint32_t op, uint32_t on,
                     enum ct_goal_wait wait);

/**
 * The rank that was begun last makes a call: operations that are added from now on, up to the next
 * call or rank, are made by it, and waited for in it. A builder without this has no calls.
 * @param name  [in] static storage; of at most CT_GOAL_CALLS_MAX - 1 different texts; NULL: no call
 * @param site  [in] place in the program; copied; the same text at an address means the same place
 *                   until the schedule is built; NULL: not known. Calls from more places than there
 *                   are numbers for have none
 * @return its number, for ct_goal_waited_in()
 */
uint8_t ct_goal_begin_call_at(struct ct_goal_builder *builder, const char *name, const char *site);

/** The call in which the rank that was begun last waits for its operations first .. last. */
void ct_goal_waited_in(struct ct_goal_builder *builder, uint32_t first, uint32_t last,
                       uint8_t call);

/** The schedule has marks of all messages that are not blocking, maybe none. */
void ct_goal_begin_marks(struct ct_goal_builder *builder);
/** @param mark  [in] op and on are numbers within its rank, which may be begun later */
void ct_goal_add_mark(struct ct_goal_builder *builder, struct ct_goal_mark mark);

/** @param from  [in] [n_ranks] for numbers_from of struct ct_goal; the builder's from now on; NULL:
 *                    out of memory */
void ct_goal_number_from(struct ct_goal_builder *builder, uint64_t *from);

/**
 * Check and finish; the builder is freed in any case.
 * @param goal_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (a peer that does not exist, a tag below 0, an operation that waits for
 *         itself, a dependency or a mark on an operation that does not exist, more than
 * CT_GOAL_OPS_MAX operations, calculations of a rank above CT_GOAL_CALC_MAX_NS), naming the
 * operation; CT_ENOMEM
 */
enum ct_status ct_goal_build(struct ct_goal_builder *builder, struct ct_goal *goal_p,
                             struct ct_error *err);

/* ---- files ---- */

/**
 * Read a schedule from a file in either form, recognized by its first bytes.
 * @param path    [in]  "-": standard input; pipes have the text form only
 * @param goal_p  [out] unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EFORMAT (with file, line and column, or rank; a folder; the format
 * of another tool); CT_EUNSUPPORTED (binary through a pipe); CT_EINVAL as ct_goal_build(); CT_EIO;
 * CT_ENOMEM
 */
enum ct_status ct_goal_read(const char *path, struct ct_goal *goal_p, struct ct_error *err);

/** Largest tag of a text: 2^64 - 1 is -1, any tag. */
#define CT_GOAL_TEXT_TAG_MAX (UINT64_MAX - 1)

/**
 * Read the text form. Besides the original's grammar `}` may end the line of an operation.
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 1000
 *     l2: send 8b to 1 tag 5 cpu 0 nic 0
 *     l2 requires l1              // tag, cpu and nic may be missing: 0
 *     }
 *
 * Tags up to CT_GOAL_TEXT_TAG_MAX are read as ct_goal_make_tag() says. Marks are lines of comments
 * to other programs, which begin where the line does:
 *
 *     //crosstalk-wait known                       // before the first rank: marks are all there
 *     //crosstalk-wait l2 last requires l1 away 0  // within a rank, behind l1 and l2
 *
 * with first, last or both; then begins, or nothing; then requires or irequires.
 *
 * @param name  [in] for messages
 * @return CT_OK; CT_EFORMAT (with line and column); CT_EINVAL as ct_goal_build(); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_goal_read_text(FILE *in, const char *name, struct ct_goal *goal_p,
                                 struct ct_error *err);

/**
 * Read LogGOPSim's binary form from memory. All its numbers are little-endian and unaligned.
 *
 *     file:       u64 4223, u32 ranks, u8 largest cpu, u8 largest nic;
 *                 for each rank u64 begin and u64 end of its part, from byte 8 of the file on;
 *                 the parts
 *     part:       u32 operations, u32 how many of them wait for nothing, their numbers u32 each;
 *                 the operations; the list: u32 numbers of the operations that wait
 *     operation:  u32 how many it waits for, u8 kind (1 send, 2 recv, 3 calc), u32 peer,
 *                 u64 bytes or ns, u32 tag (2^32 - 1: any), u8 cpu, u8 nic,
 *                 u32 how many wait for its end, u32 where in the list they begin,
 *                 u32 how many wait for its start, u32 where in the list they begin
 *     marks:      behind the last part, where the simulator does not read; none: not known;
 *                 8 bytes "CTWAITS1", u64 how many; of each u32 rank, u32 op and u32 on, within the
 *                 rank, u8 flags, u64 ns away
 *
 * Tags up to 2^32 - 2 are read as ct_goal_make_tag() says.
 */
enum ct_status ct_goal_read_binary(const unsigned char *bytes, size_t size, const char *name,
                                   struct ct_goal *goal_p, struct ct_error *err);
/** Whether bytes begin as the binary form does. */
bool ct_goal_is_binary(const unsigned char *bytes, size_t size);

/**
 * Memory that has a file in the binary form.
 * @param bytes_p  [out] munmap()
 * @return false: it is no such file, or cannot be mapped
 */
bool ct_goal_map_binary(const char *path, const unsigned char **bytes_p, size_t *size_p);

/** A schedule in the binary form that is read window by window; opaque (binary_windows.c). */
struct ct_goal_windows;

/**
 * Begin to read a schedule in windows, of which each is a schedule of its own: cut where each rank
 * has an operation through which all waiting of later operations for earlier ones goes, and every
 * message that is sent is received. T of the whole is that of the windows one after the other, as
 * of those of trace/convert/convert.h. Marks are not read. A schedule that has no such places, and
 * what follows from the first receive of any tag on, is one window.
 * @param weight     [in]  operations above which there are windows; for how many each has see
 *                         ct_goal_window_weight()
 * @param windows_p  [out] ct_goal_windows_free(); NULL: not a file in this form, or not so large
 * @return CT_OK; CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_goal_windows_open(const char *path, uint64_t weight,
                                    struct ct_goal_windows **windows_p, struct ct_error *err);
/** The same of bytes in memory, which are borrowed; *windows_p is never NULL. */
enum ct_status ct_goal_windows_of(const unsigned char *bytes, size_t size, const char *name,
                                  uint64_t weight, struct ct_goal_windows **windows_p,
                                  struct ct_error *err);

/**
 * The next window; !goal_p->is_continued: the last one.
 * @param goal_p  [out] ct_goal_free(); unchanged on error
 * @return as ct_goal_read()
 */
enum ct_status ct_goal_windows_next(struct ct_goal_windows *windows, struct ct_goal *goal_p,
                                    struct ct_error *err);
void ct_goal_windows_free(struct ct_goal_windows *windows); /**< NULL is allowed */

/** Operations, about, of a window of a schedule that has more than `weight`. */
uint64_t ct_goal_window_weight(uint64_t weight, uint32_t n_ranks);

/** @return CT_OK; CT_EIO */
enum ct_status ct_goal_write_text(const struct ct_goal *goal, FILE *out, struct ct_error *err);
enum ct_status ct_goal_write_binary(const struct ct_goal *goal, FILE *out, struct ct_error *err);
