/* A block of the files of a watch: refused, or records that can be; sealed again, it is whole. */
#include "tests/fuzz/fuzz.h"
#include "watch/history.h"

#include <stdlib.h>
#include <string.h>

static void take_row(void *taker, const struct ct_watch_history_row *row)
{
    unsigned *sum = taker;
    for (uint32_t i = 0; i < row->n_bins; i++)
        *sum += row->count[(size_t)8 * i + 7]; /* within the block */
}

static void look_inside(const unsigned char *bytes, const struct ct_watch_block *block)
{
    const unsigned char *content = bytes + CT_WATCH_HEAD_BYTES;
    unsigned sum = 0;
    for (uint32_t i = 0; i < block->n && block->type != CT_WATCH_HISTORY; i++) {
        struct ct_watch_sample sample;
        struct ct_watch_host host;
        if (block->type == CT_WATCH_HOSTS)
            ct_watch_host_load(content + (size_t)i * CT_WATCH_HOST_BYTES, &host);
        else if (ct_watch_sample_load(content + (size_t)i * CT_WATCH_SAMPLE_BYTES, &sample) &&
                 (sample.from == sample.to || sample.answer_bytes > sample.bytes))
            abort();
        if (block->type == CT_WATCH_HOSTS && strlen(host.name) >= sizeof host.name)
            abort();
    }
    if (block->type == CT_WATCH_HISTORY)
        ct_watch_history_rows(content, block, take_row, &sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_watch_block block;
    unsigned char *bytes = malloc(size ? size : 1); /* no byte more: what reads on is found */
    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    enum ct_watch_look look = ct_watch_block_look(bytes, size, &block);
    if (look == CT_WATCH_WHOLE)
        look_inside(bytes, &block);
    /* The same with a sum that is right, so that what is behind it is reached. */
    if (size >= CT_WATCH_HEAD_BYTES) {
        memset(&block, 0, sizeof block);
        ct_watch_block_look(bytes, size, &block);
        if (block.type != 0 && size >= CT_WATCH_HEAD_BYTES + (size_t)block.bytes) {
            ct_watch_block_seal(bytes, &block);
            if (ct_watch_block_look(bytes, size, &block) != CT_WATCH_WHOLE)
                abort();
            look_inside(bytes, &block);
        }
    }
    free(bytes);
    return 0;
}
