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
 */
#ifndef CT_SIMULATE_TOKENS_H
#define CT_SIMULATE_TOKENS_H

#include "core/lesser.h"
#include "simulate/pair_map.h"

/** Tokens as counted at a time; below 0: a debt. */
struct ct_bucket {
    double bytes, counted_ns;
};

/** What an input of a port has. */
struct ct_input_buckets {
    struct ct_bucket assured, ceil;
};

/** What all ports have in common. {0} at first, without shapers; ct_tokens_free(). */
struct ct_tokens {
    double burst_bytes;         /**< >= 0 */
    double input_rate;          /**< that an input is assured, as a share of its port's; 0: tbf */
    struct ct_pair_map numbers; /**< (way, key of the input): in inputs */
    struct ct_input_buckets *inputs;
    uint32_t n_inputs;
    size_t room_inputs;
};
void ct_tokens_free(struct ct_tokens *tokens);

/**
 * The bucket of an input, which is full when it is asked for first.
 * @param key       [in]  which of the inputs of the port
 * @param number_p  [out] for the functions below
 * @return false: out of memory
 */
bool ct_tokens_input(struct ct_tokens *tokens, uint32_t way, uint32_t key, uint32_t *number_p);

/** Whether inputs have buckets. */
static inline bool ct_tokens_has_inputs(const struct ct_tokens *tokens)
{
    return tokens->input_rate > 0;
}

/* Tokens that a bucket has now. */
static inline double ct_bucket_count(const struct ct_tokens *tokens, const struct ct_bucket *bucket,
                                     double ns_per_byte, double now_ns)
{
    double filled = bucket->bytes + (now_ns - bucket->counted_ns) / ns_per_byte;
    return ct_lesser(tokens->burst_bytes, filled);
}

static inline void ct_bucket_take(const struct ct_tokens *tokens, struct ct_bucket *bucket,
                                  double ns_per_byte, double bytes, double now_ns)
{
    *bucket =
        (struct ct_bucket){ct_bucket_count(tokens, bucket, ns_per_byte, now_ns) - bytes, now_ns};
}

/** How long a bucket has a debt from now on; 0: it has none. */
static inline double ct_bucket_owes_ns(const struct ct_tokens *tokens,
                                       const struct ct_bucket *bucket, double ns_per_byte,
                                       double now_ns)
{
    const double debt_bytes = 1e-6; /* less is what rounding leaves of one */
    double bytes = ct_bucket_count(tokens, bucket, ns_per_byte, now_ns);
    return bytes < -debt_bytes ? -bytes * ns_per_byte : 0;
}

/* At which the bucket of what an input is assured fills. */
static inline double ct_tokens_assured_ns_per_byte(const struct ct_tokens *tokens,
                                                   double ns_per_byte)
{
    return ns_per_byte / tokens->input_rate;
}

/* The port pays as well. */
static inline void ct_tokens_take_of_input(struct ct_tokens *tokens, uint32_t input,
                                           double ns_per_byte, double bytes, double now_ns)
{
    struct ct_input_buckets *buckets = &tokens->inputs[input];
    double assured = ct_tokens_assured_ns_per_byte(tokens, ns_per_byte);
    ct_bucket_take(tokens, &buckets->ceil, ns_per_byte, bytes, now_ns);
    if (!(ct_bucket_owes_ns(tokens, &buckets->assured, assured, now_ns) > 0))
        ct_bucket_take(tokens, &buckets->assured, assured, bytes, now_ns);
}

/**
 * Let a packet pass a port, beginning now.
 * @param port   [in,out] its bucket
 * @param input  [in]     number; not read where inputs have no buckets
 * @return when it has passed
 */
static inline double ct_tokens_pass(struct ct_tokens *tokens, struct ct_bucket *port,
                                    uint32_t input, double ns_per_byte, double bytes, double now_ns)
{
    if (ct_tokens_has_inputs(tokens)) {
        ct_bucket_take(tokens, port, ns_per_byte, bytes, now_ns);
        ct_tokens_take_of_input(tokens, input, ns_per_byte, bytes, now_ns);
        return now_ns;
    }
    double at_once = ct_lesser(ct_bucket_count(tokens, port, ns_per_byte, now_ns), bytes);
    ct_bucket_take(tokens, port, ns_per_byte, at_once, now_ns);
    port->counted_ns = now_ns + (bytes - at_once) * ns_per_byte;
    return port->counted_ns;
}

/**
 * Take the bytes of something small that passes a port without waiting; what comes next does. Ports
 * without a burst take it in the time in which they are not used.
 */
static inline void ct_tokens_take(struct ct_tokens *tokens, struct ct_bucket *port, uint32_t input,
                                  double ns_per_byte, double bytes, double now_ns)
{
    ct_bucket_take(tokens, port, ns_per_byte, bytes, ct_greater(now_ns, port->counted_ns));
    if (ct_tokens_has_inputs(tokens))
        ct_tokens_take_of_input(tokens, input, ns_per_byte, bytes, now_ns);
}

/** How long a packet of an input has to wait from now on until it may pass; 0: it may. */
struct ct_tokens_waits {
    double assured_ns; /**< by what the input is assured */
    double lent_ns;    /**< by what the port lends */
};

/** @param port_owes_ns  [in] ct_bucket_owes_ns() of the port's bucket */
static inline struct ct_tokens_waits ct_tokens_waits(const struct ct_tokens *tokens,
                                                     double port_owes_ns, uint32_t input,
                                                     double ns_per_byte, double now_ns)
{
    const struct ct_input_buckets *buckets = &tokens->inputs[input];
    double assured = ct_tokens_assured_ns_per_byte(tokens, ns_per_byte);
    double ceil_ns = ct_bucket_owes_ns(tokens, &buckets->ceil, ns_per_byte, now_ns);
    double assured_ns = ct_bucket_owes_ns(tokens, &buckets->assured, assured, now_ns);
    return (struct ct_tokens_waits){ct_greater(assured_ns, ceil_ns),
                                    ct_greater(port_owes_ns, ceil_ns)};
}

#endif
