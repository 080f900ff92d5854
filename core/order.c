#include "core/order.h"

#include <stdint.h>
#include <string.h>

int ct_order_sizes(const void *a, const void *b)
{
    return CT_COMPARE(*(const size_t *)a, *(const size_t *)b);
}

int ct_order_doubles(const void *a, const void *b)
{
    return CT_COMPARE(*(const double *)a, *(const double *)b);
}

int ct_order_u32(const void *a, const void *b)
{
    return CT_COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

int ct_order_u64(const void *a, const void *b)
{
    return CT_COMPARE(*(const uint64_t *)a, *(const uint64_t *)b);
}

int ct_order_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}
