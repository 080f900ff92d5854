#include "report/page.h"

#include "core/text.h"
#include "core/version.h"
#include "report/sections.h"

#include <stdlib.h>

/* What a section needs: without an analysis it says so; without latencies or a posterior it is left
 * out. */
enum need { NEEDS_NOTHING, NEEDS_ANALYSIS, NEEDS_LATENCIES, NEEDS_POSTERIOR };

/* In the order of the page. */
static const struct {
    const char *id, *title;
    enum need need;
    ct_section *write;
} sections[] = {
    {"summary", "In short", NEEDS_ANALYSIS, ct_section_summary},
    {"warnings", "Warnings", NEEDS_NOTHING, ct_section_warnings},
    {"matrix", "Who slows whom", NEEDS_ANALYSIS, ct_section_matrix},
    {"errors", "How good the predictions are", NEEDS_ANALYSIS, ct_section_errors},
    {"latency", "What a probe sees", NEEDS_NOTHING, ct_section_latency},
    {"time", "In the course of time", NEEDS_NOTHING, ct_section_time},
    {"utilization", "Utilization of the network", NEEDS_ANALYSIS, ct_section_utilization},
    {"parts", "Where the time of each application goes", NEEDS_NOTHING, ct_section_parts},
    {"added-latency", "Run time over added latency", NEEDS_LATENCIES, ct_section_added_latency},
    {"calibration", "Parameters of the network", NEEDS_POSTERIOR, ct_section_calibration},
    {"degradation", "Slowdown over utilization", NEEDS_ANALYSIS, ct_section_degradation},
    {"provenance", "What was measured where", NEEDS_NOTHING, ct_section_provenance},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

static bool is_there(size_t section, const struct ct_page_facts *facts)
{
    if (sections[section].need == NEEDS_POSTERIOR)
        return facts->posterior != NULL;
    return sections[section].need != NEEDS_LATENCIES || facts->n_validations > 0;
}

static void write_header(struct ct_html *page, const struct ct_page_facts *facts)
{
    fputs("<header>\n", page->out);
    fputs("<p>crosstalk " CT_VERSION "</p>\n<h1>", page->out);
    ct_text_html(facts->name, page->out);
    fputs("</h1>\n", page->out);
    if (facts->measured->n_apps == 1)
        ct_html_say(page, "One application on a network: what was measured, what follows from it, "
                          "and how sure that is.");
    else
        ct_html_say(page,
                    "How %zu applications disturb each other on one network: what was measured, "
                    "what follows from it, and how sure that is.",
                    facts->measured->n_apps);
    fputs("<nav aria-label=\"Sections\"><ul>\n", page->out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (is_there(i, facts))
            fprintf(page->out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
                    sections[i].title);
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
        return ct_no_memory(err, "report");
    char *title = NULL;
    if (asprintf(&title, "%s: crosstalk report", facts->name) < 0)
        return ct_no_memory(err, "report");
    ct_html_open(&page, title);
    free(title);
    write_header(&page, facts);
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < N_SECTIONS && status == CT_OK; i++) {
        if (!is_there(i, facts))
            continue;
        ct_html_section_open(&page, sections[i].id, sections[i].title);
        if (sections[i].need == NEEDS_ANALYSIS && !facts->analysis)
            ct_html_missing(&page, "This needs what was not measured: %s.", facts->why_not);
        else
            status = sections[i].write(&page, &view, err);
        ct_html_section_close(&page);
    }
    write_footer(&page, facts);
    ct_html_close(&page);
    return status;
}
