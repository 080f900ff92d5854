#include "delay/wire.h"

#include "core/random.h"

#include <string.h>

enum { RANK_BITS = 8 };
/* Positions of bits. */
enum { MPICH_RANK = 40, MPICH_NEARBY = 31, OPENMPI_RANK = 28, OPENMPI_NEARBY = 39 };
static const uint64_t magic = UINT64_C(0x6374206465746c79);

struct ct_delay_marks ct_delay_marks_of(bool is_openmpi, bool has_matrix, bool tells_near)
{
    uint64_t ranks = (UINT64_C(1) << RANK_BITS) - 1;
    uint64_t rank = ranks << (is_openmpi ? OPENMPI_RANK : MPICH_RANK);
    uint64_t nearby = UINT64_C(1) << (is_openmpi ? OPENMPI_NEARBY : MPICH_NEARBY);
    return (struct ct_delay_marks){.rank = has_matrix ? rank : 0,
                                   .nearby = tells_near ? nearby : 0};
}

/* The lowest bit of a mask, by which its bits are reached. */
static uint64_t unit_of(uint64_t mask)
{
    return mask & (~mask + 1);
}

bool ct_delay_mark(const struct ct_delay_marks *marks, size_t rank, bool nearby, uint64_t *tag_p)
{
    uint64_t bits = marks->rank > 0 ? rank * unit_of(marks->rank) : 0;
    if ((*tag_p & (marks->rank | marks->nearby)) != 0 || (bits & ~marks->rank) != 0)
        return false;
    *tag_p |= bits | (nearby ? marks->nearby : 0);
    return true;
}

size_t ct_delay_unmark(const struct ct_delay_marks *marks, uint64_t *tag_p, bool *nearby_p)
{
    uint64_t tag = *tag_p;
    *nearby_p = (tag & marks->nearby) != 0;
    *tag_p = tag & ~(marks->rank | marks->nearby);
    return marks->rank > 0 ? (tag & marks->rank) / unit_of(marks->rank) : 0;
}

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0;
    for (; text && *text; text++)
        hash = ct_random_mix(hash + CT_RANDOM_STEP + (unsigned char)*text);
    return hash;
}

struct ct_delay_peer ct_delay_peer_of(const char *world, const char *node, size_t rank)
{
    return (struct ct_delay_peer){magic, hash_of(world), hash_of(node), rank};
}

bool ct_delay_peer_read(const void *address, struct ct_delay_peer *peer_p)
{
    if (memcmp(address, &magic, sizeof magic) != 0)
        return false;
    memcpy(peer_p, address, sizeof *peer_p);
    return true;
}
