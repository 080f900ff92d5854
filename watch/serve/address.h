/** Where the page is served. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <sys/socket.h>

struct ct_serve_place {
    struct sockaddr_storage address;
    socklen_t size; /**< of the address */
    bool is_loopback;
    char url[80]; /**< "http://127.0.0.1:7438/"; with port 0 the one that was found */
};

/**
 * @param text  [in] "7438" or "localhost:7438": loopback; "10.0.0.1:7438", "[::1]:7438"; port 0:
 *              one that is free
 * @return CT_OK; CT_EINVAL
 */
enum ct_status ct_serve_parse_place(const char *text, struct ct_serve_place *place_p,
                                    struct ct_error *err);

/** @param fd_p  [out] close() @return CT_OK; CT_EIO */
enum ct_status ct_serve_listen(struct ct_serve_place *place, int *fd_p, struct ct_error *err);
