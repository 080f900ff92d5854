#include "core/viewer_file.h"

#include "core/json.h"
#include "core/version.h"

#include <inttypes.h>

/* Viewers take thread 0 for the processor's idle time, so a rank's track is one higher. */
enum { FIRST_PROCESS = 1, FIRST_TRACK = 1 };

void ct_viewer_begin(FILE *out)
{
    fprintf(out,
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"crosstalk %s\"},\n"
            "\"traceEvents\":[\n",
            CT_VERSION);
}

void ct_viewer_end(FILE *out)
{
    fputs("\n]}\n", out);
}

void ct_viewer_names(uint32_t program, const char *name, uint32_t n_ranks, FILE *out)
{
    uint32_t process = program + FIRST_PROCESS;
    fprintf(out,
            "%s{\"ph\":\"M\",\"pid\":%u,\"tid\":%d,\"ts\":0,\"name\":\"process_name\",\"args\":{"
            "\"name\":",
            program > 0 ? ",\n" : "", process, FIRST_TRACK);
    ct_json_print_text(name, out);
    fputs("}}", out);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        fprintf(out,
                ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"ts\":0,\"name\":\"thread_name\","
                "\"args\":{\"name\":\"rank %u\"}},\n"
                "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"ts\":0,\"name\":\"thread_sort_index\","
                "\"args\":{\"sort_index\":%u}}",
                process, rank + FIRST_TRACK, rank, process, rank + FIRST_TRACK, rank);
}

void ct_viewer_track(uint32_t program, uint32_t track, const char *name, FILE *out)
{
    uint32_t process = program + FIRST_PROCESS;
    fprintf(out,
            ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"ts\":0,\"name\":\"thread_name\","
            "\"args\":{\"name\":",
            process, track + FIRST_TRACK);
    ct_json_print_text(name, out);
    fprintf(out,
            "}},\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"ts\":0,\"name\":\"thread_sort_index\","
            "\"args\":{\"sort_index\":-1}}",
            process, track + FIRST_TRACK);
}

void ct_viewer_time(const char *name, uint64_t time_ns, FILE *out)
{
    fprintf(out, ",\"%s\":%" PRIu64 ".%03u", name, time_ns / 1000, (unsigned)(time_ns % 1000));
}

void ct_viewer_event(const char *phase, const char *category, uint32_t program, uint32_t rank,
                     uint64_t start_ns, FILE *out)
{
    fprintf(out, ",\n{\"ph\":\"%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u", phase, category,
            program + FIRST_PROCESS, rank + FIRST_TRACK);
    ct_viewer_time("ts", start_ns, out);
}

void ct_viewer_arrow(enum ct_viewer_end_of end, uint32_t program, uint32_t rank, uint64_t time_ns,
                     uint64_t message, FILE *out)
{
    ct_viewer_event(end == CT_VIEWER_SENT ? "s" : "f\",\"bp\":\"e", "message", program, rank,
                    time_ns, out);
    fprintf(out, ",\"name\":\"message\",\"id\":%" PRIu64 "}", message);
}
