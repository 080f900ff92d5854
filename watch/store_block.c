#include "watch/store_block.h"

#include "core/array.h"
#include "core/endian.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/order.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t magic = 0x31425743; /* "CWB1" */

/* ---- blocks ---- */

static size_t record_bytes(enum ct_watch_block_type type)
{
    return type == CT_WATCH_SAMPLES ? CT_WATCH_SAMPLE_BYTES
           : type == CT_WATCH_HOSTS ? CT_WATCH_HOST_BYTES
                                    : 0;
}

/* Of the head and the content, without the place of the sum. */
static uint64_t sum_block(const unsigned char *bytes, size_t content)
{
    const uint64_t parts[2] = {ct_hash_text((const char *)bytes, CT_WATCH_HEAD_BYTES - 8),
                               ct_hash_text((const char *)bytes + CT_WATCH_HEAD_BYTES, content)};
    return ct_hash_numbers(parts, 2);
}

enum ct_watch_look ct_watch_block_look(const unsigned char *bytes, size_t size,
                                       struct ct_watch_block *block_p)
{
    if (size < CT_WATCH_HEAD_BYTES)
        return CT_WATCH_CUT;
    uint32_t type = ct_endian_load_u32(bytes + 4);
    struct ct_watch_block block = {.type = (enum ct_watch_block_type)type,
                                   .n = ct_endian_load_u32(bytes + 8),
                                   .bytes = ct_endian_load_u32(bytes + 12),
                                   .label = (int64_t)ct_endian_load(bytes + 16, 8)};
    if (ct_endian_load_u32(bytes) != magic || type < CT_WATCH_SAMPLES || type > CT_WATCH_HISTORY ||
        block.bytes > CT_WATCH_CONTENT_MAX)
        return CT_WATCH_DAMAGED;
    if (type != CT_WATCH_HISTORY && block.bytes != block.n * (uint64_t)record_bytes(block.type))
        return CT_WATCH_DAMAGED;
    *block_p = block;
    if (size < CT_WATCH_HEAD_BYTES + (size_t)block.bytes)
        return CT_WATCH_CUT;
    return ct_endian_load(bytes + CT_WATCH_HEAD_BYTES - 8, 8) == sum_block(bytes, block.bytes)
               ? CT_WATCH_WHOLE
               : CT_WATCH_DAMAGED;
}

void ct_watch_block_seal(unsigned char *bytes, const struct ct_watch_block *block)
{
    memset(bytes, 0, CT_WATCH_HEAD_BYTES);
    ct_endian_store(bytes, magic, 4);
    ct_endian_store(bytes + 4, (uint64_t)block->type, 4);
    ct_endian_store(bytes + 8, block->n, 4);
    ct_endian_store(bytes + 12, block->bytes, 4);
    ct_endian_store(bytes + 16, (uint64_t)block->label, 8);
    ct_endian_store(bytes + CT_WATCH_HEAD_BYTES - 8, sum_block(bytes, block->bytes), 8);
}

/* ---- records ---- */

static void store_float(unsigned char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    ct_endian_store(to, bits, 4);
}

static float load_float(const unsigned char *from)
{
    uint32_t bits = ct_endian_load_u32(from);
    float value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : NAN;
}

static void store_double(unsigned char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ct_endian_store(to, bits, 8);
}

