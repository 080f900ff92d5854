/**
 * Datagrams between the hosts of a watch: a head of 32 bytes, content, and a tag of 16 bytes
 * (BLAKE2b with the shared key, libsodium's crypto_generichash, over all before it). Little-endian.
 *
 * Each process draws a session, a random number. A message names the session that it is for, so
 * that one that was recorded before its receiver began is refused; within a session each message
 * has a number of its own, and is taken once (ct_probe_window_take()). Only JOIN is for no session:
 * WELCOME answers it, and nothing changes. Only who has that answer can name the session of the
 * collector, so that a recording cannot join.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CT_PROBE_KEY_BYTES = 32,
    CT_PROBE_HEAD_BYTES = 32,
    CT_PROBE_TAG_BYTES = 16,
    CT_PROBE_FRAME_BYTES = CT_PROBE_HEAD_BYTES + CT_PROBE_TAG_BYTES,
    CT_PROBE_MESSAGE_MAX = 1400, /**< fits a frame of Ethernet, by IPv4 or IPv6 */
    CT_PROBE_WIRE_BYTES = 66     /**< what Ethernet, IPv6 and UDP add to a message */
};

enum ct_probe_type {
    CT_PROBE_JOIN = 1, /**< name: may I? */
    CT_PROBE_WELCOME,  /**< nothing but the session */
    CT_PROBE_PULL,     /**< I am here; which hosts are there? */
    CT_PROBE_MEMBERS,
    CT_PROBE_ASK, /**< a probe, or a datagram of a train */
    CT_PROBE_ANSWER,
    CT_PROBE_REPORT, /**< records of probes */
    CT_PROBE_REPORTED,
    CT_PROBE_LEAVE,
    CT_PROBE_TYPES
};

struct ct_probe_head {
    enum ct_probe_type type;
    uint64_t to, from; /**< sessions */
    uint64_t number;   /**< of the message in the session `from`, from 1 on */
};

/**
 * Complete a message whose content is in bytes + CT_PROBE_HEAD_BYTES.
 * @param size  [in] of the whole, CT_PROBE_FRAME_BYTES .. CT_PROBE_MESSAGE_MAX
 */
void ct_probe_message_seal(unsigned char *bytes, size_t size, const struct ct_probe_head *head,
                           const unsigned char key[CT_PROBE_KEY_BYTES]);

/** @return false: not sealed with this key, or no message at all */
bool ct_probe_message_open(const unsigned char *bytes, size_t size,
                           const unsigned char key[CT_PROBE_KEY_BYTES],
                           struct ct_probe_head *head_p);

/** Numbers of a session that were taken: the highest one, and which of the 64 up to it. */
struct ct_probe_window {
    uint64_t highest, taken;
};

/** @return false: taken before, or too old to know */
bool ct_probe_window_take(struct ct_probe_window *window, uint64_t number);
