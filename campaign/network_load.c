#include "campaign/network_load.h"

#include "core/file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct ct_network_load {
    cJSON *ports, *links;
    size_t n_hosts;
    double sum_frac, max_frac; /* of what hosts sent */
    bool failed;
};

struct ct_network_load *ct_network_load_new(void)
{
    struct ct_network_load *load = calloc(1, sizeof *load);
    if (!load)
        return NULL;
    load->ports = cJSON_CreateArray();
    load->links = cJSON_CreateArray();
    if (load->ports && load->links)
        return load;
    ct_network_load_free(load);
    return NULL;
}

void ct_network_load_free(struct ct_network_load *load)
{
    if (!load)
        return;
    cJSON_Delete(load->ports);
    cJSON_Delete(load->links);
    free(load);
}

/* ---- writing ---- */

/* @param prefix  [in] of the names: "tx_", "rx_", "" */
static bool add_flow(cJSON *entry, const char *prefix, const struct ct_load_flow *flow)
{
    const struct {
        const char *name;
        double value;
    } members[] = {
        {"bytes", flow->bytes}, {"drops", flow->drops}, {"busy_fraction", flow->busy_frac}};
    bool good = true;
    for (size_t i = 0; i < sizeof members / sizeof *members && good; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", prefix, members[i].name);
        if (!isnan(members[i].value))
            good = cJSON_AddNumberToObject(entry, name, members[i].value) != NULL;
    }
    return good;
}

static cJSON *append_object(cJSON *list)
{
    cJSON *entry = cJSON_CreateObject();
    if (cJSON_AddItemToArray(list, entry))
        return entry;
    cJSON_Delete(entry);
    return NULL;
}

void ct_network_load_add_host(struct ct_network_load *load, const char *host,
                              const struct ct_load_flow *tx, const struct ct_load_flow *rx)
{
    cJSON *entry = append_object(load->ports);
    load->failed = load->failed || !entry || !cJSON_AddStringToObject(entry, "host", host) ||
                   !add_flow(entry, "tx_", tx) || !add_flow(entry, "rx_", rx);
    load->n_hosts++;
    load->sum_frac += tx->busy_frac;
    load->max_frac = fmax(load->max_frac, tx->busy_frac);
}

void ct_network_load_add_link(struct ct_network_load *load, const char *from, const char *to,
                              const struct ct_load_flow *flow)
{
    cJSON *entry = append_object(load->links);
    load->failed = load->failed || !entry || !cJSON_AddStringToObject(entry, "from", from) ||
                   !cJSON_AddStringToObject(entry, "to", to) || !add_flow(entry, "", flow);
}

/* Give a list to the document. */
static bool give_list(cJSON *root, const char *name, cJSON **list)
{
    if (!cJSON_AddItemToObject(root, name, *list))
        return false;
    *list = NULL;
    return true;
}

/* As text, to be freed with cJSON_free(); NULL: out of memory. */
static char *describe_load(struct ct_network_load *load, double interval_s, const char *topology)
{
    bool has_links = cJSON_GetArraySize(load->links) > 0;
    double mean_frac = load->sum_frac / (double)load->n_hosts;
    cJSON *root = cJSON_CreateObject();
    bool good = root && !load->failed && cJSON_AddNumberToObject(root, "interval_s", interval_s) &&
                cJSON_AddNumberToObject(root, "busy_fraction_mean", mean_frac) &&
                cJSON_AddNumberToObject(root, "busy_fraction_max", load->max_frac) &&
                give_list(root, "ports", &load->ports);
    if (has_links && topology)
        good = good && cJSON_AddStringToObject(root, "topology", topology);
    if (has_links)
        good = good && give_list(root, "links", &load->links);
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}

static enum ct_status write_text(FILE *out, const void *data, struct ct_error *err)
{
    (void)err;
    fprintf(out, "%s\n", (const char *)data);
    return CT_OK;
}

enum ct_status ct_network_load_write(struct ct_network_load *load, double interval_s,
                                     const char *topology, const char *path, struct ct_error *err)
{
    char *text = describe_load(load, interval_s, topology);
    if (!text)
        return ct_no_memory(err, "%s", path);
    enum ct_status status = ct_file_make(path, write_text, text, err);
    cJSON_free(text);
    return status;
}

/* ---- facts ---- */

struct summary {
    size_t n;
    double sum_frac, drops;
    bool has_drops;
    const cJSON *busiest;
    double busiest_frac;
};

/* A link without a number that is finite has not been counted: no time passed. */
static void see_link(struct summary *summary, const cJSON *link)
{
    const cJSON *busy = cJSON_GetObjectItemCaseSensitive(link, "busy_fraction");
    const cJSON *drops = cJSON_GetObjectItemCaseSensitive(link, "drops");
    if (!cJSON_IsNumber(busy))
        return;
    summary->n++;
    summary->sum_frac += busy->valuedouble;
    if (cJSON_IsNumber(drops)) {
        summary->has_drops = true;
        summary->drops += drops->valuedouble;
    }
    if (busy->valuedouble > summary->busiest_frac) {
        summary->busiest_frac = busy->valuedouble;
        summary->busiest = link;
    }
}

static const char *end_of(const cJSON *link, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(link, name));
    return text ? text : "?";
}

static enum ct_status add_summary(const struct summary *summary, struct ct_run_info *info)
{
    char busiest[200] = "";
    if (summary->n == 0)
        return CT_OK;
    enum ct_status status =
        ct_run_add_number(info, "link_busy_mean", summary->sum_frac / (double)summary->n);
    if (status == CT_OK)
        status = ct_run_add_number(info, "link_busy_max", summary->busiest_frac);
    if (summary->busiest)
        snprintf(busiest, sizeof busiest, "%s to %s", end_of(summary->busiest, "from"),
                 end_of(summary->busiest, "to"));
    if (status == CT_OK && *busiest)
        status = ct_run_add_text(info, "link_busiest", busiest);
    if (status == CT_OK && summary->has_drops)
        status = ct_run_add_number(info, "link_drops", summary->drops);
    return status;
}

enum ct_status ct_network_load_add_facts(const char *path, struct ct_run_info *info,
                                         struct ct_error *err)
{
    struct ct_text text;
    struct summary summary = {0};
    const cJSON *link;
    CT_TRY(ct_file_read(path, &text, err));
    cJSON *root = cJSON_ParseWithLength(text.text, text.size);
    free(text.text);
    if (!root)
        return ct_fail(err, CT_EFORMAT, "%s: is not JSON", path);
    cJSON_ArrayForEach(link, cJSON_GetObjectItemCaseSensitive(root, "links"))
        see_link(&summary, link);
    enum ct_status status = add_summary(&summary, info);
    cJSON_Delete(root);
    return status == CT_OK ? CT_OK : ct_no_memory(err, "%s", path);
}
