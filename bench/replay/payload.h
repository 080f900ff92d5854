/**
 * Content of the messages of a replay. The receiver can detect a wrong, stale or misdirected
 * message by itself, and the sender need not write every word for each message.
 *
 * Byte i of a message is byte i % 8 of the word P(i / 8) ^ mask, low byte first, with P(k) = (k +
 * 1) 2^64 / phi, odd; the first 8 bytes (or fewer, in a shorter message) are a stamp that
 * identifies the message, if it has one. A buffer is filled once, and only the stamp is written for
 * each message. A receiver overwrites the first and the last bytes of its buffer before, so that
 * old content is detected. Pure: no MPI.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_payload {
    uint64_t mask;
    bool plain; /**< without P: all words are the mask */
    bool has_stamp;
    uint64_t stamp;
};

/** Stamp of a message: source, destination, tag (or kind of call), size and pass. */
uint64_t ct_payload_stamp(uint32_t from, uint32_t to, uint64_t tag, uint64_t bytes, uint64_t pass);

/**
 * Write all bytes, without a stamp.
 * @param data  [out] n bytes
 */
void ct_payload_fill(uint64_t mask, unsigned char *data, size_t n);
/** Write the stamp. @param data  [in,out] the message, n bytes */
void ct_payload_put_stamp(uint64_t stamp, unsigned char *data, size_t n);
/**
 * Overwrite a buffer before a receive.
 * @param whole  [in] every byte; false: the first and the last ones
 */
void ct_payload_spoil(unsigned char *data, size_t n, bool whole);

/**
 * Check a received message, or a part of one.
 * @param offset      [in]  of data in the message of the payload, bytes
 * @param data        [in]  n bytes
 * @param max_checks  [in]  words that are checked besides the first and the last, >= 1
 * @param at_p        [out] offset in data of a byte that differs; unchanged if all agree
 * @return true if all words that were checked agree
 */
bool ct_payload_check(const struct ct_payload *payload, size_t offset, const unsigned char *data,
                      size_t n, size_t max_checks, size_t *at_p);
