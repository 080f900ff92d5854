/**
 * Shapers of ports: buckets of tokens, each for a byte that may pass at once.
 *
 * A bucket fills at its rate, up to the burst, which is 0 where ports are not shaped. Where ports
 * serve in the order of arrival they are as tbf of Linux: the port has one bucket, and the bytes
 * that it has no tokens for pass at the rate of the port. Where they serve inputs in turn they are
 * as htb with a class for each input: beside the bucket of the port, each input has one that fills
 * at the share of the rate that it is assured, 1 / (nodes + 1), and one that fills at the rate of
 * the port (ceil). No packet passes while that is in debt. A packet passes by what its input is
 * assured, if there is no debt in that bucket, or else by what the port lends, if it has no debt.
 * The port and ceil pay for all packets, what is assured not for those that the port lends. So as
 * many bursts as there are inputs may pass together, and what is sent then waits until the port
 * has paid for them.
 *
 * A bucket is kept as the time t at which it has no tokens, not counting those to come later: with
 * a gap of g a byte it has (now - t) / g, at most the burst b, and a debt before t. To take B bytes
 * sets t to max(t, now - b g) + B g. Source: virtual scheduling algorithm of ITU-T I.371 (GCRA).
 */
#pragma once

#include "core/lesser.h"
#include "core/map.h"

struct ct_bucket {
    double empty_ns; /**< -INFINITY: it is full */
};

/** What an input of a port has. */
struct ct_input_buckets {
    struct ct_bucket assured, ceil;
};

/** What all ports have in common. {0} at first, without shapers; ct_tokens_free(). */
struct ct_tokens {
    double burst_bytes;    /**< >= 0 */
    double n_shares;       /**< an input is assured the rate of its port by this; 0: tbf */
    struct ct_map numbers; /**< (way, key of the input): in inputs */
    struct ct_input_buckets *inputs;
    uint32_t n_inputs;
    size_t room_inputs;
};
void ct_tokens_free(struct ct_tokens *tokens);

/**
 * The buckets of an input, which are full when it is asked for first.
 * @param key       [in]  which of the inputs of the port
 * @param number_p  [out] for the functions below
 * @return false: out of memory
 */
bool ct_tokens_input(struct ct_tokens *tokens, uint32_t way, uint32_t key, uint32_t *number_p);

/** Whether inputs have buckets. */
static inline bool ct_tokens_has_inputs(const struct ct_tokens *tokens)
{
    return tokens->n_shares > 0;
}

/** Whether what is due at a time may be now: not if more is left of a debt than rounding leaves. */
static inline bool ct_tokens_is_due(double due_ns, double ns_per_byte, double now_ns)
{
    const double debt_bytes = 1e-6;
    return due_ns - now_ns <= debt_bytes * ns_per_byte;
}

static inline void ct_bucket_take(const struct ct_tokens *tokens, struct ct_bucket *bucket,
                                  double ns_per_byte, double bytes, double now_ns)
{
    double full_ns = now_ns - tokens->burst_bytes * ns_per_byte;
    bucket->empty_ns = ct_greater(bucket->empty_ns, full_ns) + bytes * ns_per_byte;
}

/**
 * Take the bytes of something small that passes a port without waiting; what comes next does. Ports
 * without a burst take it in the time in which they are not used.
 * @param port   [in,out] its bucket
 * @param input  [in]     number, which pays as well; not read where inputs have no buckets
 */
static inline void ct_tokens_take(struct ct_tokens *tokens, struct ct_bucket *port, uint32_t input,
                                  double ns_per_byte, double bytes, double now_ns)
{
    ct_bucket_take(tokens, port, ns_per_byte, bytes, now_ns);
    if (!ct_tokens_has_inputs(tokens))
        return;
    struct ct_input_buckets *buckets = &tokens->inputs[input];
    ct_bucket_take(tokens, &buckets->ceil, ns_per_byte, bytes, now_ns);
    if (ct_tokens_is_due(buckets->assured.empty_ns, ns_per_byte, now_ns))
        ct_bucket_take(tokens, &buckets->assured, ns_per_byte * tokens->n_shares, bytes, now_ns);
}

/** Let a packet pass a port, beginning now: as ct_tokens_take(). @return when it has passed */
static inline double ct_tokens_pass(struct ct_tokens *tokens, struct ct_bucket *port,
                                    uint32_t input, double ns_per_byte, double bytes, double now_ns)
{
    ct_tokens_take(tokens, port, input, ns_per_byte, bytes, now_ns);
    return ct_tokens_has_inputs(tokens) ? now_ns : ct_greater(now_ns, port->empty_ns);
}

/** From when on a packet of an input may pass, if nothing else does (ct_tokens_is_due()). */
struct ct_tokens_due {
    double assured_ns; /**< by what the input is assured */
    double lent_ns;    /**< by what the port lends */
};

static inline struct ct_tokens_due ct_tokens_due(const struct ct_tokens *tokens,
                                                 const struct ct_bucket *port, uint32_t input)
{
    const struct ct_input_buckets *buckets = &tokens->inputs[input];
    double ceil_ns = buckets->ceil.empty_ns;
    return (struct ct_tokens_due){ct_greater(buckets->assured.empty_ns, ceil_ns),
                                  ct_greater(port->empty_ns, ceil_ns)};
}
