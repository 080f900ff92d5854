/* Datagrams for a host and for a collector, as they are and sealed with the right key, in a row: no
   answer is longer than what it answers, and strangers get none. */
#include "core/endian.h"
#include "tests/fuzz/fuzz.h"
#include "watch/probe/agent.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct place {
    int64_t now_ns;
    size_t n_sent, longest;
    bool is_stepping;
};

static int64_t read_clock(void *state)
{
    return ((struct place *)state)->now_ns;
}

static int64_t read_date(void *state)
{
    return 1800000000000000000 + ((struct place *)state)->now_ns;
}

static int64_t read_processor(void *state)
{
    (void)state;
    return 0;
}

static void count_datagram(void *state, const struct ct_probe_address *to, const void *bytes,
                           size_t n, size_t each)
{
    struct place *place = state;
    (void)to;
    (void)bytes;
    place->n_sent += n / each;
    if (n > place->longest)
        place->longest = n;
}

static void ignore_line(void *state, bool is_warning, const char *text)
{
    (void)state;
    (void)is_warning;
    (void)text;
}

static void check_sample(void *state, const struct ct_watch_sample *sample)
{
    (void)state;
    if (sample->from == sample->to || sample->answer_bytes > sample->bytes)
        abort();
}

static struct ct_probe_agent *begin_agent(struct place *place, bool joins)
{
    const struct ct_probe_place functions = {
        place, read_clock, read_date, read_processor, count_datagram, ignore_line, check_sample};
    const struct ct_probe_settings settings = {.name = "n0",
                                               .session = 7,
                                               .seed = 1,
                                               .n_join = joins,
                                               .interval_s = 0.1,
                                               .small_bytes = 128,
                                               .train_bytes = 16384,
                                               .bytes_per_s = 1e6,
                                               .cpu_frac = 1};
    struct ct_probe_agent *agent;
    if (ct_probe_agent_new(&settings, &functions, NULL, 0, &agent, NULL) != CT_OK)
        abort();
    return agent;
}

enum { STEP_HEAD = 4 };

/* Each piece of the input: 2 bytes of its size, 1 of what is done to it, 1 of seconds that pass. */
static void feed_agent(const uint8_t *data, size_t size, bool joins)
{
    struct place place = {.now_ns = 1};
    struct ct_probe_agent *agent = begin_agent(&place, joins);
    const unsigned char key[CT_PROBE_KEY_BYTES] = {0};
    const struct ct_probe_address from = {.host = {[15] = 1}, .port = 1};
    for (uint64_t number = 1; size >= STEP_HEAD; number++) {
        size_t n = (size_t)ct_endian_load(data, 2) % (CT_PROBE_MESSAGE_MAX + 9);
        unsigned how = data[2], pause = data[3];
        data += STEP_HEAD;
        size -= STEP_HEAD;
        if (n > size)
            n = size;
        unsigned char *bytes = malloc(n ? n : 1);
        if (!bytes)
            break;
        memcpy(bytes, data, n);
        bool is_sealed =
            (how & 0x80) != 0 && n >= CT_PROBE_FRAME_BYTES && n <= CT_PROBE_MESSAGE_MAX;
        if (is_sealed) {
            const struct ct_probe_head head = {(enum ct_probe_type)(1 + how % (CT_PROBE_TYPES - 1)),
                                               how & 0x40 ? 0 : 7, 9 + (how >> 4 & 3), number};
            ct_probe_message_seal(bytes, n, &head, key);
        }
        place.n_sent = place.longest = 0;
        ct_probe_agent_receive(agent, &from, bytes, n, place.now_ns);
        if (!is_sealed && place.n_sent > 0 &&
            !ct_probe_message_open(bytes, n, key, &(struct ct_probe_head){0}))
            abort();
        /* A list that has more, and a confirmation of much, are answered by a question. */
        unsigned type = 1 + how % (CT_PROBE_TYPES - 1);
        bool asks_on = is_sealed && (type == CT_PROBE_WELCOME || type == CT_PROBE_MEMBERS ||
                                     type == CT_PROBE_REPORTED);
        if (!asks_on && place.longest > n)
            abort();
        free(bytes);
        place.now_ns += pause * INT64_C(100000000);
        ct_probe_agent_step(agent);
        data += n;
        size -= n;
    }
    ct_probe_agent_leave(agent);
    ct_probe_agent_free(agent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (sodium_init() < 0)
        abort();
    feed_agent(data, size, true);
    feed_agent(data, size, false);
    return 0;
}
