/* The page of a watch: which requests get an answer, and what it says. */
#include "tests/unit/unit.h"
#include "topology/spec.h"
#include "watch/serve/address.h"
#include "watch/serve/data.h"
#include "watch/serve/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define OTHER "00112233445566778899aabbccddeeff00112233445566778899aabbccddeefe"

static void hosts_are_own(void **state)
{
    static const char *const own[] = {"localhost", "LOCALHOST:7438", "127.0.0.1:80",
                                      "10.1.2.3",  "[::1]:7438",     "[fe80::1]",
                                      "node1",     "Node1:65535"};
    static const char *const foreign[] = {"",
                                          ":80",
                                          "evil.example",
                                          "node1.evil.example",
                                          "localhost.evil.example",
                                          "localhost:",
                                          "localhost:7x",
                                          "localhost:123456",
                                          "localhost@evil.example",
                                          "127.0.0.1.evil.example",
                                          "127.1",
                                          "[::1",
                                          "[::1]x",
                                          "[localhost]",
                                          "::1",
                                          "node2"};
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_true(ct_serve_host_is_own(own[i], "node1"));
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_false(ct_serve_host_is_own(foreign[i], "node1"));
    assert_false(ct_serve_host_is_own("", ""));
    char longest[400];
    memset(longest, '1', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_false(ct_serve_host_is_own(longest, "node1"));
}

static void token_is_needed(void **state)
{
    struct ct_serve_access access = {.token = TOKEN};
    char cookie[CT_SERVE_SECRET_MAX], header[200];
    (void)state;
    assert_true(ct_serve_may_read(&access, "Bearer " TOKEN, NULL));
    assert_true(ct_serve_may_read(&access, "bearer  " TOKEN, "a=b"));
    assert_false(ct_serve_may_read(&access, NULL, NULL));
    assert_false(ct_serve_may_read(&access, "", ""));
    assert_false(ct_serve_may_read(&access, "Bearer " OTHER, NULL));
    assert_false(ct_serve_may_read(&access, "Bearer " TOKEN "0", NULL));
    assert_false(ct_serve_may_read(&access, "Basic " TOKEN, NULL));
    assert_false(ct_serve_may_read(&access, "Bearer ", NULL));
    /* Other ports of this machine get the cookie: the token is no session. */
    assert_false(ct_serve_may_read(&access, NULL, "crosstalk=" TOKEN));
    ct_serve_session_begin(&access, cookie);
    assert_int_equal(strlen(cookie), 64);
    snprintf(header, sizeof header, "a=b; crosstalk=%s; c=d", cookie);
    assert_true(ct_serve_may_read(&access, NULL, header));
    snprintf(header, sizeof header, "notcrosstalk=%s", cookie);
    assert_false(ct_serve_may_read(&access, NULL, header));
    snprintf(header, sizeof header, "crosstalk=%s0", cookie);
    assert_false(ct_serve_may_read(&access, NULL, header));
    snprintf(header, sizeof header, "Bearer %s", cookie);
    assert_false(ct_serve_may_read(&access, header, NULL));
}

static void oldest_session_ends(void **state)
{
    struct ct_serve_access access = {.token = TOKEN};
    char first[CT_SERVE_SECRET_MAX], last[CT_SERVE_SECRET_MAX], header[200];
    (void)state;
    ct_serve_session_begin(&access, first);
    for (size_t i = 1; i < CT_SERVE_SESSIONS_MAX; i++)
        ct_serve_session_begin(&access, last);
    snprintf(header, sizeof header, "crosstalk=%s", first);
    assert_true(ct_serve_may_read(&access, NULL, header));
    ct_serve_session_begin(&access, last);
    assert_false(ct_serve_may_read(&access, NULL, header));
    snprintf(header, sizeof header, "crosstalk=%s", last);
    assert_true(ct_serve_may_read(&access, NULL, header));
}

static bool login(const char *body)
{
    const struct ct_serve_access access = {.token = TOKEN};
    return ct_serve_login_is_right(&access, body, strlen(body));
}

static void login_has_the_token(void **state)
{
    char longest[CT_SERVE_LOGIN_MAX + 20] = "token=" TOKEN;
    (void)state;
    assert_true(login("token=" TOKEN));
    assert_true(login("token=+" TOKEN "%0D%0a"));
    assert_true(login("token=%300112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"));
    assert_false(login("token=" OTHER));
    assert_false(login("token=" TOKEN TOKEN));
    assert_false(login("token="));
    assert_false(login("token=%"));
    assert_false(login(""));
    assert_false(login("other=" TOKEN));
    memset(longest + strlen(longest), '+', sizeof longest - strlen(longest) - 1);
    assert_false(login(longest));
}

static void requests_are_judged(void **state)
{
    static const char good[] = "Bearer " TOKEN;
    static const struct row {
        struct ct_serve_request request;
        enum ct_serve_need need;
        unsigned status;
    } rows[] = {{{"GET", "/", good, NULL, "localhost", false}, CT_SERVE_READ, 200},
                {{"HEAD", "/", good, NULL, "localhost", false}, CT_SERVE_READ, 200},
                {{"GET", "/", NULL, NULL, "localhost", false}, CT_SERVE_READ, 401},
                {{"GET", "/page.css", NULL, NULL, "localhost", false}, CT_SERVE_OPEN, 200},
                {{"GET", "/", good, NULL, "evil.example", false}, CT_SERVE_READ, 421},
                {{"GET", "/page.css", NULL, NULL, "evil.example", false}, CT_SERVE_OPEN, 421},
                {{"POST", "/login", NULL, NULL, "evil.example", false}, CT_SERVE_LOGIN, 421},
                {{"GET", "/", good, NULL, NULL, false}, CT_SERVE_READ, 400},
                {{"GET", "/", good, NULL, "localhost", true}, CT_SERVE_READ, 400},
                {{"GET", "/x", good, NULL, "localhost", false}, CT_SERVE_NOTHING, 404},
                {{"POST", "/", good, NULL, "localhost", false}, CT_SERVE_READ, 405},
                {{"DELETE", "/state", good, NULL, "localhost", false}, CT_SERVE_READ, 405},
                {{"PUT", "/login", good, NULL, "localhost", false}, CT_SERVE_LOGIN, 405},
                {{"GET", "/login", good, NULL, "localhost", false}, CT_SERVE_LOGIN, 405},
                {{"POST", "/login", NULL, NULL, "localhost", false}, CT_SERVE_LOGIN, 200}};
    const struct ct_serve_access access = {.token = TOKEN};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(ct_serve_judge(&rows[i].request, &access, "node1", rows[i].need),
                         rows[i].status);
}

static void places_are_parsed(void **state)
{
    static const struct row {
        const char *text, *url;
        bool is_loopback;
    } rows[] = {
        {"7438", "http://127.0.0.1:7438/", true},     {":7438", "http://127.0.0.1:7438/", true},
        {"localhost:0", "http://127.0.0.1:0/", true}, {"127.0.0.2:1", "http://127.0.0.2:1/", true},
        {"0.0.0.0:80", "http://0.0.0.0:80/", false},  {"[::1]:7438", "http://[::1]:7438/", true},
        {"[::]:7438", "http://[::]:7438/", false}};
    static const char *const bad[] = {
        "",     "x",     "localhost", "localhost:", "1:2:3",     "[::1]",
        "[]:1", "n1:80", "65536",     "-1",         "[::1:7438", "::1:7438"};
    struct ct_serve_place place;
    struct ct_error err;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(ct_serve_parse_place(rows[i].text, &place, &err), CT_OK);
        assert_string_equal(place.url, rows[i].url);
        assert_int_equal(place.is_loopback, rows[i].is_loopback);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ct_serve_parse_place(bad[i], &place, &err), CT_EINVAL);
}

