/**
 * The software stack of MPI in a simulation: protocols of messages, what their steps cost the
 * processor, and who makes progress. Three families:
 *
 * - LogGPS: the protocols and overheads of lp-bridge/graph/message.h;
 * - sockets: the costs of LogGPS, and what an MPI library over TCP does with them (as packets
 *   captured in a lab have it: MPICH 4.0 with UCX 1.13). A rank works for one message at a time,
 *   and takes what has come only once its program waits: after what it has posted itself. Small
 *   messages are eager; large ones are put, and the receive ends when it is notified:
 *
 *     rendezvous  sender    waits for the send     control            request ->
 *                 receiver  waits for the receive  control            grant ->
 *                 sender                           send               data ->
 *                 receiver                         control            ack ->
 *                 sender    send ends: PAID        control            end ->
 *                 receiver                         recv                             receive: PAID
 *
 * - RDMA: mailbox, eager with an RDMA get, and rendezvous with an RDMA get, for small, medium and
 *   large messages [D, section 3.1]:
 *
 *     mailbox     sender    waits for the send     header             data ->       send ends: PAID
 *                 receiver  waits for the receive  copy                             receive: PAID
 *
 *     eager       sender    waits for the send     copy, header       header ->     send ends: PAID
 *                 receiver                         RDMA               request ->
 *                 sender    (its network card)                        data ->
 *                 receiver  waits for the receive  copy                             receive: PAID
 *
 *     rendezvous  sender    waits for the send     pin, header        header ->
 *                 receiver  waits for the receive  pin, RDMA          request ->
 *                 sender    (its network card)                        data ->
 *                 receiver  (its network card)     receive ends       ack ->
 *                 sender    send ends
 *
 * A mailbox message takes a credit for the memory at the receiver. The credit is back at the sender
 * when the message has been copied and the network has carried the news.
 */
#pragma once

#include "core/units.h"
#include "lp-bridge/graph/graph.h"
#include "simulate/network.h"

/** Who begins a step that the program does not wait for at the time. */
enum ct_progress {
    CT_PROGRESS_ASYNC,  /**< the library or the network card, also while the program computes */
    CT_PROGRESS_IN_CALL /**< the library, which acts only while the program waits */
};
extern const char *const ct_progress_names[]; /**< "async", "in-call", NULL */

enum ct_stack_family { CT_STACK_RDMA, CT_STACK_LOGGPS, CT_STACK_SOCKETS };
extern const char *const ct_stack_family_names[]; /**< "rdma", "loggps", "sockets", NULL */

/**
 * Parameters of a simulated network with its protocols; ct_stack_defaults(), or from a file. Those
 * of RDMA [D, Table 1] have defaults; L, o, G and S of LogGPS and those of queues count only where
 * they are given. One struct, since each member is a key of the file, and what a calibration may
 * vary.
 */
struct ct_stack_parameters {
    int family;                   /**< enum ct_stack_family */
    uint32_t given;               /**< bit k: a value was given for key k */
    double injection_bytes_per_s; /**< links of nodes, > 0 */
    double link_bytes_per_s;      /**< links between switches, > 0 */
    double memory_bytes_per_s;    /**< copies, > 0 */
    double header_s;              /**< to post a header, >= 0 */
    double rdma_s;                /**< to post an RDMA get, >= 0 */
    double pin_s, pin_page_s;     /**< to pin memory, and for each of its pages, >= 0 */
    double hop_s;                 /**< latency of a switch and a link, >= 0 */
    size_t page_bytes;            /**< > 0 */
    size_t mailbox_max_bytes;     /**< largest message that goes to a mailbox */
    size_t eager_max_bytes; /**< largest message that is sent eagerly; not below mailbox_max */
    uint64_t credits;       /**< messages of a rank in the mailbox of another; 0: no limit */
    int progress;           /**< enum ct_progress */
    double L_s, o_s, G_s_per_byte; /**< LogGPS, >= 0; G > 0 */
    size_t S_bytes;                /**< largest eager message of LogGPS */
    int order;                     /**< of ports: enum ct_port_order */
    double burst_bytes;            /**< simulate/network.h, >= 0 */
    double ahead_bytes;            /**< the window, simulate/network.h; >= 0 */
};

/** RDMA with the most likely values of the paper, and the constants that it does not have. */
struct ct_stack_parameters ct_stack_defaults(void);

/**
 * Takes a parameter that has a range instead of a value.
 * @param taker  [in,out] as given to ct_stack_read()
 * @param key    [in] index of the key
 * @param value  [in] text after the key
 * @return CT_OK; anything else ends the reading, with the line named
 */
typedef enum ct_status ct_stack_taker(void *taker, size_t key, const char *value,
                                      struct ct_error *err);

