/*
 * Traces of all ranks: whatever their events are, they are converted or refused, and a schedule
 * that comes out has no message without its counterpart. Acted, they end or are refused, and no
 * place of a request is out of the table. The input is the files of ranks 0, 1 and so on, each
 * after its length in two bytes, low one first.
 */
#include "lp-bridge/convert/actions.h"
#include "lp-bridge/rehearse/rehearsal.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_goal_check.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 6 };

struct file {
    const uint8_t *bytes;
    size_t size, at;
    uint64_t end_ns, position;
    struct ct_trace_scratch scratch;
};

struct files {
    struct file of[RANKS_MAX];
    uint32_t n;
};

static void split(const uint8_t *data, size_t size, struct files *files)
{
    while (size >= 2 && files->n < RANKS_MAX) {
        size_t length = data[0] + 256U * data[1];
        length = length < size - 2 ? length : size - 2;
        files->of[files->n++] =
            (struct file){.bytes = data + 2, .size = length, .at = CT_TRACE_HEADER_BYTES};
        data += 2 + length;
        size -= 2 + length;
    }
}

static enum ct_status next(void *context, uint32_t rank, struct ct_trace_event *event_p,
                           uint64_t *position_p, struct ct_error *err)
{
    struct file *file = &((struct files *)context)->of[rank];
    enum ct_status status = ct_trace_event_decode(file->bytes, file->size, &file->at, file->end_ns,
                                                  &file->scratch, event_p, err);
    *position_p = ++file->position;
    if (status == CT_OK)
        file->end_ns = event_p->end_ns;
    return status;
}

static struct ct_events_place tell(const void *context, uint32_t rank)
{
    const struct file *file = &((const struct files *)context)->of[rank];
    return (struct ct_events_place){file->at, file->end_ns, file->position};
}

static void seek(void *context, uint32_t rank, struct ct_events_place place)
{
    struct file *file = &((struct files *)context)->of[rank];
    file->at = (size_t)place.at;
    file->end_ns = place.before;
    file->position = place.position;
}

static void rehearse(const struct ct_events *events)
{
    struct ct_rehearsal rehearsal;
    struct ct_error err;
    if (ct_rehearse(events, events->n_ranks - 1, &rehearsal, &err) != CT_OK)
        return;
    for (size_t i = 0; i < rehearsal.n_uses; i++)
        if (i > 0 && rehearsal.uses[i].call <= rehearsal.uses[i - 1].call)
            abort();
    for (uint32_t i = 0; i < rehearsal.n_slots; i++)
        if (rehearsal.slots[i].send > INT32_MAX || rehearsal.slots[i].receive > INT32_MAX)
            abort();
    ct_rehearsal_free(&rehearsal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct files files = {.n = 0};
    struct ct_goal goal;
    split(data, size, &files);
    struct ct_events events = {.n_ranks = files.n,
                               .position_unit = "event",
                               .context = &files,
                               .next = next,
                               .tell = tell,
                               .seek = seek};
    if (files.n > 0)
        rehearse(&events);
    if (files.n > 0 && ct_convert_events(&events, &options, &goal, &notes, NULL) == CT_OK) {
        fuzz_check_matched(&goal);
        ct_goal_free(&goal);
        ct_convert_notes_free(&notes);
    }
    for (uint32_t rank = 0; rank < files.n; rank++)
        ct_trace_scratch_free(&files.of[rank].scratch);
    return 0;
}
