#include "report/page.h"

#include "core/text.h"
#include "core/version.h"
#include "report/sections.h"

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
    {"parts", "Where the time of each application goes", false, ct_section_parts},
    {"degradation", "Slowdown over utilization", true, ct_section_degradation},
    {"provenance", "What was measured where", false, ct_section_provenance},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

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
