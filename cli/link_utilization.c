#include "cli/link_utilization.h"

#include "core/picture.h"
#include "core/text.h"
#include "topology/draw.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ct_option ct_link_utilization_options[] = {
    {CT_OPTION(FLAG, "links", struct ct_link_utilization_values, links),
     .help = "busy share and mean wait of each link, each direction, in place of the utilization "
             "of the whole network. Runs inside a simulator that have not recorded the rate "
             "need --link-rate"},
    {CT_OPTION(STRING, "topology", struct ct_link_utilization_values, topology),
     .argument = "TOPOLOGY",
     .help = "with --links: switches and links, as crosstalk-topology(1) takes them; without this "
             "option as the run has recorded them (impactb --topology)"},
    {CT_OPTION(FLAG, "round-trips", struct ct_link_utilization_values, round_trips),
     .help = "with --links: use round trips, although the runs have one-way times; for loads that "
             "are alike in both directions of a link"},
    {CT_OPTION(STRING, "uplink-rate", struct ct_link_utilization_values, uplink_rate),
     .argument = "RATE",
     .help =
         "with --links: data rate of links between switches, where the run has not recorded it; "
         "without this option that of --link-rate"},
    CT_ROW_PLOT(struct ct_link_utilization_values, plot_path,
                "with --links: draw the network, links in the colour of their utilization"),
    CT_ROW_OUTPUT(struct ct_link_utilization_values, picture_path, "FILE.dot",
                  "with --links: write the same for Graphviz", .target = CT_FILE_STREAM),
    {0}};

enum ct_status ct_link_utilization_check(const struct ct_link_utilization_values *values,
                                         struct ct_error *err)
{
    if (!values->links && (values->topology || values->plot_path || values->picture_path ||
                           values->round_trips || values->uplink_rate))
        return ct_fail(err, CT_EUSAGE, "--%s: is for --links, which is missing",
                       values->topology       ? "topology"
                       : values->plot_path    ? "plot"
                       : values->picture_path ? "output"
                       : values->round_trips  ? "round-trips"
                                              : "uplink-rate");
    const char *path = values->picture_path;
    if (path && !ct_text_ends_in(path, ".dot") && !ct_text_ends_in(path, ".svg"))
        return ct_fail(err, CT_EUSAGE, "--output: '%s': give FILE.dot, or --plot FILE.svg", path);
    if (path && ct_text_ends_in(path, ".svg"))
        fprintf(stderr,
                "crosstalk utilization: warning: --output %s: give --plot %s in its place; "
                "FILE.svg for --output goes in 0.4\n",
                path, path);
    return CT_OK;
}

enum ct_status ct_link_uplink_rate_parse(const struct ct_link_utilization_values *values,
                                         double *bit_per_s_p, struct ct_error *err)
{
    const char *text = values->uplink_rate;
    double bit_per_s = NAN;
    if (text && ct_parse_rate(text, &bit_per_s, err) != CT_OK)
        return ct_fail_within(err, CT_EUSAGE, "--uplink-rate");
    if (text && !(bit_per_s > 0))
        return ct_fail(err, CT_EUSAGE, "--uplink-rate: '%s': not a rate above 0 such as 100gbit",
                       text);
    *bit_per_s_p = bit_per_s;
    return CT_OK;
}

/* ---- tables ---- */

static const char *end_of(const struct ct_link_load *load, size_t column, unsigned which)
{
    const struct ct_topology *topology = &load->network.topology;
    uint32_t direction = load->paths.direction[column];
    uint32_t end = (direction & 1) ^ which;
    return ct_topology_name(topology, topology->links[direction / 2].end[end]);
}

/* "spine1 to leaf0, .." of the others of a group. */
static void fill_same(struct ct_tables *tables, const struct ct_link_load *load, size_t column)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const char *between = "";
    for (size_t c = 0; out && c < load->paths.n_columns; c++)
        if (c != column && load->group[c] == load->group[column]) {
            fprintf(out, "%s%s to %s", between, end_of(load, c, 0), end_of(load, c, 1));
            between = ", ";
        }
    if (out && fclose(out) == 0)
        ct_tables_cell_list(tables, text);
    else
        ct_tables_cell_list(tables, "");
    free(text);
}

static void fill_link(struct ct_tables *tables, const struct ct_link_load *load, size_t column)
{
    const struct ct_link_estimate *link = &load->estimates[load->group[column]];
    ct_tables_cell_text(tables, end_of(load, column, 0));
    ct_tables_cell_text(tables, end_of(load, column, 1));
    CT_CELL_NUMBERS(tables, link->busy_frac, link->busy_ci.lo, link->busy_ci.hi, link->wait_s,
                    link->wait_ci.lo, link->wait_ci.hi);
    ct_tables_cell_text(tables, load->is_open[load->group[column]] ? "no" : "yes");
    fill_same(tables, load, column);
}