static double load_double(const unsigned char *from)
{
    uint64_t bits = ct_endian_load(from, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : NAN;
}

void ct_watch_sample_store(unsigned char *to, const struct ct_watch_sample *sample)
{
    ct_endian_store(to, (uint64_t)sample->unix_ns, 8);
    ct_endian_store(to + 8, sample->from, 4);
    ct_endian_store(to + 12, sample->to, 4);
    ct_endian_store(to + 16, sample->bytes, 4);
    ct_endian_store(to + 20, sample->answer_bytes, 4);
    ct_endian_store(to + 24, sample->fate, 4);
    const float times[] = {sample->round_s, sample->there_s, sample->back_s, sample->hold_s,
                           sample->late_s};
    for (size_t i = 0; i < 5; i++)
        store_float(to + 28 + 4 * i, times[i]);
}

bool ct_watch_sample_load(const unsigned char *from, struct ct_watch_sample *sample_p)
{
    struct ct_watch_sample sample = {.unix_ns = (int64_t)ct_endian_load(from, 8),
                                     .from = ct_endian_load_u32(from + 8),
                                     .to = ct_endian_load_u32(from + 12),
                                     .bytes = ct_endian_load_u32(from + 16),
                                     .answer_bytes = ct_endian_load_u32(from + 20),
                                     .fate = from[24],
                                     .round_s = load_float(from + 28),
                                     .there_s = load_float(from + 32),
                                     .back_s = load_float(from + 36),
                                     .hold_s = load_float(from + 40),
                                     .late_s = load_float(from + 44)};
    if (sample.from == sample.to || sample.from >= CT_WATCH_HOSTS_MAX ||
        sample.to >= CT_WATCH_HOSTS_MAX || sample.fate > CT_WATCH_SKIPPED ||
        sample.answer_bytes > sample.bytes || sample.unix_ns < 0 ||
        (sample.fate == CT_WATCH_ANSWERED) != (sample.round_s >= 0))
        return false;
    *sample_p = sample;
    return true;
}

void ct_watch_host_store(unsigned char *to, const struct ct_watch_host *host)
{
    memcpy(to, host->name, sizeof host->name);
    ct_endian_store(to + 64, host->is_present, 8);
    ct_endian_store(to + 72, (uint64_t)host->seen_unix_ns, 8);
    store_double(to + 80, host->offset_s);
    store_double(to + 88, host->drift_per_s);
    const uint64_t counts[] = {host->sent, host->answered, host->lost, host->skipped};
    for (size_t i = 0; i < 4; i++)
        ct_endian_store(to + 96 + 8 * i, counts[i], 8);
}

void ct_watch_host_load(const unsigned char *from, struct ct_watch_host *host_p)
{
    *host_p = (struct ct_watch_host){.is_present = from[64] != 0,
                                     .seen_unix_ns = (int64_t)ct_endian_load(from + 72, 8),
                                     .offset_s = load_double(from + 80),
                                     .drift_per_s = load_double(from + 88),
                                     .sent = ct_endian_load(from + 96, 8),
                                     .answered = ct_endian_load(from + 104, 8),
                                     .lost = ct_endian_load(from + 112, 8),
                                     .skipped = ct_endian_load(from + 120, 8)};
    memcpy(host_p->name, from, sizeof host_p->name - 1);
    for (char *c = host_p->name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

/* ---- files ---- */

void ct_watch_file_path(const char *folder, struct ct_watch_file file, char path[CT_WATCH_PATH_MAX])
{
    snprintf(path, CT_WATCH_PATH_MAX, "%s/samples-%08" PRIu64 "-%" PRId64 ".ctw", folder,
             file.number, file.hour);
}

CT_ORDER(compare_files, struct ct_watch_file, number)

static bool parse_number(const char **at_p, uint64_t *number_p)
{
    char *end;
    errno = 0;
    *number_p = strtoull(*at_p, &end, 10);
    bool good = **at_p >= '0' && **at_p <= '9' && errno == 0;
    *at_p = end;
    return good;
}

/* The samples of a time before 1970 are not kept. */
static bool parse_file_name(const char *name, struct ct_watch_file *file_p)
{
    static const char start[] = "samples-";
    uint64_t hour = 0;
    if (strncmp(name, start, sizeof start - 1) != 0)
        return false;
    name += sizeof start - 1;
    if (!parse_number(&name, &file_p->number) || *name++ != '-' || !parse_number(&name, &hour) ||
        hour > INT32_MAX)
        return false;
    file_p->hour = (int64_t)hour;
    return strcmp(name, ".ctw") == 0 && file_p->number > 0;
}

enum ct_status ct_watch_files_list(const char *folder, struct ct_watch_file **files_p, size_t *n_p,
                                   struct ct_error *err)
{
    struct {
        struct ct_watch_file *items;
        size_t n, room;
    } list = {0};
    DIR *stream = opendir(folder);
    if (!stream)
        return ct_fail(err, CT_EIO, "%s: cannot be listed: %s", folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(stream));) {
        struct ct_watch_file file;
        if (!parse_file_name(entry->d_name, &file))
            continue;
        if (!CT_ARRAY_RESERVE(list.items, list.room, list.n + 1)) {
            closedir(stream);
            free(list.items);
            return ct_no_memory(err, "%s", folder);
        }
        list.items[list.n++] = file;
    }
    closedir(stream);
    if (list.n > 0)
        qsort(list.items, list.n, sizeof *list.items, compare_files);
    *files_p = list.items;
    *n_p = list.n;
    return CT_OK;
}

enum ct_status ct_watch_hosts_read(const char *folder, struct ct_watch_host **hosts_p, size_t *n_p,
                                   struct ct_error *err)
{
    char path[CT_WATCH_PATH_MAX];
    struct ct_text text;
    struct ct_watch_block block;
    snprintf(path, sizeof path, "%s/hosts.ctw", folder);
    CT_TRY(ct_file_read(path, &text, err));
    const unsigned char *bytes = (const unsigned char *)text.text;
    struct ct_watch_host *hosts = NULL;
    enum ct_status status = CT_OK;
    if (ct_watch_block_look(bytes, text.size, &block) != CT_WATCH_WHOLE ||
        block.type != CT_WATCH_HOSTS || block.n > CT_WATCH_HOSTS_MAX)
        status = ct_fail(err, CT_EFORMAT,
                         "%s: is no table of hosts of a watch, or is damaged; of another version?",
                         path);
    else if (!(hosts = calloc(block.n + 1, sizeof *hosts)))
        status = ct_no_memory(err, "%s", path);
    for (uint32_t i = 0; hosts && i < block.n; i++)
        ct_watch_host_load(bytes + CT_WATCH_HEAD_BYTES + (size_t)i * CT_WATCH_HOST_BYTES,
                           &hosts[i]);
    free(text.text);
    if (status != CT_OK)
        return status;
    *hosts_p = hosts;
    *n_p = block.n;
    return CT_OK;
}
