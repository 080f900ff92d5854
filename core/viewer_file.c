#include "core/viewer_file.h"

#include "core/json.h"
#include "core/version.h"

#include <inttypes.h>

/* Viewers take thread 0 for the processor's idle time, so tracks are one higher. */
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

void ct_viewer_program(uint32_t program, const char *name, FILE *out)
{
    fprintf(out,
            "%s{\"ph\":\"M\",\"pid\":%u,\"tid\":%d,\"ts\":0,\"name\":\"process_name\",\"args\":{"
            "\"name\":",
            program > 0 ? ",\n" : "", program + FIRST_PROCESS, FIRST_TRACK);
    ct_json_print_text(name, out);
    fputs("}}", out);
}

void ct_viewer_names(uint32_t program, const char *name, uint32_t n_ranks, FILE *out)
{
    char of_rank[32];
    ct_viewer_program(program, name, out);
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        snprintf(of_rank, sizeof of_rank, "rank %u", rank);
        ct_viewer_track(program, rank, rank, of_rank, out);
    }
}

void ct_viewer_track(uint32_t program, uint32_t track, int64_t place, const char *name, FILE *out)
{
    uint32_t process = program + FIRST_PROCESS;
    fprintf(out,
            ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"ts\":0,\"name\":\"thread_name\","
            "\"args\":{\"name\":",
            process, track + FIRST_TRACK);
    ct_json_print_text(name, out);
    fprintf(out,
            "}},\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"ts\":0,\"name\":\"thread_sort_index\","
            "\"args\":{\"sort_index\":%" PRId64 "}}",
            process, track + FIRST_TRACK, place);
}

void ct_viewer_time(const char *name, uint64_t time_ns, FILE *out)
{
    fprintf(out, ",\"%s\":%" PRIu64 ".%03u", name, time_ns / 1000, (unsigned)(time_ns % 1000));
}

void ct_viewer_event(const char *phase, const char *category, uint32_t program, uint32_t track,
                     uint64_t start_ns, FILE *out)
{
    fprintf(out, ",\n{\"ph\":\"%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u", phase, category,
            program + FIRST_PROCESS, track + FIRST_TRACK);
    ct_viewer_time("ts", start_ns, out);
}

void ct_viewer_arrow(enum ct_viewer_end_of end, uint32_t program, uint32_t track, uint64_t time_ns,
                     uint64_t message, FILE *out)
{
    ct_viewer_event(end == CT_VIEWER_SENT ? "s" : "f\",\"bp\":\"e", "message", program, track,
                    time_ns, out);
    fprintf(out, ",\"name\":\"message\",\"id\":%" PRIu64 "}", message);
}
