/** A socket of UDP, for IPv4 and IPv6 at once, with the times at which the kernel took datagrams.
 */
#pragma once

#include "watch/probe/agent.h"

#include <sys/types.h>

/**
 * @param text  [in]  "ADDRESS:PORT", "[ADDRESS6]:PORT", "*:PORT", "NAME:PORT"; port 0: any; or
 *                    "fd:N", a socket that is open already
 * @param fd_p  [out] close()
 * @return CT_OK; CT_EINVAL (the text); CT_EIO (such as a port in use)
 */
enum ct_status ct_probe_socket_open(const char *text, int *fd_p, struct ct_error *err);

/** The port of a socket; 0: not known. */
uint16_t ct_probe_socket_port(int fd);

/**
 * Resolve "ADDRESS:PORT[,ADDRESS:PORT...]".
 * @param addresses  [out] at most CT_PROBE_JOINS_MAX; those behind are left out
 * @return CT_OK; CT_EINVAL
 */
enum ct_status ct_probe_addresses_parse(const char *text, struct ct_probe_address *addresses,
                                        size_t *n_p, struct ct_error *err);

/**
 * Send n bytes in datagrams of `each` bytes, by one call where the kernel cuts them (UDP_SEGMENT,
 * Linux 4.18): they then leave as fast as the card can, not as fast as a core calls.
 * @param n  [in] below 64 KiB
 */
void ct_probe_socket_send(int fd, const struct ct_probe_address *to, const void *bytes, size_t n,
                          size_t each);

/**
 * Take a datagram, if one is there.
 * @param arrived_ns_p  [out] by CLOCK_MONOTONIC
 * @return its size, which may be 0; -1: none
 */
ssize_t ct_probe_socket_receive(int fd, struct ct_probe_address *from_p, unsigned char *bytes,
                                size_t size, int64_t *arrived_ns_p);
