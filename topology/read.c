#include "topology/read.h"

#include "core/foreign.h"
#include "core/text.h"
#include "topology/builder.h"
#include "topology/readers.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { INCLUDES_MAX = 100 };

typedef enum ct_status reader(const char *text, const char *source, struct ct_topology *topology_p,
                              struct ct_error *err);

/* How lines begin that only one form has, letters of any case. `number`: then comes a number, as
 * of ports, so that no sentence of a warning is taken for such a line. */
static const struct {
    const char *beginning;
    bool number;
    reader *read;
} forms[] = {{"switchname", false, ct_topology_read_slurm},
             {"blockname", false, ct_topology_read_slurm},
             {"blocksizes", false, ct_topology_read_slurm},
             {"topologyplugin", false, ct_topology_read_slurm},
             {"include ", false, ct_topology_read_slurm},
             {"vendid=", false, ct_topology_read_ibnet},
             {"devid=", false, ct_topology_read_ibnet},
             {"sysimgguid=", false, ct_topology_read_ibnet},
             {"switchguid=", false, ct_topology_read_ibnet},
             {"caguid=", false, ct_topology_read_ibnet},
             {"switch", true, ct_topology_read_ibnet},
             {"non-chassis", false, ct_topology_read_ibnet},
             {"chassis", true, ct_topology_read_ibnet},
             {"ca", true, ct_topology_read_ibnet},
             {"---", false, ct_topology_read_yaml},
             {"- ", false, ct_topology_read_yaml},
             {"{", false, ct_topology_read_yaml},
             {"switches:", false, ct_topology_read_yaml},
             {"links:", false, ct_topology_read_yaml},
             {"routes:", false, ct_topology_read_yaml}};

static bool is_form(const char *line, size_t i)
{
    size_t length = strlen(forms[i].beginning);
    if (strncasecmp(line, forms[i].beginning, length) != 0)
        return false;
    if (!forms[i].number)
        return true;
    /* "Ca 1 "H-a0"": a number of ports, and no other number, as in lists of ports. */
    const char *rest = line + length, *number = rest + strspn(rest, " \t");
    size_t digits = strspn(number, "0123456789");
    return number > rest && digits > 0 &&
           !isdigit((unsigned char)number[digits + strspn(number + digits, " \t")]);
}

/* What begins a line of a form; the text may have warnings and comments in front of it.
 * @param line_p  [out] that line; the text: there is none
 * @return NULL: there is none */
static reader *find_form(const char *text, const char **line_p)
{
    *line_p = text;
    while (*text) {
        const char *line = text + strspn(text, " \t");
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
            if (is_form(line, i)) {
                *line_p = line;
                return forms[i].read;
            }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return NULL;
}

static bool is_empty(const char *text)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (*text != '#')
            return *text == '\0';
        text += strcspn(text, "\n");
    }
}

enum ct_status ct_topology_parse(const char *text, size_t size, const char *source,
                                 struct ct_topology *topology_p, struct ct_error *err)
{
    if (memchr(text, '\0', size)) {
        ct_fail(err, CT_EFORMAT, "%s: a NUL byte in it: no text", source);
        ct_foreign_explain(source, text, size, CT_READS_TOPOLOGY, err);
        return CT_EFORMAT;
    }
    char *copy = strndup(text, size);
    if (!copy)
        return ct_no_memory(err, "topology");
    const char *begin = ct_text_skip_mark(copy), *line;
    reader *read = find_form(begin, &line);
    enum ct_status status;
    if (is_empty(begin))
        status = ct_fail(err, CT_EFORMAT, "%s: empty", source);
    else
        status = (read ? read : ct_topology_read_yaml)(begin, source, topology_p, err);
    /* A line that only one form has needs no other explanation; a brace may begin anything. */
    if (status == CT_EFORMAT && (!read || *line == '{'))
        ct_foreign_explain(source, line, strlen(line), CT_READS_TOPOLOGY, err);
    free(copy);
    return status;
}

/* ---- files ---- */

/* The file that a line "Include FILE" names; NULL: it is no such line, or out of memory. */
static char *included_path(const char *line, const char *path)
{
    static const char word[] = "include";
    line += strspn(line, " \t");
    if (strncasecmp(line, word, sizeof word - 1) != 0 ||
        !isblank((unsigned char)line[sizeof word - 1]))
        return NULL;
    line += sizeof word - 1;
    line += strspn(line, " \t");
    int length = (int)strcspn(line, " \t\r\n#");
    const char *slash = strrchr(path, '/');
    char *included;
    if (length == 0 ||
        asprintf(&included, "%.*s%.*s", *line == '/' || !slash ? 0 : (int)(slash + 1 - path), path,
                 length, line) < 0)
        return NULL;
    return included;
}

