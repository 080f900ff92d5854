#include "topology/loads.h"

#include "core/text.h"
#include "core/units.h"
#include "topology/builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_MAX = 256 };
enum { FROM, TO, UTILIZATION, COLUMNS };
/* The last: of `crosstalk lab counters`. */
static const char *const headings[COLUMNS][2] = {
    {"from", NULL}, {"to", NULL}, {"utilization", "busy_frac"}};

/* Which field of a line is which column, and what is between fields; fields count from 0. */
struct heading {
    size_t field[COLUMNS];
    char separator;
};

/* Spreadsheets write semicolons where the comma is the decimal point. */
static const char separators[] = ",;\t";

/* The next field of a line, without quotes and blanks round it; false: there is none. */
static bool take_field(const char **at, char separator, char text[FIELD_MAX])
{
    size_t n = 0;
    const char *c = *at;
    if (!c)
        return false;
    c += strspn(c, " ");
    bool quoted = *c == '"';
    for (c += quoted; *c && *c != '\n' && *c != '\r'; c++) {
        if (quoted && *c == '"') {
            quoted = false;
            continue;
        }
        if (!quoted && *c == separator)
            break;
        if (n + 1 < FIELD_MAX)
            text[n++] = *c;
    }
    while (n > 0 && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    *at = *c == separator ? c + 1 : NULL;
    return true;
}

static bool is_separated_by(const char *line, char separator, struct heading *heading)
{
    bool found[COLUMNS] = {false};
    char text[FIELD_MAX];
    heading->separator = separator;
    for (size_t i = 0; take_field(&line, separator, text); i++)
        for (size_t column = 0; column < COLUMNS; column++)
            if (!strcmp(text, headings[column][0]) ||
                (headings[column][1] && !strcmp(text, headings[column][1]))) {
                heading->field[column] = i;
                found[column] = true;
            }
    return found[FROM] && found[TO] && found[UTILIZATION];
}

static bool is_heading(const char *line, struct heading *heading)
{
    for (const char *separator = separators; *separator; separator++)
        if (is_separated_by(line, *separator, heading))
            return true;
    return false;
}

/* A number, with a decimal point or comma; or nothing. */
static bool parse_fraction(char *text, double *value_p)
{
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    return !*text ||
           (ct_parse_double(text, value_p, NULL) == CT_OK && *value_p >= 0 && *value_p <= 1000);
}

static enum ct_status find_vertex(const struct ct_topology *topology, const char *name,
                                  const char *source, uint32_t line, uint32_t *v_p,
                                  struct ct_error *err)
{
    if (ct_topology_find(topology, name, v_p))
        return CT_OK;
    return ct_topology_fail(err, source, line, "'%.100s' is not in %s", name, topology->name);
}

static enum ct_status take_row(const struct ct_topology *topology, const struct heading *heading,
                               const char *text, const char *source, uint32_t line,
                               double *utilization, struct ct_error *err)
{
    char field[FIELD_MAX], values[COLUMNS][FIELD_MAX] = {"", "", ""};
    uint32_t from, to;
    double value = NAN;
    bool found = false;
    for (size_t i = 0; take_field(&text, heading->separator, field); i++)
        for (size_t column = 0; column < COLUMNS; column++)
            if (heading->field[column] == i)
                memcpy(values[column], field, sizeof field);
    CT_TRY(find_vertex(topology, values[FROM], source, line, &from, err));
    CT_TRY(find_vertex(topology, values[TO], source, line, &to, err));
    if (!parse_fraction(values[UTILIZATION], &value))
        return ct_topology_fail(err, source, line, "utilization '%.100s': no fraction",
                                values[UTILIZATION]);
    for (uint32_t p = topology->first_port[from]; p < topology->first_port[from + 1]; p++)
        if (topology->ports[p].peer == to) {
            uint32_t link = topology->ports[p].link;
            utilization[2 * link + (topology->links[link].end[0] != from)] = value;
            found = true;
        }
    return found ? CT_OK
                 : ct_topology_fail(err, source, line, "%.100s has no link to %.100s", values[FROM],
                                    values[TO]);
}

enum ct_status ct_topology_loads(const struct ct_topology *topology, const char *text,
                                 const char *source, double **utilization_p, struct ct_error *err)
{
    struct heading heading = {.separator = separators[0]};
    bool begun = false;
    size_t n = 2 * (size_t)topology->n_links;
    double *utilization = malloc((n + 1) * sizeof *utilization);
    if (!utilization)
        return ct_no_memory(err, "utilizations");
    for (size_t i = 0; i < n; i++)
        utilization[i] = NAN;
    enum ct_status status = CT_OK;
    text = ct_text_skip_mark(text);
    for (uint32_t line = 1; *text && status == CT_OK; line++) {
        bool empty = *text == '\n' || *text == '\r';
        if (begun && empty)
            break;
        if (!begun)
            begun = is_heading(text, &heading);
        else if (*text != '#')
            status = take_row(topology, &heading, text, source, line, utilization, err);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    if (status == CT_OK && !begun)
        status = ct_fail(err, CT_EFORMAT,
                         "%s: no line with the headings from, to and utilization, with commas, "
                         "semicolons or tabs between (UTF-8)",
                         source);
    if (status == CT_OK)
        *utilization_p = utilization;
    else
        free(utilization);
    return status;
}
