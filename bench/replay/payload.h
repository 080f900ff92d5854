/**
 * What messages of a replay carry, so that the receiver can tell a wrong, stale or foreign message
 * from the right one without being sent the truth, and without every word being written for each
 * message.
 *
 * Byte i of a message is byte i % 8 of the word P(i / 8) ^ mask, low byte first, with P(k) =
 * (k + 1) 2^64 / phi, odd; the first 8 bytes, or what there is of them, are a stamp that names the
 * message, where it has one. A buffer is filled once; a message costs its stamp. A receiver spoils
 * the first and the last bytes of its buffer before, so that nothing old passes. Pure: no MPI.
 */
#ifndef CT_BENCH_REPLAY_PAYLOAD_H
#define CT_BENCH_REPLAY_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_payload {
    uint64_t mask;
    bool plain; /**< without P: all words are the mask */
    bool has_stamp;
    uint64_t stamp;
};

/** Name of a message: where it comes from and goes to, its tag (or kind of call), size and pass. */
uint64_t ct_payload_stamp(uint32_t from, uint32_t to, uint64_t tag, uint64_t bytes, uint64_t pass);

/** Write all bytes but for the stamp. @param data  [out] n bytes */
void ct_payload_fill(uint64_t mask, unsigned char *data, size_t n);
/** Write the stamp. @param data  [in,out] the message, n bytes */
void ct_payload_put_stamp(uint64_t stamp, unsigned char *data, size_t n);
/** Spoil a buffer before something is received into it. @param whole  [in] every byte */
void ct_payload_spoil(unsigned char *data, size_t n, bool whole);

/**
 * Compare what came.
 * @param offset      [in]  of data in what the payload describes, bytes
 * @param data        [in]  n bytes
 * @param max_checks  [in]  words that are looked at besides the first and the last, >= 1
 * @param at_p        [out] offset in data of a byte that differs; unchanged where all agree
 * @return true if everything that was looked at agrees
 */
bool ct_payload_check(const struct ct_payload *payload, size_t offset, const unsigned char *data,
                      size_t n, size_t max_checks, size_t *at_p);

#endif
