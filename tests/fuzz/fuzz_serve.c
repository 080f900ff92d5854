/* A request to the page of a watch, line by line: host, authorization, cookie, path, and the body
   of a login. Nobody who does not have the token may read. */
#include "tests/fuzz/fuzz.h"
#include "watch/serve/address.h"
#include "watch/serve/rules.h"

#include <stdlib.h>
#include <string.h>

static const char token[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_serve_access access = {.n_sessions = 0};
    struct ct_serve_place place;
    struct ct_error err;
    char *text = strndup((const char *)data, size), *rest = text;
    if (!text)
        return 0;
    memcpy(access.token, token, sizeof token);
    struct ct_serve_request request = {.method = "GET"};
    request.host = strsep(&rest, "\n");
    request.authorization = strsep(&rest, "\n");
    request.cookie = strsep(&rest, "\n");
    request.path = strsep(&rest, "\n");
    bool has_token = request.authorization && strstr(request.authorization, token);
    if (ct_serve_judge(&request, &access, "node1", CT_SERVE_READ) == 200 && !has_token)
        abort();
    if (rest && ct_serve_login_is_right(&access, rest, strlen(rest)) && !strstr(rest, token))
        abort();
    if (request.path)
        ct_serve_parse_place(request.path, &place, &err);
    free(text);
    return 0;
}
