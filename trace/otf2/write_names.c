#include "core/array.h"
#include "core/hash.h"
#include "trace/call.h"
#include "trace/otf2/writer.h"

#include <string.h>

enum ct_status ct_otf2_write_text(struct ct_otf2_writer *writer, const char *text,
                                  OTF2_StringRef *ref_p)
{
    uint64_t hash = ct_hash_text(text, strlen(text));
    uint32_t found = ct_map_find(&writer->names.text_of, hash);
    if (found != 0 && strcmp(writer->names.texts[found - 1], text) == 0) {
        *ref_p = found - 1;
        return CT_OK;
    }
    char *copy = strdup(text);
    if (!copy || writer->names.n_texts >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(writer->names.texts, writer->names.room_texts,
                          writer->names.n_texts + 1)) {
        free(copy);
        return ct_no_memory(writer->err, "archive");
    }
    *ref_p = (OTF2_StringRef)writer->names.n_texts;
    writer->names.texts[writer->names.n_texts++] = copy;
    if (found == 0 && !ct_map_add(&writer->names.text_of, hash, *ref_p + 1))
        return ct_no_memory(writer->err, "archive");
    return CT_OK;
}

static OTF2_RegionRole role_of(enum ct_trace_kind kind)
{
    switch (ct_trace_class_of(kind)) {
    case CT_TRACE_CLASS_SEND:
    case CT_TRACE_CLASS_RECEIVE:
    case CT_TRACE_CLASS_WAIT:
        return OTF2_REGION_ROLE_POINT2POINT;
    case CT_TRACE_CLASS_COLLECTIVE:
        return kind == CT_TRACE_BARRIER ? OTF2_REGION_ROLE_BARRIER : OTF2_REGION_ROLE_COLL_OTHER;
    default:
        return OTF2_REGION_ROLE_FUNCTION;
    }
}

enum ct_status ct_otf2_write_region(struct ct_otf2_writer *writer,
                                    const struct ct_trace_event *event, OTF2_RegionRef *ref_p)
{
    char name[CT_TRACE_CALL_MAX];
    bool is_unmodelled = event->kind == CT_TRACE_UNMODELLED;
    struct ct_otf2_written_region region = {.role = role_of(event->kind),
                                            .is_unmodelled = is_unmodelled};
    ct_trace_call_name(event, name);
    CT_TRY(ct_otf2_write_text(writer, name, &region.name));
    uint64_t key = (uint64_t)region.name << 1 | is_unmodelled;
    uint32_t found = ct_map_find(&writer->names.region_of, key);
    if (found == 0) {
        if (!CT_ARRAY_RESERVE(writer->names.regions, writer->names.room_regions,
                              writer->names.n_regions + 1))
            return ct_no_memory(writer->err, "archive");
        writer->names.regions[writer->names.n_regions++] = region;
        found = (uint32_t)writer->names.n_regions;
        if (!ct_map_add(&writer->names.region_of, key, found))
            return ct_no_memory(writer->err, "archive");
    }
    *ref_p = found - 1;
    return CT_OK;
}
