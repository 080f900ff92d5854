#include "model/loggp/overhead.h"

#include <inttypes.h>
#include <math.h>

enum ct_status ct_overheads_check(const struct ct_overheads *overheads, struct ct_error *err)
{
    for (size_t i = 0; i < overheads->n; i++) {
        const struct ct_overhead *at = &overheads->sizes[i];
        if (i > 0 && at->bytes <= at[-1].bytes)
            return ct_fail(err, CT_EINVAL,
                           "overheads: %" PRIu64 " B comes after %" PRIu64 " B; sizes ascend",
                           at->bytes, at[-1].bytes);
        if (!(at->send_s >= 0 && at->recv_s >= 0) || !isfinite(at->send_s + at->recv_s))
            return ct_fail(err, CT_EINVAL,
                           "overheads of %" PRIu64 " B: %g and %g s; finite values >= 0 are due",
                           at->bytes, at->send_s, at->recv_s);
    }
    return CT_OK;
}

/* The first size that is not below; n: all are. */
static size_t first_from(const struct ct_overheads *overheads, uint64_t bytes)
{
    size_t lo = 0, hi = overheads->n;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (overheads->sizes[middle].bytes < bytes)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

struct ct_overhead ct_overheads_at(const struct ct_overheads *overheads, uint64_t bytes)
{
    size_t i = first_from(overheads, bytes);
    const struct ct_overhead *right = &overheads->sizes[i < overheads->n ? i : overheads->n - 1];
    const struct ct_overhead *left = i > 0 && i < overheads->n ? right - 1 : right;
    double along =
        left == right ? 0 : (double)(bytes - left->bytes) / (double)(right->bytes - left->bytes);
    return (struct ct_overhead){.bytes = bytes,
                                .send_s = left->send_s + along * (right->send_s - left->send_s),
                                .recv_s = left->recv_s + along * (right->recv_s - left->recv_s)};
}

struct ct_gap_size ct_gaps_at(const struct ct_gaps *gaps, double G_s_per_byte, uint64_t bytes)
{
    size_t i = 0;
    while (i < gaps->n && gaps->sizes[i].bytes < bytes)
        i++;
    const struct ct_gap_size *right = &gaps->sizes[i < gaps->n ? i : gaps->n - 1];
    if (i == gaps->n)
        return (struct ct_gap_size){
            bytes, right->wire_s + (double)(bytes - right->bytes) * G_s_per_byte, right->late_frac};
    if (i == 0)
        return (struct ct_gap_size){bytes, right->wire_s, right->late_frac};
    const struct ct_gap_size *left = right - 1;
    double along = (double)(bytes - left->bytes) / (double)(right->bytes - left->bytes);
    return (struct ct_gap_size){bytes, left->wire_s + along * (right->wire_s - left->wire_s),
                                left->late_frac + along * (right->late_frac - left->late_frac)};
}
