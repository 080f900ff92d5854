#include "simulate/tokens.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>

/* Less than this is no debt, but what rounding leaves of one. */
static const double debt_bytes = 1e-6;

void ct_tokens_free(struct ct_tokens *tokens)
{
    free(tokens->inputs);
    ct_pair_map_free(&tokens->numbers);
    *tokens = (struct ct_tokens){0};
}

bool ct_tokens_has_inputs(const struct ct_tokens *tokens)
{
    return tokens->input_rate > 0;
}

bool ct_tokens_input(struct ct_tokens *tokens, uint32_t way, uint32_t key, uint32_t *number_p)
{
    if (!ct_pair_map_find(&tokens->numbers, way, key, number_p) ||
        !CT_ARRAY_RESERVE(tokens->inputs, tokens->room_inputs, tokens->numbers.n + (size_t)1))
        return false;
    if (tokens->n_inputs < tokens->numbers.n)
        tokens->inputs[tokens->n_inputs++] =
            (struct ct_input_buckets){{tokens->burst_bytes, 0}, {tokens->burst_bytes, 0}};
    return true;
}

static double count(const struct ct_tokens *tokens, const struct ct_bucket *bucket,
                    double ns_per_byte, double now_ns)
{
    double filled = bucket->bytes + (now_ns - bucket->counted_ns) / ns_per_byte;
    return fmin(tokens->burst_bytes, filled);
}

static void take(const struct ct_tokens *tokens, struct ct_bucket *bucket, double ns_per_byte,
                 double bytes, double now_ns)
{
    *bucket = (struct ct_bucket){count(tokens, bucket, ns_per_byte, now_ns) - bytes, now_ns};
}

static double owes_ns(const struct ct_tokens *tokens, const struct ct_bucket *bucket,
                      double ns_per_byte, double now_ns)
{
    double bytes = count(tokens, bucket, ns_per_byte, now_ns);
    return bytes < -debt_bytes ? -bytes * ns_per_byte : 0;
}

static double assured_ns_per_byte(const struct ct_tokens *tokens, double ns_per_byte)
{
    return ns_per_byte / tokens->input_rate;
}

/* The port pays as well. */
static void take_of_input(struct ct_tokens *tokens, uint32_t input, double ns_per_byte,
                          double bytes, double now_ns)
{
    struct ct_input_buckets *buckets = &tokens->inputs[input];
    double assured = assured_ns_per_byte(tokens, ns_per_byte);
    take(tokens, &buckets->ceil, ns_per_byte, bytes, now_ns);
    if (!(owes_ns(tokens, &buckets->assured, assured, now_ns) > 0))
        take(tokens, &buckets->assured, assured, bytes, now_ns);
}

double ct_tokens_pass(struct ct_tokens *tokens, struct ct_bucket *port, uint32_t input,
                      double ns_per_byte, double bytes, double now_ns)
{
    if (ct_tokens_has_inputs(tokens)) {
        take(tokens, port, ns_per_byte, bytes, now_ns);
        take_of_input(tokens, input, ns_per_byte, bytes, now_ns);
        return now_ns;
    }
    double at_once = fmin(count(tokens, port, ns_per_byte, now_ns), bytes);
    take(tokens, port, ns_per_byte, at_once, now_ns);
    port->counted_ns = now_ns + (bytes - at_once) * ns_per_byte;
    return port->counted_ns;
}

void ct_tokens_take(struct ct_tokens *tokens, struct ct_bucket *port, uint32_t input,
                    double ns_per_byte, double bytes, double now_ns)
{
    take(tokens, port, ns_per_byte, bytes, fmax(now_ns, port->counted_ns));
    if (ct_tokens_has_inputs(tokens))
        take_of_input(tokens, input, ns_per_byte, bytes, now_ns);
}

struct ct_tokens_waits ct_tokens_waits(const struct ct_tokens *tokens, const struct ct_bucket *port,
                                       uint32_t input, double ns_per_byte, double now_ns)
{
    const struct ct_input_buckets *buckets = &tokens->inputs[input];
    double ceil_ns = owes_ns(tokens, &buckets->ceil, ns_per_byte, now_ns);
    double assured_ns =
        owes_ns(tokens, &buckets->assured, assured_ns_per_byte(tokens, ns_per_byte), now_ns);
    double lent_ns = owes_ns(tokens, port, ns_per_byte, now_ns);
    return (struct ct_tokens_waits){fmax(assured_ns, ceil_ns), fmax(lent_ns, ceil_ns)};
}
