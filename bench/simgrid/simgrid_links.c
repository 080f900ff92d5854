#include "bench/simgrid/simgrid_links.h"

#include "core/file.h"

#include <cjson/cJSON.h>
#include <simgrid/engine.h>
#include <simgrid/link.h>
#include <simgrid/plugins/load.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The simulator's own links, such as that of a host to itself, are there before the platform is, and
   have no counters. */
static bool is_of_platform(const_sg_link_t link)
{
    return strncmp(sg_link_get_name(link), "__", 2) != 0;
}

enum ct_status ct_simgrid_links_start(struct ct_simgrid_links *links, struct ct_error *err)
{
    if (!links->path)
        return CT_OK;
    size_t n = sg_link_count();
    sg_link_t *list = sg_link_list();
    links->links = calloc(n + 1, sizeof *links->links);
    if (!links->links || !list) {
        free(list);
        return ct_fail(err, CT_ENOMEM, "counters of %zu links: out of memory", n);
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_of_platform(list[i]))
            continue;
        sg_link_load_track(list[i]);
        links->links[links->n_links++] =
            (struct ct_simgrid_link){.name = strdup(sg_link_get_name(list[i])),
                                     .rate_per_s = sg_link_get_bandwidth(list[i]),
                                     .handle = list[i]};
    }
    free(list);
    links->from_s = simgrid_get_clock();
    return CT_OK;
}

static bool add_link(cJSON *list, const struct ct_simgrid_link *link, double interval_s)
{
    cJSON *entry = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(list, entry)) {
        cJSON_Delete(entry);
        return false;
    }
    double busy_frac = interval_s > 0 ? link->bytes / (link->rate_per_s * interval_s) : 0;
    return link->name && cJSON_AddStringToObject(entry, "name", link->name) &&
           cJSON_AddNumberToObject(entry, "bytes", link->bytes) &&
           cJSON_AddNumberToObject(entry, "rate_bytes_per_s", link->rate_per_s) &&
           cJSON_AddNumberToObject(entry, "busy_fraction", busy_frac);
}

static enum ct_status write_counters(const struct ct_simgrid_links *links, const char *path,
                                     struct ct_error *err)
{
    double interval_s = links->until_s - links->from_s;
    cJSON *root = cJSON_CreateObject();
    bool good = root && cJSON_AddNumberToObject(root, "interval_s", interval_s);
    cJSON *list = good ? cJSON_AddArrayToObject(root, "links") : NULL;
    good = list != NULL;
    for (size_t i = 0; good && i < links->n_links; i++)
        good = add_link(list, &links->links[i], interval_s);
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    enum ct_status status = text ? ct_file_save(path, text, strlen(text), err)
                                 : ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    cJSON_free(text);
    return status;
}

enum ct_status ct_simgrid_links_stop(struct ct_simgrid_links *links, struct ct_error *err)
{
    if (!links->path)
        return CT_OK;
    links->until_s = simgrid_get_clock();
    for (size_t i = 0; i < links->n_links; i++)
        links->links[i].bytes = sg_link_get_cum_load(links->links[i].handle);
    return write_counters(links, links->path, err);
}

void ct_simgrid_links_free(struct ct_simgrid_links *links)
{
    for (size_t i = 0; i < links->n_links; i++)
        free(links->links[i].name);
    free(links->links);
    *links = (struct ct_simgrid_links){0};
}
