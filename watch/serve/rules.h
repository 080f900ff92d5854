/**
 * What a request to the page of a watch must be to get an answer. Pure: no network. All texts come
 * from strangers.
 *
 * - The Host header must be an address, "localhost" or the name of this machine, with any port: a
 *   page of elsewhere whose name was made to lead here (DNS rebinding) has another one.
 * - An address has no arguments, so that no token is ever in one.
 * - Only the login is a POST, and changes nothing but who may read.
 * - All but the form of the login needs the token, or a session that a login began. Cookies are
 *   sent to all ports of a machine, so that they never have the token.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    CT_SERVE_SECRET_BYTES = 32,
    CT_SERVE_SECRET_MAX = 2 * CT_SERVE_SECRET_BYTES + 1, /**< hexadecimal digits and NUL */
    CT_SERVE_SESSIONS_MAX = 16, /**< the oldest one ends when there are more */
    CT_SERVE_LOGIN_MAX = 512    /**< bytes of the form */
};

/** Who may read. */
struct ct_serve_access {
    char token[CT_SERVE_SECRET_MAX];
    char sessions[CT_SERVE_SESSIONS_MAX][CT_SERVE_SECRET_MAX];
    size_t n_sessions; /**< that were begun; session i is at i % CT_SERVE_SESSIONS_MAX */
};

/** The headers of a request; NULL: it has no such one. */
struct ct_serve_request {
    const char *method, *path, *authorization, *cookie;
    const char *host; /**< NULL also where there are two */
    bool has_arguments;
};

/** Whether the Host header is one of this machine. @param own_name  [in] as gethostname() has it */
bool ct_serve_host_is_own(const char *host, const char *own_name);

/** Whether a request has the token or a session. */
bool ct_serve_may_read(const struct ct_serve_access *access, const char *authorization,
                       const char *cookie);

/**
 * Whether the body of a login, "token=DIGITS" as a form sends it, has the token. Blanks and ends of
 * lines around the digits do not matter.
 */
bool ct_serve_login_is_right(const struct ct_serve_access *access, const char *body, size_t n);

/** Begin a session. @param cookie  [out] its secret, drawn by random */
void ct_serve_session_begin(struct ct_serve_access *access, char cookie[CT_SERVE_SECRET_MAX]);

/** What is on a path. */
enum ct_serve_need {
    CT_SERVE_NOTHING, /**< 404 */
    CT_SERVE_OPEN,    /**< for everybody */
    CT_SERVE_READ,    /**< who has the token */
    CT_SERVE_LOGIN    /**< POST */
};

/** @return the status of HTTP: 200, 400, 401, 404, 405 or 421 */
unsigned ct_serve_judge(const struct ct_serve_request *request,
                        const struct ct_serve_access *access, const char *own_name,
                        enum ct_serve_need need);
