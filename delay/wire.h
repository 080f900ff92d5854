/**
 * What the ranks of a delayed program tell each other: marks in the bits of tags that their MPI
 * leaves 0, and a header in front of the address of a worker, by which a rank knows who is behind
 * an endpoint.
 *
 * Tags of messages, 64 bits from the highest:
 *
 *     MPICH ch4:ucx     context (16 bits), rank of the sender in the communicator (16), 0, tag (31)
 *     Open MPI pml/ucx  tag (24), rank of the sender in the communicator (20), context (20)
 *
 * The rank of the sender in MPI_COMM_WORLD has the bits from 40 (MPICH) or 28 (Open MPI) on, eight
 * of those of the rank in the communicator, which are 0 in communicators of up to 256 ranks. That a
 * message stays within a node is said by bit 31 (MPICH), which is always 0, or 39 (Open MPI), which
 * is 0 in communicators of up to 2^19 ranks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The mask of a sender's tag that Open MPI's pml/ucx tells UCX, by which it is known. */
#define CT_DELAY_OPENMPI_SENDER_MASK UINT64_C(0x800000ffffffffff)

/** Bits of tags that carry marks; 0: such marks are not sent. */
struct ct_delay_marks {
    uint64_t rank;   /**< adjacent bits: the sender's rank */
    uint64_t nearby; /**< one bit: the message stays within a node */
};

/**
 * The bits for an MPI.
 * @param is_openmpi  [in] Open MPI's pml/ucx; else MPICH's ch4:ucx
 * @param has_matrix  [in] ranks are sent
 * @param tells_near  [in] messages within a node are marked
 */
struct ct_delay_marks ct_delay_marks_of(bool is_openmpi, bool has_matrix, bool tells_near);

/**
 * Add marks to the tag of a message.
 * @param rank    [in]     of the sender, unused if ranks are not sent
 * @param nearby  [in]     unused if that is not sent
 * @param tag_p   [in,out] unchanged if false is returned
 * @return false: the MPI uses some of these bits, or the rank needs more bits
 */
bool ct_delay_mark(const struct ct_delay_marks *marks, size_t rank, bool nearby, uint64_t *tag_p);

/**
 * Take the marks out of the tag of a message.
 * @param tag_p     [in,out] as the MPI gave it
 * @param nearby_p  [out]
 * @return the rank of the sender; 0 if ranks are not sent
 */
size_t ct_delay_unmark(const struct ct_delay_marks *marks, uint64_t *tag_p, bool *nearby_p);

/** Who is behind an address, in front of its bytes. */
struct ct_delay_peer {
    uint64_t magic;
    uint64_t world; /**< hash of what its MPI_COMM_WORLD is called */
    uint64_t node;  /**< hash of its node's name */
    uint64_t rank;  /**< in its MPI_COMM_WORLD */
};

/** Header of a rank. world and node may be NULL: as "". */
struct ct_delay_peer ct_delay_peer_of(const char *world, const char *node, size_t rank);

/**
 * Read the header of an address.
 * @param address  [in]  of any alignment
 * @param peer_p   [out] unchanged if false is returned
 * @return false: it has none
 */
bool ct_delay_peer_read(const void *address, struct ct_delay_peer *peer_p);
