#include "report/page.h"

#include "core/text.h"
#include "core/version.h"
#include "report/sections.h"

#include <math.h>
#include <stdlib.h>

/* In the order of the page. */
static const struct {
    const char *id, *title;
    bool needs_analysis;
    ct_section *write;
} sections[] = {
    {"summary", "In short", true, ct_section_summary},
    {"warnings", "Warnings", false, ct_section_warnings},
    {"matrix", "Who slows whom", true, ct_section_matrix},
    {"errors", "How good the predictions are", true, ct_section_errors},
    {"latency", "What a probe sees", false, ct_section_latency},
    {"time", "In the course of time", false, ct_section_time},
    {"utilization", "Utilization of the network", true, ct_section_utilization},
    {"degradation", "Slowdown over utilization", true, ct_section_degradation},
    {"provenance", "What was measured where", false, ct_section_provenance},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* ---- what sections share ---- */

struct ct_plot ct_figure_plot(const struct ct_plot_panel *panels, size_t n_panels,
                              double panel_height)
{
    return (struct ct_plot){.panels = panels,
                            .n_panels = n_panels,
                            .width = CT_FIGURE_WIDTH,
                            .panel_height = panel_height,
                            .font_px = 15};
}

void ct_figure_id(const char *what, size_t number, char id[64])
{
    snprintf(id, 64, "figure-%s-%zu", what, number);
}

struct ct_tables *ct_figure_data(void)
{
    return ct_tables_new("crosstalk report", CT_FORMAT_CSV);
}

const struct ct_page_utilization ct_page_utilizations[CT_N_PAGE_UTILIZATIONS] = {
    {"switch counters", "true_utilization", .is_truth = true},
    {"pk (queue of the paper)", "utilization_pk", .kind = CT_UTILIZATION_PK},
    {"by delay", "utilization_calibrated", .kind = CT_UTILIZATION_CALIBRATED},
    {"by waiting", "utilization_waiting", .kind = CT_UTILIZATION_WAITING},
};

struct ct_utilization ct_page_utilization_of(const struct ct_page_utilization *row,
                                             const struct ct_predict_load *load)
{
    const struct ct_interval none = {NAN, NAN};
    if (row->is_truth)
        return (struct ct_utilization){load->true_utilization_frac, none};
    switch (row->kind) {
    case CT_UTILIZATION_PK:
        return (struct ct_utilization){load->utilization_frac, load->utilization_interval};
    case CT_UTILIZATION_CALIBRATED:
        return load->calibrated;
    case CT_UTILIZATION_WAITING:
        return load->waiting;
    default:
        return (struct ct_utilization){ct_predict_utilization(load, row->kind), none};
    }
}

/* ---- the page ---- */

static void write_header(struct ct_html *page, const struct ct_page_facts *facts)
{
    fputs("<header>\n", page->out);
    fputs("<p>crosstalk " CT_VERSION "</p>\n<h1>", page->out);
    ct_text_html(facts->name, page->out);
    fputs("</h1>\n", page->out);
    ct_html_say(page,
                "How %zu application%s disturb%s each other on one network: what was "
                "measured, what follows from it, and how sure that is.",
                facts->measured->n_apps, facts->measured->n_apps == 1 ? "" : "s",
                facts->measured->n_apps == 1 ? "s" : "");
    fputs("<nav aria-label=\"Sections\"><ul>\n", page->out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        fprintf(page->out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
    fputs("</ul></nav>\n</header>\n<main>\n", page->out);
}

static void write_footer(struct ct_html *page, const struct ct_page_facts *facts)
{
    fputs("</main>\n<footer>\n", page->out);
    ct_html_say(page,
                "Made by crosstalk %s. Intervals have a level of %g %%. Method: Casas and "
                "Bronevetsky, Active measurement of the impact of network switch utilization on "
                "application performance, IPDPS 2014.",
                CT_VERSION, 100 * facts->bootstrap.level);
    fputs("</footer>\n", page->out);
}

const char *ct_page_app(const struct ct_page_facts *facts, size_t app)
{
    return ct_measured_app(facts->measured, app)->name;
}

enum ct_status ct_page_write(const struct ct_page_facts *facts, FILE *out, struct ct_error *err)
{
    struct ct_html page = {.out = out, .name = facts->name, .figures = facts->figures};
    struct ct_page_view view = {.facts = facts};
    if (facts->analysis && ct_page_order_models(facts, &view.order) != CT_OK)
        return ct_fail(err, CT_ENOMEM, "report: out of memory");
    char *title = NULL;
    if (asprintf(&title, "%s: crosstalk report", facts->name) < 0)
        return ct_fail(err, CT_ENOMEM, "report: out of memory");
    ct_html_open(&page, title);
    free(title);
    write_header(&page, facts);
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < N_SECTIONS && status == CT_OK; i++) {
        ct_html_section_open(&page, sections[i].id, sections[i].title);
        if (sections[i].needs_analysis && !facts->analysis)
            ct_html_missing(&page, "This needs what was not measured: %s.", facts->why_not);
        else
            status = sections[i].write(&page, &view, err);
        ct_html_section_close(&page);
    }
    write_footer(&page, facts);
    ct_html_close(&page);
    return status;
}
