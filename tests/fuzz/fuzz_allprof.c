/*
 * Traces in liballprof's form: any text is converted or refused; a schedule that comes out has no
 * message without its counterpart. A line that begins with '=' begins the next rank's text.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_goal_check.h"
#include "trace/convert/actions.h"
#include "trace/convert/allprof.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 8 };

static uint32_t split(const char *text, size_t size, struct ct_allprof_text texts[RANKS_MAX])
{
    uint32_t n = 0;
    texts[0] = (struct ct_allprof_text){text, 0};
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '=' && (i == 0 || text[i - 1] == '\n') && n + 1 < RANKS_MAX)
            texts[++n] = (struct ct_allprof_text){text + i + 1, 0};
        else
            texts[n].n++;
    }
    return n + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_allprof_text texts[RANKS_MAX];
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_events events;
    struct ct_goal goal;
    uint32_t n = split((const char *)data, size, texts);
    if (ct_allprof_read(texts, n, &events, NULL) != CT_OK)
        return 0;
    if (ct_convert_events(&events, &options, &goal, &notes, NULL) == CT_OK) {
        fuzz_check_matched(&goal);
        ct_goal_free(&goal);
        ct_convert_notes_free(&notes);
    }
    events.close(events.context);
    return 0;
}