/* Slurm's lines, with those of included files in their places. */
static enum ct_status print_included(const char *text, const char *path, FILE *out, int *n_p,
                                     struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (uint32_t line = 1; *text && status == CT_OK; line++) {
        size_t length = strcspn(text, "\n");
        char *included = included_path(text, path);
        struct ct_text inner = {0};
        if (included) {
            status = ++*n_p > INCLUDES_MAX
                         ? ct_fail(err, CT_EFORMAT, "more than %d lines Include", INCLUDES_MAX)
                         : ct_file_read(included, &inner, err);
            if (status == CT_OK)
                status = print_included(ct_text_skip_mark(inner.text), included, out, n_p, err);
            else
                ct_fail_at_line(err, status, path, line);
            fputc('\n', out);
        } else {
            fprintf(out, "%.*s\n", (int)length, text);
        }
        free(inner.text);
        free(included);
        text += length;
        text += *text == '\n';
    }
    return status;
}

static enum ct_status load_lines(const char *path, struct ct_text *text_p, int *n_included_p,
                                 struct ct_error *err)
{
    struct ct_text text, whole = {0};
    const char *line;
    enum ct_status status = ct_file_read(path, &text, err);
    if (status != CT_OK || memchr(text.text, '\0', text.size) ||
        find_form(ct_text_skip_mark(text.text), &line) != ct_topology_read_slurm) {
        if (status == CT_OK)
            *text_p = text;
        return status;
    }
    FILE *out = open_memstream(&whole.text, &whole.size);
    if (!out) {
        free(text.text);
        return ct_no_memory(err, "topology");
    }
    status = print_included(ct_text_skip_mark(text.text), path, out, n_included_p, err);
    if (fclose(out) != 0 && status == CT_OK)
        status = ct_no_memory(err, "topology");
    struct ct_text *kept = *n_included_p > 0 && status == CT_OK ? &whole : &text;
    free(kept == &text ? whole.text : text.text);
    if (status == CT_OK)
        *text_p = *kept;
    else
        free(text.text);
    return status;
}

enum ct_status ct_topology_load(const char *path, struct ct_text *text_p, struct ct_error *err)
{
    int n_included = 0;
    return load_lines(path, text_p, &n_included, err);
}

enum ct_status ct_topology_read(const char *path, struct ct_topology *topology_p,
                                struct ct_error *err)
{
    struct ct_text text = {0};
    int n_included = 0;
    CT_TRY(load_lines(path, &text, &n_included, err));
    enum ct_status status = ct_topology_parse(text.text, text.size, path, topology_p, err);
    free(text.text);
    if (status != CT_OK && n_included > 0)
        return ct_fail_within(err, status, "with the lines of included files in their places");
    return status;
}

static bool is_between_switches(const struct ct_topology *topology, const struct ct_link *link)
{
    return link->end[0] >= topology->n_nodes && link->end[1] >= topology->n_nodes;
}

static enum ct_status add_note(struct ct_topology *topology, const char *what, struct ct_error *err)
{
    char *notes;
    if (asprintf(&notes,
                 "%sThe file has the %s of all links: none that is given besides is used.\n",
                 topology->notes ? topology->notes : "", what) < 0)
        return ct_no_memory(err, "topology");
    free(topology->notes);
    topology->notes = notes;
    return CT_OK;
}

/* What the file does not say. */
static enum ct_status fill_links(const struct ct_topology_settings *settings,
                                 struct ct_topology *topology, struct ct_error *err)
{
    bool has_uplink = !isnan(settings->uplink_bit_per_s);
    bool has_rate = has_uplink || !isnan(settings->rate_bit_per_s);
    uint32_t n_rates = 0, n_latencies = 0;
    for (uint32_t i = 0; i < topology->n_links; i++) {
        struct ct_link *link = &topology->links[i];
        bool is_uplink = has_uplink && is_between_switches(topology, link);
        n_rates += isnan(link->rate_bit_per_s) ? 1 : 0;
        n_latencies += isnan(link->latency_s) ? 1 : 0;
        if (isnan(link->rate_bit_per_s))
            link->rate_bit_per_s =
                is_uplink ? settings->uplink_bit_per_s : settings->rate_bit_per_s;
        if (isnan(link->latency_s))
            link->latency_s = settings->wire_s;
    }
    if (has_rate && n_rates == 0)
        CT_TRY(add_note(topology, "rates", err));
    if (!isnan(settings->wire_s) && n_latencies == 0)
        CT_TRY(add_note(topology, "latencies", err));
    return CT_OK;
}

enum ct_status ct_topology_open(const char *text, const struct ct_topology_settings *settings,
                                struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology topology;
    if (ct_topology_is_spec(text))
        return ct_topology_make(text, settings, topology_p, err);
    if (access(text, F_OK) != 0 && errno == ENOENT)
        return ct_fail(err, CT_ENOENT,
                       "%s: neither a file nor a topology such as switch:8, tree:4x8,2, "
                       "fat-tree:8x3, dragonfly:8,4,8 or torus:4x4x4",
                       text);
    CT_TRY(ct_topology_read(text, &topology, err));
    enum ct_status status = fill_links(settings, &topology, err);
    if (status == CT_OK)
        *topology_p = topology;
    else
        ct_topology_free(&topology);
    return status;
}
