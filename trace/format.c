#include "trace/format.h"

#include "core/array.h"
#include "core/endian.h"
#include "core/hash.h"
#include "trace/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    unsigned fields;
} kinds[CT_TRACE_N_KINDS] = {[CT_TRACE_NONE] = {"none", 0},
#define CT_TRACE_KIND_ROW(name, text, fields) [CT_TRACE_##name] = {text, fields},
                             CT_TRACE_KIND_MAP(CT_TRACE_KIND_ROW)
#undef CT_TRACE_KIND_ROW
};

const char *ct_trace_kind_text(enum ct_trace_kind kind)
{
    return kinds[(unsigned)kind < CT_TRACE_N_KINDS ? kind : CT_TRACE_NONE].text;
}

unsigned ct_trace_kind_fields(enum ct_trace_kind kind)
{
    return kinds[(unsigned)kind < CT_TRACE_N_KINDS ? kind : CT_TRACE_NONE].fields;
}

bool ct_trace_kind_has_vector(enum ct_trace_kind kind)
{
    return kind == CT_TRACE_GATHER || kind == CT_TRACE_SCATTER || kind == CT_TRACE_ALLGATHER ||
           kind == CT_TRACE_REDUCE_SCATTER;
}

const char *ct_trace_mode_text(enum ct_trace_mode mode)
{
    static const char *const texts[CT_TRACE_ALL_MODES] = {
        "standard",       "synchronous",  "buffered",         "ready", "put",   "get", "accumulate",
        "get_accumulate", "fetch_and_op", "compare_and_swap", "lock",  "unlock"};
    return (unsigned)mode < CT_TRACE_ALL_MODES ? texts[mode] : "none";
}

/* ---- numbers ---- */

enum { VARINT_MAX = 10 }; /* bytes of a 64-bit number, 7 bits each */

static unsigned char *put_number(unsigned char *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to++ = (unsigned char)value;
    return to;
}

static uint64_t fold_sign(int32_t value)
{
    return ((uint64_t)(uint32_t)value << 1 ^ (uint64_t)(value >> 31)) & UINT32_MAX;
}

static int32_t unfold_sign(uint64_t folded)
{
    return (int32_t)((uint32_t)(folded >> 1) ^ (0U - (uint32_t)(folded & 1)));
}

/* A difference modulo 2^64, nearest to 0. */
static uint64_t fold_difference(uint64_t difference)
{
    return difference << 1 ^ (0U - (difference >> 63));
}

static uint64_t unfold_difference(uint64_t folded)
{
    return folded >> 1 ^ (0U - (folded & 1));
}

/* A file being read. What is damaged shows at the end: ok is false, and numbers are 0. */
struct cursor {
    const unsigned char *at, *end;
    bool ok;
};