/* ---- what it says ---- */

static void answer_is_one_line(void **state)
{
    char json[] = "{\n\t\"a\": [\n\t\t\"b\\n\\t</script>\"\n\t]\n}\n";
    (void)state;
    ct_serve_make_line(json);
    assert_string_equal(json, "{\"a\": [\"b\\n\\t</script>\"]}");
}

static void fabric_may_have_no_places(void **state)
{
    const struct ct_watch_state now = {.unix_ns = 3500000000};
    struct ct_error err;
    char *text;
    (void)state;
    assert_int_equal(ct_serve_write_fabric(&now, &text, &err), CT_OK);
    assert_null(strstr(text, "vertices"));
    free(text);
}

static void fabric_has_places(void **state)
{
    const struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_error err;
    char *text;
    (void)state;
    assert_int_equal(ct_topology_make("tree:2x2,1", &settings, &topology, &err), CT_OK);
    const struct ct_watch_state now = {.topology = &topology};
    assert_int_equal(ct_serve_write_fabric(&now, &text, &err), CT_OK);
    assert_non_null(strstr(text, "\"n_hosts\":4"));
    assert_non_null(strstr(text, "\"name\":\"spine0\",\"x\":"));
    free(text);
    ct_topology_free(&topology);
}

static void history_is_bounded(void **state)
{
    struct ct_watch_class class = {.switches = 3, .bytes = 128, .n = 5, .median_s = 1e-5};
    struct ct_watch_state now = {.classes = &class, .n_classes = 1};
    const int64_t second_ns = 1000000000;
    struct ct_serve_history *history;
    struct ct_error err;
    size_t n_points = 0;
    char *text;
    (void)state;
    assert_int_equal(ct_serve_history_new(&history, &err), CT_OK);
    for (int64_t s = 1; s <= 20 * 3600; s += 10)
        if (ct_serve_history_is_due(history, s * second_ns)) {
            now.unix_ns = s * second_ns;
            ct_serve_history_add(history, &now);
        }
    assert_int_equal(ct_serve_write_history(history, &text, &err), CT_OK);
    for (const char *at = text; *at != '\0'; at++)
        n_points += *at == '[';
    assert_int_equal(n_points, 1 + 721); /* both ends of 12 hours, and the array around them */
    assert_true(ct_serve_history_is_due(history, second_ns)); /* the date was set back */
    free(text);
    ct_serve_history_free(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_are_own),       cmocka_unit_test(token_is_needed),
        cmocka_unit_test(oldest_session_ends), cmocka_unit_test(login_has_the_token),
        cmocka_unit_test(requests_are_judged), cmocka_unit_test(places_are_parsed),
        cmocka_unit_test(answer_is_one_line),  cmocka_unit_test(fabric_may_have_no_places),
        cmocka_unit_test(fabric_has_places),   cmocka_unit_test(history_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
