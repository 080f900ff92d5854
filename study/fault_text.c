#include "study/fault_text.h"

#include "core/argv.h"
#include "core/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum ct_status refuse_text(const char *text, const char *at, struct ct_error *err)
{
    return ct_fail(err, CT_EUSAGE,
                   "'%.100s': not understood at '%.60s'; write 'leaf3 to spine1 at 80%%', 'leaf3 "
                   "to spine1 and back at 80%%', 'leaf3 to spine1 later by 20us', 'n5 later by "
                   "20us' or 'leaf3 to spine1 loses 1%%'",
                   text, at);
}

static enum ct_status find_vertex(const struct ct_topology *topology, const char *name,
                                  uint32_t *v_p, struct ct_error *err)
{
    if (ct_topology_find(topology, name, v_p) || ct_topology_find_host(topology, name, v_p))
        return CT_OK;
    return ct_fail(err, CT_EUSAGE,
                   "'%.100s' is neither a switch nor a host of %s; 'crosstalk topology' has their "
                   "names",
                   name, topology->name);
}

/* All links of a vertex, or those to a neighbour: the direction to it, and if asked the way back.
 */
static enum ct_status take_links(const struct ct_topology *topology, uint32_t from,
                                 const uint32_t *to, bool both, struct ct_fault_words *words,
                                 struct ct_error *err)
{
    size_t room = 0;
    for (uint32_t i = topology->first_port[from]; i < topology->first_port[from + 1]; i++) {
        const struct ct_port *port = &topology->ports[i];
        uint32_t way = 2 * port->link + (topology->links[port->link].end[0] == from ? 0 : 1);
        if (to && port->peer != *to)
            continue;
        if (!CT_ARRAY_RESERVE(words->ways, room, words->fault.n + 2))
            return ct_no_memory(err, "fault");
        words->ways[words->fault.n++] = way;
        if (both)
            words->ways[words->fault.n++] = way ^ 1;
    }
    words->fault.ways = words->ways;
    if (words->fault.n > 0)
        return CT_OK;
    if (!to)
        return ct_fail(err, CT_EUSAGE, "'%.100s' has no link", ct_topology_name(topology, from));
    return ct_fail(err, CT_EUSAGE, "there is no link between '%.100s' and '%.100s'",
                   ct_topology_name(topology, from), ct_topology_name(topology, *to));
}

/* "80%", or "80 %" as two words. */
static enum ct_status take_share(char *const *words, size_t n, double *share_p,
                                 struct ct_error *err)
{
    char joined[64];
    int length = snprintf(joined, sizeof joined, "%s%s", words[0], n > 1 ? words[1] : "");
    struct ct_error why;
    if (n > 2 || length < 0 || (size_t)length >= sizeof joined ||
        ct_parse_percent(joined, share_p, &why) != CT_OK || *share_p > 1)
        return ct_fail(err, CT_EUSAGE, "'%.60s': a share of 0%% to 100%% is needed", words[0]);
    return CT_OK;
}

/* What is behind the place. */
static enum ct_status take_size(const char *text, char *const *words, size_t n, bool is_host,
                                struct ct_fault *fault, struct ct_error *err)
{
    double size = 0;
    enum ct_status status;
    if (n >= 2 && !is_host && !strcmp(words[0], "at")) {
        fault->kind = CT_WATCH_RATE;
        status = take_share(words + 1, n - 1, &size, err);
        if (status == CT_OK && size == 0)
            status = ct_fail(err, CT_EUSAGE,
                             "'%.60s': a link that carries nothing has no price: what uses it ends",
                             words[1]);
        size = 1 - size;
    } else if (n >= 2 && !is_host && !strcmp(words[0], "loses")) {
        fault->kind = CT_WATCH_LOSS;
        status = take_share(words + 1, n - 1, &size, err);
    } else if (n == 3 && !strcmp(words[0], "later") && !strcmp(words[1], "by")) {
        fault->kind = is_host ? CT_WATCH_HOST : CT_WATCH_DELAY;
        status = ct_parse_duration(words[2], &size, err) == CT_OK ? CT_OK : CT_EUSAGE;
    } else {
        return refuse_text(text, n > 0 ? words[0] : "", err);
    }
    fault->size = fault->low = fault->high = size;
    return status;
}

static enum ct_status take_words(const struct ct_topology *topology, const char *text,
                                 const struct ct_argv *argv, struct ct_fault_words *words,
                                 struct ct_error *err)
{
    uint32_t from = 0, to = 0;
    size_t at = 1;
    if (argv->n == 0)
        return refuse_text(text, "", err);
    bool is_host = argv->n < 3 || strcmp(argv->item[1], "to") != 0, both = is_host;
    CT_TRY(find_vertex(topology, argv->item[0], &from, err));
    if (!is_host)
        CT_TRY(find_vertex(topology, argv->item[2], &to, err));
    if (!is_host)
        at = 3;
    if (!is_host && argv->n > 4 && !strcmp(argv->item[3], "and") &&
        !strcmp(argv->item[4], "back")) {
        both = true;
        at = 5;
    }
    CT_TRY(take_size(text, argv->item + at, argv->n - at, is_host, &words->fault, err));
    if (is_host && from >= topology->n_nodes)
        return ct_fail(err, CT_EUSAGE, "'%.100s' is a switch: name one of its links",
                       argv->item[0]);
    return take_links(topology, from, is_host ? NULL : &to, both, words, err);
}

enum ct_status ct_fault_parse(const struct ct_topology *topology, const char *text,
                              struct ct_fault_words *words_p, struct ct_error *err)
{
    struct ct_argv argv = {0};
    struct ct_fault_words words = {.ways = NULL};
    enum ct_status status = ct_argv_split(&argv, text, err);
    if (status == CT_EINVAL)
        status = CT_EUSAGE;
    if (status == CT_OK)
        status = take_words(topology, text, &argv, &words, err);
    ct_argv_free(&argv);
    if (status == CT_OK)
        *words_p = words;
    else
        free(words.ways);
    return status;
}

enum ct_status ct_fault_of_host(const struct ct_topology *topology, const char *host,
                                struct ct_fault_words *words_p, struct ct_error *err)
{
    struct ct_fault_words words = {
        .fault = {.kind = CT_WATCH_HOST, .size = NAN, .low = NAN, .high = NAN}};
    uint32_t node;
    if (!ct_topology_find_host(topology, host, &node))
        return ct_fail(err, CT_EUSAGE, "'%.100s' is no host of %s", host, topology->name);
    enum ct_status status = take_links(topology, node, NULL, true, &words, err);
    if (status == CT_OK)
        *words_p = words;
    else
        free(words.ways);
    return status;
}

void ct_fault_words_free(struct ct_fault_words *words)
{
    free(words->ways);
    *words = (struct ct_fault_words){.ways = NULL};
}