/**
 * Read parameters: lines `key: value`, a flat mapping of YAML, with comments after `#`. Keys that
 * are not there keep their defaults. Rates are 13.04GB/s or 104.32gbit.
 *
 *     injection-bandwidth: 13.04GB/s    link-bandwidth    memory-bandwidth
 *     post-header: 360ns                post-rdma         pin    pin-page    hop
 *     page: 4KiB                        mailbox-max       eager-max
 *     mailbox-credits: 16               # 0: no limit
 *     progress: async                   # or in-call
 *
 * or, in place of all of these,
 *
 *     protocols: loggps                 # or sockets
 *     L: 50us    o: 5us    G: 0.4us     # seconds; per byte
 *     S: 256KiB                         # larger messages use rendezvous
 *
 * and with both
 *
 *     queue: fifo                       # or round-robin
 *     burst: 1600B                      # what an unused link lets pass at once
 *     ahead: 30kB                       # most bytes under way from a node to another one
 *
 * Of a file in which a parameter may have a range instead of a value whatever has a blank in it, as
 * `uniform 8GB/s 16GB/s`, is handed to a function, and the parameter keeps its default.
 *
 * @param take          [in]  called for each of them; NULL: there are none
 * @param taker         [in]  first argument of its calls
 * @param parameters_p  [out] unchanged on error
 * @return CT_OK; CT_EFORMAT naming the line (an unknown key, one that is there twice or of the
 *         other protocols, a value out of range); what ct_file_read() and take() return
 */
enum ct_status ct_stack_read(const char *path, ct_stack_taker *take, void *taker,
                             struct ct_stack_parameters *parameters_p, struct ct_error *err);
/** The same from a text. @param source  [in] for messages */
enum ct_status ct_stack_parse(const char *text, const char *source, ct_stack_taker *take,
                              void *taker, struct ct_stack_parameters *parameters_p,
                              struct ct_error *err);

/** Unit of the value of a key, as a number; of a choice the number is an enum. */
enum ct_stack_unit {
    CT_STACK_BYTES_PER_S,
    CT_STACK_SECONDS,
    CT_STACK_AMOUNT, /**< bytes, of which there may be a fraction: results vary smoothly with it */
    CT_STACK_BYTES,  /**< whole ones, at which something jumps */
    CT_STACK_COUNT,
    CT_STACK_CHOICE
};

/** Keys of the parameters, numbered in the order of ct_stack_visit(). */
enum { CT_STACK_KEYS = 21, CT_STACK_VALUE_MAX = CT_UNITS_TEXT_MAX + 8 };

/** Keys by their number, as far as others need to know. */
enum ct_stack_key {
    CT_STACK_KEY_L = 14,
    CT_STACK_KEY_o,
    CT_STACK_KEY_G,
    CT_STACK_KEY_S,
    CT_STACK_KEY_QUEUE,
    CT_STACK_KEY_BURST,
    CT_STACK_KEY_AHEAD
};

/** @param key  [in] < CT_STACK_KEYS, as below */
const char *ct_stack_key_name(size_t key);
enum ct_stack_unit ct_stack_key_unit(size_t key);

/** Number of a key; CT_STACK_KEYS: there is none of that name. */
size_t ct_stack_key_find(const char *name);

/** Read a value with its unit. @return CT_OK; CT_EFORMAT (also out of range), naming the key */
enum ct_status ct_stack_key_parse(size_t key, const char *text, double *value_p,
                                  struct ct_error *err);

/** Text of a value that ct_stack_key_parse() reads, with at least 6 significant digits. */
void ct_stack_key_format(size_t key, double value, char text[CT_STACK_VALUE_MAX]);

/** Whether a value was given for a key, and not a default. */
static inline bool ct_stack_is_given(const struct ct_stack_parameters *parameters, size_t key)
{
    return parameters->given >> key & 1;
}

/** Whether results depend on a key: those of the other protocols, and of queues that are not given,
 * count for nothing. */
bool ct_stack_counts(const struct ct_stack_parameters *parameters, size_t key);

/** Whether the values are enough for a simulation. @return CT_OK; CT_EUSAGE: an L, o or G of LogGPS
 * is missing, which the message names */
enum ct_status ct_stack_check(const struct ct_stack_parameters *parameters, struct ct_error *err);

/**
 * Check that nothing is given twice: in a file of parameters, and by the command's option of the
 * same name.
 * @param options  [in] bit k: the option --KEY of key k was given
 * @param path     [in] of the file, for the message
 * @return CT_OK; CT_EUSAGE, naming both
 */
enum ct_status ct_stack_check_options(const struct ct_stack_parameters *parameters,
                                      uint32_t options, const char *path, struct ct_error *err);

/** Value of a key. */
double ct_stack_value(const struct ct_stack_parameters *parameters, size_t key);

