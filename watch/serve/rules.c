#include "watch/serve/rules.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { DIGITS = 2 * CT_SERVE_SECRET_BYTES, HOST_MAX = 256 };

/* ---- host ---- */

static bool is_port(const char *text)
{
    size_t n = strspn(text, "0123456789");
    return n >= 1 && n <= 5 && text[n] == '\0';
}

static bool is_address(const char *name, int family)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(family, name, bytes) == 1;
}

bool ct_serve_host_is_own(const char *host, const char *own_name)
{
    char name[HOST_MAX];
    bool is_bracketed = host[0] == '[';
    size_t n = strcspn(host + is_bracketed, is_bracketed ? "]" : ":");
    const char *rest = host + is_bracketed + n;
    if (n == 0 || n >= sizeof name || (is_bracketed && *rest++ != ']'))
        return false;
    if (*rest == ':' ? !is_port(rest + 1) : *rest != '\0')
        return false;
    memcpy(name, host + is_bracketed, n);
    name[n] = '\0';
    if (is_bracketed)
        return is_address(name, AF_INET6);
    return is_address(name, AF_INET) || strcasecmp(name, "localhost") == 0 ||
           (own_name[0] != '\0' && strcasecmp(name, own_name) == 0);
}

/* ---- secrets ---- */

/* In a time that does not depend on where they differ. */
static bool is_secret(const char *text, size_t n, const char *secret)
{
    return n == DIGITS && secret[0] != '\0' && sodium_memcmp(text, secret, DIGITS) == 0;
}

static bool is_session(const struct ct_serve_access *access, const char *text, size_t n)
{
    bool found = false;
    for (size_t i = 0; i < CT_SERVE_SESSIONS_MAX; i++)
        found = is_secret(text, n, access->sessions[i]) || found;
    return found;
}

/* "Bearer DIGITS" (RFC 6750) */
static bool has_token(const struct ct_serve_access *access, const char *authorization)
{
    static const char scheme[] = "Bearer ";
    if (strncasecmp(authorization, scheme, sizeof scheme - 1) != 0)
        return false;
    const char *text = authorization + sizeof scheme - 1;
    text += strspn(text, " ");
    return is_secret(text, strlen(text), access->token);
}

/* "a=b; crosstalk=DIGITS" (RFC 6265) */
static bool has_session(const struct ct_serve_access *access, const char *cookie)
{
    static const char name[] = "crosstalk=";
    for (const char *at = cookie; *at != '\0';) {
        at += strspn(at, "; ");
        size_t n = strcspn(at, ";");
        if (n >= sizeof name && strncmp(at, name, sizeof name - 1) == 0 &&
            is_session(access, at + sizeof name - 1, n - (sizeof name - 1)))
            return true;
        at += n;
    }
    return false;
}

bool ct_serve_may_read(const struct ct_serve_access *access, const char *authorization,
                       const char *cookie)
{
    return (authorization && has_token(access, authorization)) ||
           (cookie && has_session(access, cookie));
}

static int digit_value(char digit)
{
    return isdigit((unsigned char)digit) ? digit - '0' : tolower((unsigned char)digit) - 'a' + 10;
}

/* application/x-www-form-urlencoded: '+' is a blank, %41 a byte. Blanks are left out. */
static size_t decode_value(const char *text, size_t n, char *value, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < n && used < room; i++) {
        char byte = text[i] == '+' ? ' ' : text[i];
        if (byte == '%' && i + 2 < n && isxdigit((unsigned char)text[i + 1]) &&
            isxdigit((unsigned char)text[i + 2])) {
            byte = (char)(digit_value(text[i + 1]) << 4 | digit_value(text[i + 2]));
            i += 2;
        }
        if (!isspace((unsigned char)byte))
            value[used++] = byte;
    }
    return used;
}

bool ct_serve_login_is_right(const struct ct_serve_access *access, const char *body, size_t n)
{
    static const char name[] = "token=";
    char value[DIGITS + 1];
    if (n < sizeof name || n > CT_SERVE_LOGIN_MAX || memcmp(body, name, sizeof name - 1) != 0)
        return false;
    size_t used = decode_value(body + sizeof name - 1, n - (sizeof name - 1), value, sizeof value);
    return is_secret(value, used, access->token);
}

void ct_serve_session_begin(struct ct_serve_access *access, char cookie[CT_SERVE_SECRET_MAX])
{
    unsigned char bytes[CT_SERVE_SECRET_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(cookie, CT_SERVE_SECRET_MAX, bytes, sizeof bytes);
    memcpy(access->sessions[access->n_sessions++ % CT_SERVE_SESSIONS_MAX], cookie,
           CT_SERVE_SECRET_MAX);
}

unsigned ct_serve_judge(const struct ct_serve_request *request,
                        const struct ct_serve_access *access, const char *own_name,
                        enum ct_serve_need need)
{
    if (!request->host)
        return 400;
    if (!ct_serve_host_is_own(request->host, own_name))
        return 421;
    if (request->has_arguments)
        return 400;
    if (need == CT_SERVE_NOTHING)
        return 404;
    bool is_get = strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
    if (need == CT_SERVE_LOGIN ? strcmp(request->method, "POST") != 0 : !is_get)
        return 405;
    if (need == CT_SERVE_READ &&
        !ct_serve_may_read(access, request->authorization, request->cookie))
        return 401;
    return 200;
}
