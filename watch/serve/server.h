/**
 * The page of a watch by HTTP: read only, without a thread of its own. What is shown is published;
 * each browser that looks gets it as an event (text/event-stream), and one that is slow gets the
 * newest state instead of all.
 *
 * At most 64 connections, of which 32 look; a request has 16 KiB of headers and 10 s to come, an
 * answer a minute; a connection has one request.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is on a path, for readers with the token, besides the page itself. */
struct ct_serve_body {
    char *text;       /**< free() */
    size_t size;      /**< bytes of text */
    const char *type; /**< of the content; static */
};

/** A row of the table of routes: what is on a path. */
struct ct_serve_route {
    const char *path;
    /**
     * @param source  [in]  as in ct_serve_settings
     * @param accept  [in]  the Accept header; "" without one
     * @return CT_OK; else the answer is 500 with the text of the error
     */
    enum ct_status (*make)(void *source, const char *accept, struct ct_serve_body *body_p,
                           struct ct_error *err);
};

struct ct_serve_settings {
    const char *address;                 /**< "127.0.0.1:7438", "[::1]:7438", "7438": loopback */
    const char *token_file;              /**< made with mode 0600 where there is none */
    const struct ct_serve_route *routes; /**< n_routes; borrowed until the end */
    size_t n_routes;
    void *source; /**< of the routes */
};

struct ct_server;

/**
 * Listen.
 * @param server_p  [out] ct_serve_close()
 * @return CT_OK; CT_EINVAL (no address; a token that others can read); CT_EFORMAT (no token in its
 *         file); CT_EIO (cannot listen there); CT_ENOMEM
 */
enum ct_status ct_serve_open(const struct ct_serve_settings *settings, struct ct_server **server_p,
                             struct ct_error *err);
void ct_serve_close(struct ct_server *server);

/** Where it listens, "http://127.0.0.1:7438/". Borrowed. */
const char *ct_serve_url(const struct ct_server *server);

/** Whether other machines reach it. */
bool ct_serve_is_open(const struct ct_server *server);

/** What those who look get. */
enum ct_serve_event {
    CT_SERVE_FABRIC,  /**< when they come */
    CT_SERVE_HISTORY, /**< when they come */
    CT_SERVE_STATE,   /**< when they come, and whenever it is published */
    CT_SERVE_EVENTS
};

/** @param json  [in] one line; copied. @return CT_OK; CT_ENOMEM */
enum ct_status ct_serve_publish(struct ct_server *server, enum ct_serve_event event,
                                const char *json, struct ct_error *err);

/** Answer requests until a time of ct_clock_now_s(), or until a signal comes. */
void ct_serve_run(struct ct_server *server, double until_s);