/** Give a key a value. @return CT_OK; CT_EINVAL: out of range */
enum ct_status ct_stack_set(struct ct_stack_parameters *parameters, size_t key, double value,
                            struct ct_error *err);

/** Set the rates and latencies of a network, G of its links and `hop` for each switch, or L of
 * every path; and what is given of its queues. */
void ct_stack_set_network(const struct ct_stack_parameters *parameters,
                          struct ct_simulate_network_setup *setup);

/** Call visit(key, value as text, data) for every parameter that counts. */
void ct_stack_visit(const struct ct_stack_parameters *parameters,
                    void (*visit)(const char *key, const char *value, void *data), void *data);

/** Work of a processor in a step; a step may have several. */
enum ct_work {
    CT_WORK_NONE = 0,
    CT_WORK_HEADER = 1,
    CT_WORK_RDMA = 2,
    CT_WORK_COPY = 4,
    CT_WORK_PIN = 8,
    CT_WORK_CONTROL = 16, /**< overheads of LogGPS: enum ct_message_overhead */
    CT_WORK_SEND = 32,
    CT_WORK_RECV = 64
};

/** As struct ct_message_step, whose overhead is an enum ct_work here. */
struct ct_stack_step {
    enum ct_message_side by;
    enum ct_message_wait waits_for;
    uint8_t work; /**< of enum ct_work, or-ed */
    enum ct_message_content carries;
};

enum { CT_STACK_STEPS_MAX = 6, CT_STACK_PROTOCOLS_MAX = 3 };

/** As struct ct_protocol. */
struct ct_stack_protocol {
    const char *name;
    struct ct_stack_step steps[CT_STACK_STEPS_MAX]; /**< n_steps */
    uint8_t n_steps;
    uint8_t met;
    struct ct_message_point send_ends, recv_ends;
    bool takes_credit;
    uint64_t max_bytes; /**< the largest message; of the last protocol UINT64_MAX */
};

/** Protocols with their costs. Immutable; without memory of its own. */
struct ct_stack {
    struct ct_stack_protocol protocols[CT_STACK_PROTOCOLS_MAX]; /**< n, for messages in ascending
                                                                   order of size */
    uint8_t n;
    bool less_one_byte; /**< B of a message is its size less one byte, as in LogGPS */
    bool one_at_a_time; /**< a rank does the work of one message at a time */
    enum ct_progress progress;
    uint32_t credits; /**< 0: no limit */
    double header_ns, rdma_ns, copy_ns_per_byte, pin_ns, pin_page_ns;
    uint64_t page_bytes;
    double o_ns;
    const struct ct_overheads *overheads; /**< by size, instead of o_ns; borrowed; NULL: none */
    double local_ns, local_ns_per_byte;   /**< of a message inside a node */
    double g_ns; /**< least time from the first byte of a message, sent without a request, until
                      that of the next one of the rank */
    const struct ct_gaps *gaps; /**< by size, in place of G for all; borrowed; NULL: none */
};

/**
 * LogGPS. Overheads of different messages may overlap, as in lp-bridge/graph/. Messages inside a
 * node take L + B G.
 * @param eager_max_bytes  [in] S
 * @param overheads        [in] by size; borrowed by the stack; NULL: o
 */
struct ct_stack ct_stack_loggps(const struct ct_loggps *at, size_t eager_max_bytes,
                                const struct ct_overheads *overheads);

/** The same costs over sockets, where overheads of a rank do not overlap. */
struct ct_stack ct_stack_sockets(const struct ct_loggps *at, size_t eager_max_bytes,
                                 const struct ct_overheads *overheads);

/** The RDMA protocols. Messages inside a node take as long as a copy. */
struct ct_stack ct_stack_rdma(const struct ct_stack_parameters *parameters);

/** The protocols of the parameters' family, with their costs. */
struct ct_stack ct_stack_of(const struct ct_stack_parameters *parameters);

/** The same protocols without any cost: of work, and of messages inside a node. */
struct ct_stack ct_stack_free_of_cost(const struct ct_stack *stack);

/** Index of the protocol of a message. */
static inline uint8_t ct_stack_protocol_of(const struct ct_stack *stack, uint64_t bytes)
{
    uint8_t i = 0;
    while (bytes > stack->protocols[i].max_bytes)
        i++;
    return i;
}

/** Time of the work of a step, for a message of so many bytes; ns. */
double ct_stack_work_ns(const struct ct_stack *stack, uint8_t work, uint64_t bytes);

/** What the network carries in a step: bytes, at G each, and a part of the latency that is added.
 */
struct ct_stack_carried {
    double bytes, late_frac;
};
struct ct_stack_carried ct_stack_carried(const struct ct_stack *stack,
                                         const struct ct_stack_step *step, uint64_t bytes);
