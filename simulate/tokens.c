#include "simulate/tokens.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>

void ct_tokens_free(struct ct_tokens *tokens)
{
    free(tokens->inputs);
    ct_map_free(&tokens->numbers);
    *tokens = (struct ct_tokens){0};
}

bool ct_tokens_input(struct ct_tokens *tokens, uint32_t way, uint32_t key, uint32_t *number_p)
{
    if (!ct_map_number(&tokens->numbers, ct_map_pair(way, key), number_p) ||
        !CT_ARRAY_RESERVE(tokens->inputs, tokens->room_inputs, tokens->numbers.n + (size_t)1))
        return false;
    if (tokens->n_inputs < tokens->numbers.n)
        tokens->inputs[tokens->n_inputs++] = (struct ct_input_buckets){{-INFINITY}, {-INFINITY}};
    return true;
}