static uint64_t take_number(struct cursor *cursor)
{
    uint64_t value = 0;
    for (unsigned shift = 0; cursor->ok && cursor->at < cursor->end; shift += 7) {
        uint64_t byte = *cursor->at++;
        if (shift > 63 || (shift == 63 && byte > 1))
            break;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    cursor->ok = false;
    return 0;
}

static uint64_t take_below(struct cursor *cursor, uint64_t limit)
{
    uint64_t value = take_number(cursor);
    if (value >= limit)
        cursor->ok = false;
    return cursor->ok ? value : 0;
}

static uint32_t take_u32(struct cursor *cursor)
{
    return (uint32_t)take_below(cursor, (uint64_t)UINT32_MAX + 1);
}

/* ---- completions ---- */

/* The bit above the request's number, of a message that was received. */
#define CUT_COMPLETION (UINT64_C(1) << 33)

size_t ct_trace_completion_put(const struct ct_trace_completion *completion, uint64_t *values,
                               size_t n)
{
    values[n++] = (uint64_t)completion->request << 1 | completion->received |
                  (completion->received && completion->cut ? CUT_COMPLETION : 0);
    if (completion->received) {
        values[n++] = fold_sign(completion->from.rank);
        values[n++] = fold_sign(completion->from.tag);
        values[n++] = completion->from.bytes;
    }
    return n;
}

bool ct_trace_completion_next(const struct ct_trace_event *event, size_t *at_p,
                              struct ct_trace_completion *completion_p)
{
    size_t left = event->n_values - *at_p;
    if (left == 0)
        return false;
    const uint64_t *values = event->values + *at_p;
    bool received = values[0] & 1, cut = received && values[0] & CUT_COMPLETION;
    uint64_t request = (values[0] & ~(cut ? CUT_COMPLETION : 0)) >> 1;
    if (request > UINT32_MAX)
        return false;
    if (received &&
        (left < CT_TRACE_COMPLETION_VALUES || values[1] > UINT32_MAX || values[2] > UINT32_MAX))
        return false;
    *completion_p = (struct ct_trace_completion){
        .request = (uint32_t)request, .received = received, .cut = cut};
    if (received)
        completion_p->from =
            (struct ct_trace_message){unfold_sign(values[1]), unfold_sign(values[2]), values[3]};
    *at_p += received ? CT_TRACE_COMPLETION_VALUES : 1;
    return true;
}

void ct_trace_file_name(uint32_t rank, char name[CT_TRACE_NAME_MAX])
{
    snprintf(name, CT_TRACE_NAME_MAX, "rank-%06u.trace", rank);
}

/* ---- lists of ranks: magic, then numbers up to the end ---- */

static const char list_magic[8] = "CTRANKS";

void ct_trace_list_name(uint64_t list, char name[CT_TRACE_LIST_NAME_MAX])
{
    snprintf(name, CT_TRACE_LIST_NAME_MAX, "ranks-%016llx.list", (unsigned long long)list);
}

size_t ct_trace_list_bound(size_t n_values)
{
    return sizeof list_magic + VARINT_MAX * n_values;
}

size_t ct_trace_list_encode(const uint64_t *values, size_t n_values, unsigned char *bytes)
{
    unsigned char *to = bytes + sizeof list_magic;
    memcpy(bytes, list_magic, sizeof list_magic);
    for (size_t i = 0; i < n_values; i++)
        to = put_number(to, values[i]);
    return (size_t)(to - bytes);
}

enum ct_status ct_trace_list_decode(const unsigned char *bytes, size_t size, uint64_t list,
                                    uint64_t **values_p, size_t *n_values_p, struct ct_error *err)
{
    if (size <= sizeof list_magic || memcmp(bytes, list_magic, sizeof list_magic) != 0)
        return ct_fail(err, CT_EFORMAT, "not a list of ranks");
    struct cursor cursor = {bytes + sizeof list_magic, bytes + size, true};
    uint64_t *values =
        malloc((size - sizeof list_magic) * sizeof *values); /* a byte each, or more */
    size_t n = 0;
    if (!values)
        return ct_no_memory(err, "trace");
    while (cursor.ok && cursor.at < cursor.end)
        values[n++] = take_number(&cursor);
    if (!cursor.ok || ct_hash_numbers(values, n) != list) {
        free(values);
        return ct_fail(err, CT_EFORMAT, "damaged or cut list of ranks; copy the file again");
    }
    *values_p = values;
    *n_values_p = n;
    return CT_OK;
}

/* ---- header: magic, then little-endian numbers ---- */

static const char magic[8] = "CTTRACE";
/* What the time between calls is; files of 0.1 have 0 there. */
enum { COMPUTE_AT = 40, COMPUTE_BY_CLOCK = 0, COMPUTE_BY_PROCESSOR = 1 };
/* Whether places and threads are recorded: places from version 4 on, which has threads, threads
 * from version 5 on. */
enum { SITES_AT = 41, THREADS_AT = 42 };
/* Whose MPI was traced; files of 0.2 have 0 there. */
enum { LIBRARY_AT = 43, LIBRARY_UNKNOWN = 0, LIBRARY_SMPI = 1 };
enum { VERSION_OF_SITES = 3, VERSION_OF_THREADS = 4, VERSION_OF_RUNS = 5 };

void ct_trace_header_encode(const struct ct_trace_header *header,
                            unsigned char bytes[CT_TRACE_HEADER_BYTES])
{
    memset(bytes, 0, CT_TRACE_HEADER_BYTES);
    memcpy(bytes, magic, sizeof magic);
    ct_endian_store(bytes + 8, CT_TRACE_VERSION, 4);
    ct_endian_store(bytes + 12, header->rank, 4);
    ct_endian_store(bytes + 16, header->n_ranks, 4);
    ct_endian_store(bytes + 24, header->start_ns, 8);
    ct_endian_store(bytes + 32, header->start_unix_ns, 8);
    bytes[COMPUTE_AT] = header->by_processor;
    bytes[SITES_AT] = header->has_sites;
    bytes[THREADS_AT] = header->has_threads;
    bytes[LIBRARY_AT] = header->in_simgrid ? LIBRARY_SMPI : LIBRARY_UNKNOWN;
}

enum ct_status ct_trace_header_decode(const unsigned char *bytes, size_t size,
                                      struct ct_trace_header *header_p, struct ct_error *err)
{
    if (size < CT_TRACE_HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return ct_fail(err, CT_EFORMAT, "not a trace of crosstalk");
    uint64_t version = ct_endian_load(bytes + 8, 4);
    if (version < 1 || version > CT_TRACE_VERSION)
        return ct_fail(err, CT_EFORMAT,
                       "trace of version %llu; this program reads versions 1 to %d",
                       (unsigned long long)version, CT_TRACE_VERSION);
    struct ct_trace_header header = {
        .rank = (uint32_t)ct_endian_load(bytes + 12, 4),
        .n_ranks = (uint32_t)ct_endian_load(bytes + 16, 4),
        .start_ns = ct_endian_load(bytes + 24, 8),
        .start_unix_ns = ct_endian_load(bytes + 32, 8),
        .by_processor = bytes[COMPUTE_AT] == COMPUTE_BY_PROCESSOR,
        .has_sites = version >= VERSION_OF_THREADS ? bytes[SITES_AT] : version == VERSION_OF_SITES,
        .has_threads =
            version >= VERSION_OF_RUNS ? bytes[THREADS_AT] : version == VERSION_OF_THREADS,
        .in_simgrid = bytes[LIBRARY_AT] == LIBRARY_SMPI,
        .lists_ranks = version < VERSION_OF_RUNS};
    if (bytes[COMPUTE_AT] != COMPUTE_BY_CLOCK && bytes[COMPUTE_AT] != COMPUTE_BY_PROCESSOR)
        return ct_fail(err, CT_EFORMAT, "trace whose time between calls is of an unknown kind, %u",
                       bytes[COMPUTE_AT]);
    if (bytes[LIBRARY_AT] != LIBRARY_UNKNOWN && bytes[LIBRARY_AT] != LIBRARY_SMPI)
        return ct_fail(err, CT_EFORMAT, "trace of an unknown MPI library, %u", bytes[LIBRARY_AT]);
    if (version >= VERSION_OF_THREADS && bytes[SITES_AT] > 1)
        return ct_fail(err, CT_EFORMAT, "trace whose places of calls are of an unknown kind, %u",
                       bytes[SITES_AT]);
    if (version >= VERSION_OF_RUNS && bytes[THREADS_AT] > 1)
        return ct_fail(err, CT_EFORMAT, "trace whose threads are of an unknown kind, %u",
                       bytes[THREADS_AT]);
    if (header.rank >= header.n_ranks)
        return ct_fail(err, CT_EFORMAT, "trace of rank %u of %u", header.rank, header.n_ranks);
    *header_p = header;
    return CT_OK;
}

/* ---- events ---- */

enum { VARIANT = 0x80, SITED = 0x40 }; /* in the byte of the kind */
_Static_assert((int)CT_TRACE_N_KINDS <= (int)SITED, "kinds and these bits share a byte");

static bool can_start(enum ct_trace_kind kind)
{
    return kind == CT_TRACE_SEND || kind == CT_TRACE_RECEIVE;
}

struct ct_trace_before ct_trace_before_first(const struct ct_trace_header *header)
{
    return (struct ct_trace_before){.has_threads = header->has_threads,
                                    .lists_ranks = header->lists_ranks,
                                    .end_ns = header->start_ns};
}

void ct_trace_before_pass(struct ct_trace_before *before, const struct ct_trace_event *event)
{
    before->end_ns = event->end_ns;
    before->index += event->kind != CT_TRACE_SITE;
}

size_t ct_trace_event_bound(const struct ct_trace_event *event)
{
    enum { NUMBERS_MAX = 22 }; /* of an event without its list */
    return 1 + VARINT_MAX * (NUMBERS_MAX + event->n_values) + event->n_text;
}

static unsigned char *put_message(unsigned char *to, const struct ct_trace_message *message)
{
    to = put_number(to, fold_sign(message->rank));
    to = put_number(to, fold_sign(message->tag));
    return put_number(to, message->bytes);
}

static bool tells_thread(const struct ct_trace_before *before, enum ct_trace_kind kind)
{
    return before->has_threads && kind != CT_TRACE_SITE;
}

/* When, where, and by which thread. */
static unsigned char *put_call(unsigned char *to, const struct ct_trace_event *event,
                               const struct ct_trace_before *before)
{
    to = put_number(to, before->has_threads ? fold_difference(event->end_ns - before->end_ns)
                                            : event->start_ns - before->end_ns);
    to = put_number(to, event->end_ns - event->start_ns);
    if (event->site > 0)
        to = put_number(to, event->site);
    if (tells_thread(before, event->kind))
        to = put_number(put_number(to, event->thread), before->index - event->after);
    return to;
}

size_t ct_trace_event_encode(const struct ct_trace_event *event,
                             const struct ct_trace_before *before, unsigned char *bytes)
{
    unsigned fields = ct_trace_kind_fields(event->kind);
    bool starts = event->starts > 0 && can_start(event->kind);
    bool cut = event->cut && event->kind == CT_TRACE_RECEIVE && !starts;
    bool is_listed = fields & CT_TRACE_GROUP && event->list != 0 && event->n_values == 0;
    bool is_variant =
        starts || cut || is_listed || (event->vector && ct_trace_kind_has_vector(event->kind));
    unsigned char *to = put_call(bytes + 1, event, before);
    if (starts)
        to = put_number(put_number(to, event->starts), event->start);
    if (cut)
        to = put_number(to, 0);
    if (fields & CT_TRACE_COMM)
        to = put_number(to, event->comm);
    if (fields & CT_TRACE_REQUEST)
        to = put_number(to, event->request);
    if (fields & CT_TRACE_MODE)
        to = put_number(to, event->mode);
    if (fields & CT_TRACE_TO)
        to = put_message(to, &event->to);
    if (fields & CT_TRACE_FROM)
        to = put_message(to, &event->from);
    if (fields & CT_TRACE_ROOT)
        to = put_number(to, event->root);
    if (fields & CT_TRACE_BYTES)
        to = put_number(to, event->bytes);
    if (fields & CT_TRACE_GROUP)
        to = put_number(to, event->ordinal);
    if (is_listed) {
        to = put_number(to, event->list);
    } else if (fields & (CT_TRACE_VALUES | CT_TRACE_GROUP)) {
        to = put_number(to, event->n_values);
        for (size_t i = 0; i < event->n_values; i++)
            to = put_number(to, event->values[i]);
    }
    if (fields & CT_TRACE_TEXT) {
        to = put_number(to, event->n_text);
        memcpy(to, event->text, event->n_text);
        to += event->n_text;
    }
    /* The file is mapped: a reader must never see the kind without the rest. */
    unsigned bits = (is_variant ? VARIANT : 0U) | (event->site > 0 ? SITED : 0U);
    __atomic_store_n(bytes, (unsigned char)(event->kind | bits), __ATOMIC_RELEASE);
    return (size_t)(to - bytes);
}

void ct_trace_scratch_free(struct ct_trace_scratch *scratch)
{
    free(scratch->values);
    *scratch = (struct ct_trace_scratch){0};
}

static void take_message(struct cursor *cursor, struct ct_trace_message *message_p)
{
    message_p->rank = unfold_sign(take_u32(cursor));
    message_p->tag = unfold_sign(take_u32(cursor));
    message_p->bytes = take_number(cursor);
}

/* A list cannot have more numbers than bytes are left: checked before memory is asked for. */
static enum ct_status take_values(struct cursor *cursor, struct ct_trace_scratch *scratch,
                                  struct ct_trace_event *event)
{
    size_t n = take_below(cursor, (uint64_t)(cursor->end - cursor->at) + 1);
    if (!CT_ARRAY_RESERVE(scratch->values, scratch->room, n))
        return CT_ENOMEM;
    for (size_t i = 0; i < n; i++)
        scratch->values[i] = take_number(cursor);
    event->values = scratch->values;
    event->n_values = n;
    return CT_OK;
}

/* Ranks one by one, after the ordinal in the same list, become runs. */
static enum ct_status take_ranks(struct cursor *cursor, struct ct_trace_scratch *scratch,
                                 struct ct_trace_event *event)
{
    if (take_values(cursor, scratch, event) != CT_OK)
        return CT_ENOMEM;
    size_t n = event->n_values;
    if (n == 0)
        return CT_OK;
    if (!CT_ARRAY_RESERVE(scratch->values, scratch->room, n + CT_RANKS_VALUES_MAX(n)))
        return CT_ENOMEM;
    event->ordinal = scratch->values[0];
    event->values = scratch->values + n;
    event->n_values = ct_ranks_put(scratch->values + 1, n - 1, scratch->values + n);
    return CT_OK;
}

/* How the file has the ranks of a communicator. */
enum ranks_form { ONE_BY_ONE, IN_RUNS, IN_A_LIST };

static enum ct_status take_group(struct cursor *cursor, enum ranks_form form,
                                 struct ct_trace_scratch *scratch, struct ct_trace_event *event)
{
    if (form == ONE_BY_ONE)
        return take_ranks(cursor, scratch, event);
    event->ordinal = take_number(cursor);
    if (form == IN_RUNS)
        return take_values(cursor, scratch, event);
    event->list = take_number(cursor);
    cursor->ok = cursor->ok && event->list != 0;
    return CT_OK;
}

static void take_text(struct cursor *cursor, struct ct_trace_event *event)
{
    size_t most = event->kind == CT_TRACE_SITE ? CT_TRACE_SITE_MAX : CT_TRACE_TEXT_MAX;
    size_t n = take_below(cursor, most + 1);
    if (n > (size_t)(cursor->end - cursor->at))
        cursor->ok = false;
    if (!cursor->ok)
        return;
    event->text = (const char *)cursor->at;
    event->n_text = n;
    cursor->at += n;
}

/* What the highest bit of the kind says. @return false: the kind has no variant */
static bool take_variant(struct cursor *cursor, const struct ct_trace_before *before,
                         struct ct_trace_event *event)
{
    event->vector = ct_trace_kind_has_vector(event->kind);
    if (!can_start(event->kind))
        return event->vector || (event->kind == CT_TRACE_NEW_COMM && !before->lists_ranks);
    event->starts = take_u32(cursor);
    event->cut = event->starts == 0 && event->kind == CT_TRACE_RECEIVE;
    if (!event->cut)
        event->start = (uint32_t)take_below(cursor, event->starts);
    return true;
}

/* Of an access, or of a send. */
static void take_mode(struct cursor *cursor, struct ct_trace_event *event)
{
    const bool is_access = event->kind == CT_TRACE_ACCESS;
    uint64_t mode = take_below(cursor, is_access ? CT_TRACE_ALL_MODES : CT_TRACE_N_MODES);
    if (is_access && mode < CT_TRACE_N_MODES)
        cursor->ok = false;
    event->mode = (enum ct_trace_mode)mode;
}

static enum ct_status take_fields(struct cursor *cursor, enum ranks_form form,
                                  struct ct_trace_scratch *scratch, struct ct_trace_event *event)
{
    unsigned fields = ct_trace_kind_fields(event->kind);
    if (fields & CT_TRACE_COMM)
        event->comm = take_u32(cursor);
    if (fields & CT_TRACE_REQUEST)
        event->request = take_u32(cursor);
    if (fields & CT_TRACE_MODE)
        take_mode(cursor, event);
    if (fields & CT_TRACE_TO)
        take_message(cursor, &event->to);
    if (fields & CT_TRACE_FROM)
        take_message(cursor, &event->from);
    if (fields & CT_TRACE_ROOT)
        event->root = take_u32(cursor);
    if (fields & CT_TRACE_BYTES)
        event->bytes = take_number(cursor);
    enum ct_status status = CT_OK;
    if (fields & CT_TRACE_VALUES)
        status = take_values(cursor, scratch, event);
    if (fields & CT_TRACE_GROUP)
        status = take_group(cursor, form, scratch, event);
    if (fields & CT_TRACE_TEXT)
        take_text(cursor, event);
    return status;
}

/* Start and end of an event. */
static void take_times(struct cursor *cursor, const struct ct_trace_before *before,
                       struct ct_trace_event *event)
{
    uint64_t first = take_number(cursor), duration_ns = take_number(cursor);
    if (before->has_threads) {
        uint64_t since = unfold_difference(first);
        bool is_earlier = since >> 63;
        event->end_ns = before->end_ns + since;
        event->start_ns = event->end_ns - duration_ns;
        if (is_earlier != (event->end_ns < before->end_ns) || duration_ns > event->end_ns)
            cursor->ok = false;
    } else {
        event->start_ns = before->end_ns + first;
        event->end_ns = event->start_ns + duration_ns;
        if (event->start_ns < before->end_ns || event->end_ns < event->start_ns)
            cursor->ok = false;
    }
}

static void take_thread(struct cursor *cursor, const struct ct_trace_before *before,
                        struct ct_trace_event *event)
{
    event->after = before->index;
    if (!tells_thread(before, event->kind))
        return;
    event->thread = take_u32(cursor);
    event->after -= take_below(cursor, before->index + 1);
}

enum ct_status ct_trace_event_decode(const unsigned char *bytes, size_t size, size_t *at_p,
                                     const struct ct_trace_before *before,
                                     struct ct_trace_scratch *scratch,
                                     struct ct_trace_event *event_p, struct ct_error *err)
{
    if (*at_p >= size || bytes[*at_p] == CT_TRACE_NONE) {
        *event_p = (struct ct_trace_event){0};
        return CT_OK;
    }
    struct cursor cursor = {bytes + *at_p + 1, bytes + size, true};
    bool is_variant = bytes[*at_p] & VARIANT, is_sited = bytes[*at_p] & SITED;
    struct ct_trace_event event = {.kind = (enum ct_trace_kind)(bytes[*at_p] & ~(VARIANT | SITED))};
    take_times(&cursor, before, &event);
    if (is_sited)
        event.site = take_u32(&cursor);
    take_thread(&cursor, before, &event);
    if (event.kind == CT_TRACE_NONE || event.kind >= CT_TRACE_N_KINDS ||
        (is_variant && !take_variant(&cursor, before, &event)))
        return ct_fail(err, CT_EFORMAT, "byte %zu: no event is of kind %u", *at_p, bytes[*at_p]);
    enum ranks_form form = before->lists_ranks ? ONE_BY_ONE : is_variant ? IN_A_LIST : IN_RUNS;
    if (take_fields(&cursor, form, scratch, &event) != CT_OK)
        return ct_no_memory(err, "trace");
    if (event.cut && event.request != 0) /* only calls that block are recorded like this */
        cursor.ok = false;
    if (!cursor.ok)
        return ct_fail(err, CT_EFORMAT,
                       "byte %zu: damaged or cut %s event; copy the file again, or trace the "
                       "program again",
                       *at_p, ct_trace_kind_text(event.kind));
    *at_p = (size_t)(cursor.at - bytes);
    *event_p = event;
    return CT_OK;
}

/* ---- threads ---- */

enum ct_status ct_trace_threads_end(struct ct_trace_threads *threads, uint32_t thread,
                                    uint64_t **end_p, struct ct_error *err)
{
    if (thread > threads->n)
        return ct_fail(err, CT_EFORMAT, "thread %u where at most %u was expected", thread,
                       threads->n);
    if (thread == threads->n) {
        if (!CT_ARRAY_RESERVE(threads->ends_ns, threads->room, (size_t)thread + 1))
            return ct_no_memory(err, "trace");
        threads->ends_ns[threads->n++] = threads->begin_ns;
    }
    *end_p = &threads->ends_ns[thread];
    return CT_OK;
}

enum ct_status ct_trace_threads_pass(struct ct_trace_threads *threads,
                                     const struct ct_trace_event *event, struct ct_error *err)
{
    uint64_t *end_ns = NULL;
    CT_TRY(ct_trace_threads_end(threads, event->thread, &end_ns, err));
    if (event->start_ns < *end_ns)
        return ct_fail(err, CT_EFORMAT, "a call of thread %u begins before its last one ended",
                       event->thread);
    *end_ns = event->end_ns;
    return CT_OK;
}

void ct_trace_threads_free(struct ct_trace_threads *threads)
{
    free(threads->ends_ns);
    *threads = (struct ct_trace_threads){0};
}