static void fill_counts(struct ct_tables *tables, const struct ct_link_load *load)
{
    size_t n_determined = 0;
    for (size_t g = 0; g < load->n_groups; g++)
        n_determined += load->is_open[g] ? 0 : 1;
    CT_TABLES_NUMBER(tables, "n_pairs", "pairs", COUNT, (double)load->paths.n_pairs);
    CT_TABLES_NUMBER(tables, "n_directions", "directions of links", COUNT,
                     (double)load->paths.n_columns);
    CT_TABLES_NUMBER(tables, "n_groups", "distinguished", COUNT, (double)load->n_groups);
    CT_TABLES_NUMBER(tables, "n_determined", "determined", COUNT, (double)n_determined);
}

static void answer_in_words(struct ct_tables *tables, const struct ct_link_load *load,
                            size_t busiest)
{
    const struct ct_link_estimate *link = &load->estimates[load->group[busiest]];
    char share[CT_UNITS_TEXT_MAX], lo[CT_UNITS_TEXT_MAX], hi[CT_UNITS_TEXT_MAX],
        wait[CT_UNITS_TEXT_MAX];
    ct_format_share(link->busy_frac, share);
    ct_format_share(link->busy_ci.lo, lo);
    ct_format_share(link->busy_ci.hi, hi);
    ct_format_words(link->wait_s, 2, wait);
    ct_tables_answer(tables,
                     "The busiest link, %s to %s, is busy %s of the time (%s to %s); a message "
                     "waits %s there on average.",
                     end_of(load, busiest, 0), end_of(load, busiest, 1), share, lo, hi, wait);
}

void ct_link_utilization_fill(struct ct_tables *tables, const struct ct_link_load *load)
{
    static const struct ct_column columns[] = {{"from", "from", CT_UNIT_NONE},
                                               {"to", "to", CT_UNIT_NONE},
                                               {"utilization", "busy", CT_UNIT_FRACTION},
                                               {"utilization_ci[]", "from", CT_UNIT_FRACTION},
                                               {"utilization_ci[]", "to", CT_UNIT_FRACTION},
                                               {"mean_wait_s", "mean wait", CT_UNIT_SECONDS},
                                               {"mean_wait_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"mean_wait_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"determined", "determined", CT_UNIT_NONE},
                                               {"same_as[]", "same as", CT_UNIT_NONE}};
    size_t n = load->paths.n_columns;
    struct ct_ranked *links = malloc((n + 1) * sizeof *links);
    ct_tables_provenance(tables, "network", "%s", load->network.topology.name);
    ct_tables_provenance(tables, "idle latencies", "%zu", load->n_idle);
    ct_tables_provenance(tables, "loaded latencies", "%zu", load->n_loaded);
    ct_tables_provenance(tables, "ways", "%s",
                         load->one_way ? "there and back apart" : "there and back together");
    ct_tables_provenance(tables, "dependence of links", "%.2f (1: independent of each other)",
                         load->dependence);
    fill_counts(tables, load);
    CT_TABLES_BEGIN(tables, "links", "Links, the busiest first", columns);
    for (size_t c = 0; links && c < n; c++)
        links[c] = (struct ct_ranked){c, load->estimates[load->group[c]].busy_frac};
    if (links)
        ct_stats_rank(links, n);
    for (size_t c = 0; c < n; c++)
        fill_link(tables, load, links ? links[c].index : c);
    if (links && n > 0)
        answer_in_words(tables, load, links[0].index);
    if (load->n_groups < n)
        ct_tables_note(tables, "No pair tells a link apart from those in its last column: the "
                               "values are means of all of them.");
    bool any_open = false;
    for (size_t g = 0; g < load->n_groups; g++)
        any_open = any_open || load->is_open[g];
    if (any_open)
        ct_tables_note(tables, "Links that are not determined could have other values for the same "
                               "latencies: the smallest that explain them are shown.");
    ct_tables_note(tables, "A link to a node includes what its host itself delays.");
    for (size_t i = 0; i < load->differences.n; i++)
        ct_tables_note(tables, "%s", load->differences.item[i]);
    free(links);
}

/* ---- picture ---- */

static enum ct_status write_svg(FILE *out, const void *data, struct ct_error *err)
{
    return ct_topology_svg(data, out, err);
}

static enum ct_status write_dot(FILE *out, const void *data, struct ct_error *err)
{
    return ct_topology_dot(data, out, err);
}

enum ct_status ct_link_utilization_draw(const struct ct_link_load *load, const char *path,
                                        struct ct_error *err)
{
    bool is_dot = ct_text_ends_in(path, ".dot");
    double *busy = ct_link_load_picture(load);
    if (!busy)
        return ct_no_memory(err, "picture");
    const struct ct_picture picture = {&load->network.topology, busy};
    enum ct_status status = is_dot ? ct_file_make(path, write_dot, &picture, err)
                                   : ct_picture_make(path, write_svg, &picture, err);
    free(busy);
    return status;
}
