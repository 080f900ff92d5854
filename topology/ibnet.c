/* What ibnetdiscover prints: a section for each switch and adapter, with a line for each port. */
#include "core/array.h"
#include "core/text_map.h"
#include "topology/readers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { GUID_MAX = 32, DESCRIPTION_MAX = 128, KEY_MAX = GUID_MAX + 16 };

struct device {
    char guid[GUID_MAX]; /* "S-0008f10400410015" */
    char description[DESCRIPTION_MAX];
    char name[DESCRIPTION_MAX];
    char host[DESCRIPTION_MAX]; /* first word of the description; of an adapter: the host's name */
    bool is_node, is_left_out;
    uint32_t line, number;
};

struct port {
    uint32_t device, line, number, peer_number;
    char peer[GUID_MAX];
    double rate_bit_per_s;
};

struct reader {
    const char *source;
    struct device *devices;
    size_t n_devices, devices_room;
    struct port *ports;
    size_t n_ports, ports_room;
    struct ct_text_map guids, by_key; /* index of the device; of the port, by "GUID[NUMBER]" */
    uint32_t n_adapters, n_hosts;     /* adapters of hosts that have several, and these hosts */
    uint32_t n_loops, n_uneven;       /* cables from a device to itself; links of two rates */
    struct ct_topology_builder *builder;
};

/* ---- lines ---- */

/* What is between the next two quotes; the rest of the line, or NULL: there are none. */
static const char *take_quoted(const char *at, char *text, size_t size)
{
    const char *open = strchr(at, '"'), *close = open ? strchr(open + 1, '"') : NULL;
    if (!close)
        return NULL;
    snprintf(text, size, "%.*s", (int)(close - open - 1), open + 1);
    return close + 1;
}

/* [NUMBER] */
static const char *take_number(const char *at, uint32_t *number_p)
{
    char *end;
    if (*at != '[' || !isdigit((unsigned char)at[1]))
        return NULL;
    unsigned long number = strtoul(at + 1, &end, 10);
    if (*end != ']' || number > 100000)
        return NULL;
    *number_p = (uint32_t)number;
    return end + 1;
}

/* Bit/s of data in a lane, after the code of the line. Source: InfiniBand Trade Association. */
static const struct {
    const char *name;
    double bit_per_s;
} lanes[] = {{"SDR", 2e9},  {"DDR", 4e9},  {"QDR", 8e9},   {"FDR10", 10e9}, {"FDR", 13.64e9},
             {"EDR", 25e9}, {"HDR", 50e9}, {"NDR", 100e9}, {"XDR", 200e9}};

/* The last word of the form 4xQDR; NaN: there is none. */
static double rate_of(const char *at)
{
    double rate = NAN;
    while (*at) {
        at += strspn(at, " \t\r");
        size_t length = strcspn(at, " \t\r");
        size_t digits = strspn(at, "0123456789");
        bool is_width = digits > 0 && digits <= 2 && at[digits] == 'x';
        for (size_t i = 0; is_width && i < sizeof lanes / sizeof *lanes; i++)
            if (length == digits + 1 + strlen(lanes[i].name) &&
                !strncmp(at + digits + 1, lanes[i].name, length - digits - 1))
                rate = (double)strtoul(at, NULL, 10) * lanes[i].bit_per_s;
        at += length;
    }
    return rate;
}

static enum ct_status take_device(struct reader *reader, const char *text, uint32_t line,
                                  struct ct_error *err)
{
    struct device device = {.line = line, .is_node = *text == 'C'};
    const char *rest = take_quoted(text, device.guid, sizeof device.guid);
    bool is_new;
    if (!rest || (device.guid[0] != 'S' && device.guid[0] != 'H' && device.guid[0] != 'R') ||
        device.guid[1] != '-')
        return ct_topology_fail(err, reader->source, line, "a GUID in quotes is missing");
    if (!take_quoted(rest, device.description, sizeof device.description))
        device.description[0] = '\0';
    device.is_left_out = device.is_node && strstr(device.description, "Aggregation Node");
    uint32_t *index = ct_text_map_put(&reader->guids, device.guid, strlen(device.guid), &is_new);
    if (!index || !CT_ARRAY_RESERVE(reader->devices, reader->devices_room, reader->n_devices + 1))
        return ct_no_memory(err, "topology");
    if (!is_new)
        return ct_topology_fail(err, reader->source, line,
                                "%s is there twice; the other one is in line %u", device.guid,
                                reader->devices[*index].line);
    *index = (uint32_t)reader->n_devices;
    reader->devices[reader->n_devices++] = device;
    return CT_OK;
}

static enum ct_status take_port(struct reader *reader, const char *text, uint32_t line,
                                struct ct_error *err)
{
    struct port port = {.line = line};
    char key[KEY_MAX];
    bool is_new;
    const char *rest = take_number(text, &port.number);
    if (rest)
        rest = take_quoted(rest, port.peer, sizeof port.peer);
    if (rest)
        rest = take_number(rest, &port.peer_number);
    if (!rest)
        return ct_topology_fail(err, reader->source, line,
                                "not of the form [PORT] \"GUID\"[PORT], as ibnetdiscover prints");
    if (reader->n_devices == 0)
        return ct_topology_fail(err, reader->source, line, "a port before the first switch");
    port.device = (uint32_t)reader->n_devices - 1;
    port.rate_bit_per_s = rate_of(rest);
    snprintf(key, sizeof key, "%s[%u]", reader->devices[port.device].guid, port.number);
    uint32_t *index = ct_text_map_put(&reader->by_key, key, strlen(key), &is_new);
    if (!index || !CT_ARRAY_RESERVE(reader->ports, reader->ports_room, reader->n_ports + 1))
        return ct_no_memory(err, "topology");
    if (!is_new)
        return ct_topology_fail(err, reader->source, line,
                                "two links of port %s; the other one is "
                                "in line %u",
                                key, reader->ports[*index].line);
    *index = (uint32_t)reader->n_ports;
    reader->ports[reader->n_ports++] = port;
    return CT_OK;
}

static bool begins_with(const char *text, const char *word)
{
    size_t length = strlen(word);
    return !strncmp(text, word, length) && (text[length] == ' ' || text[length] == '\t');
}

/* Other lines (GUIDs, chassis, warnings) do not say how things are linked. */
static enum ct_status take_lines(struct reader *reader, char *text, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    uint32_t line = 1;
    for (char *end; *text && status == CT_OK; line++) {
        end = text + strcspn(text, "\n");
        bool last = *end == '\0';
        *end = '\0';
        if (begins_with(text, "Switch") || begins_with(text, "Ca") || begins_with(text, "Rt"))
            status = take_device(reader, text, line, err);
        else if (*text == '[')
            status = take_port(reader, text, line, err);
        text = last ? end : end + 1;
    }
    return status;
}

/* ---- names ---- */

static void join_words(const char *description, char *name, size_t words)
{
    size_t n = 0;
    for (; *description && n + 1 < DESCRIPTION_MAX; description++) {
        bool blank = (unsigned char)*description <= ' ' || *description == '\'';
        if (blank && n > 0 && name[n - 1] != '-' && --words == 0)
            break;
        if (!blank)
            name[n++] = *description;
        else if (n > 0 && name[n - 1] != '-')
            name[n++] = '-';
    }
    while (n > 0 && name[n - 1] == '-')
        n--;
    name[n] = '\0';
}

/* The second word; empty: there is none. */
static const char *second_word(const char *description, char word[DESCRIPTION_MAX])
{
    const char *blanks = " \t'";
    description += strspn(description, blanks);
    description += strcspn(description, blanks);
    description += strspn(description, blanks);
    snprintf(word, DESCRIPTION_MAX, "%.*s", (int)strcspn(description, blanks), description);
    return word;
}

/* How drivers call adapters, before a number: mlx5_0, HCA-1, hfi1_0. */
static const char *const drivers[] = {"mlx4", "mlx5",  "mthca", "hca",  "hfi1",
                                      "qib",  "ipath", "ehca",  "irdma"};

/* Whether a text is DRIVER[_bond][_-]NUMBER; that alone, without a host. */
static bool is_adapter(const char *text)
{
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        size_t length = strlen(drivers[i]);
        if (strncasecmp(text, drivers[i], length) != 0)
            continue;
        const char *at = text + length;
        if (!strncasecmp(at, "_bond", 5))
            at += 5;
        at += *at == '_' || *at == '-';
        if (*at && at[strspn(at, "0123456789")] == '\0')
            return true;
    }
    return false;
}

/* By place: ib0, ibp65s0f1, rocep1s0, rdmap0s6. Hosts may be called so, too. */
static bool is_by_place(const char *text)
{
    static const char *const beginnings[] = {"ib", "roce", "rdma"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t length = strlen(beginnings[i]);
        if (strncmp(text, beginnings[i], length) != 0)
            continue;
        const char *at = text + length;
        at += *at && strchr("opsx", *at);
        if (isdigit((unsigned char)*at) && isdigit((unsigned char)text[strlen(text) - 1]))
            return true;
    }
    return false;
}

/* The name of the host in the first word: "node1-mlx5_0" is node1. */
static void strip_adapter(char *host)
{
    for (size_t i = 1; host[i]; i++)
        if (strchr("-_/:.", host[i]) && is_adapter(host + i + 1)) {
            host[i] = '\0';
            return;
        }
}

/* What tells adapters of one host apart: the end of the first word, or the second one. */
static void find_adapter(const struct device *device, char adapter[DESCRIPTION_MAX])
{
    join_words(device->description, adapter, 1);
    size_t length = strlen(device->host), all = strlen(adapter);
    if (length < all)
        memmove(adapter, adapter + length + 1, all - length);
    else
        second_word(device->description, adapter);
}

/* Adapters whose descriptions begin with the same name. */
struct group {
    uint32_t first, n; /* index of a device; adapters */
    bool is_host;      /* they differ in the adapter: those of one host */
};

/* "node1 mlx5_0" and "node1 mlx5_1" are one host; "MT23108 InfiniHost" twice is no host's name. */
static enum ct_status find_groups(struct reader *reader, struct ct_text_map *by_host,
                                  struct group *groups, struct ct_error *err)
{
    struct ct_text_map adapters = {0};
    enum ct_status status = CT_OK;
    for (uint32_t i = 0; i < reader->n_devices && status == CT_OK; i++) {
        struct device *device = &reader->devices[i];
        char adapter[DESCRIPTION_MAX], key[2 * DESCRIPTION_MAX];
        bool is_new, is_other = false;
        join_words(device->description, device->host, 1);
        if (!device->is_node || device->is_left_out)
            continue;
        strip_adapter(device->host);
        find_adapter(device, adapter);
        bool is_named = !is_adapter(device->host) && (is_adapter(adapter) || is_by_place(adapter));
        snprintf(key, sizeof key, "%s %s", device->host, adapter);
        uint32_t *group = ct_text_map_put(by_host, device->host, strlen(device->host), &is_new);
        if (!group || !ct_text_map_put(&adapters, key, strlen(key), &is_other)) {
            status = ct_no_memory(err, "topology");
            break;
        }
        if (is_new) {
            *group = i;
            groups[i] = (struct group){i, 1, is_named};
        } else {
            groups[*group].n++;
            groups[*group].is_host = groups[*group].is_host && is_named && is_other;
        }
    }
    ct_text_map_free(&adapters);
    return status;
}

enum { FIRST_WORD, ALL_WORDS, FORMS };

/* How many devices have a name of each form; a host counts once. */
static enum ct_status count_forms(const struct reader *reader, const bool *of_host,
                                  struct ct_text_map seen[FORMS], struct ct_error *err)
{
    for (size_t i = 0; i < reader->n_devices; i++)
        for (size_t form = 0; form < FORMS && !of_host[i]; form++) {
            const struct device *device = &reader->devices[i];
            char words[DESCRIPTION_MAX];
            const char *name = form == FIRST_WORD ? device->host : words;
            bool is_new;
            join_words(device->description, words, SIZE_MAX);
            uint32_t *count = ct_text_map_put(&seen[form], name, strlen(name), &is_new);
            if (!count)
                return ct_no_memory(err, "topology");
            ++*count;
        }
    return CT_OK;
}

/* Whether one device only has a name, and no host. */
static bool is_single(const struct ct_text_map *seen, const struct ct_text_map *hosts,
                      const char *name)
{
    const uint32_t *count = *name ? ct_text_map_get(seen, name, strlen(name)) : NULL;
    return count && *count == 1 && !ct_text_map_get(hosts, name, strlen(name));
}

/* The shortest of what is no one else's: the first word, all of the description, the GUID. */
static enum ct_status choose_names(struct reader *reader, const bool *of_host,
                                   struct ct_text_map *hosts, struct ct_error *err)
{
    struct ct_text_map seen[FORMS] = {0};
    enum ct_status status = count_forms(reader, of_host, seen, err);
    for (size_t i = 0; i < reader->n_devices && status == CT_OK; i++) {
        struct device *device = &reader->devices[i];
        char words[DESCRIPTION_MAX];
        const char *name = device->guid;
        join_words(device->description, words, SIZE_MAX);
        if (is_single(&seen[ALL_WORDS], hosts, words))
            name = words;
        if (is_single(&seen[FIRST_WORD], hosts, device->host))
            name = device->host;
        snprintf(device->name, sizeof device->name, "%s", of_host[i] ? device->host : name);
    }
    for (size_t form = 0; form < FORMS; form++)
        ct_text_map_free(&seen[form]);
    return status;
}

static enum ct_status name_devices(struct reader *reader, struct ct_error *err)
{
    struct ct_text_map by_host = {0}, hosts = {0};
    struct group *groups = calloc(reader->n_devices + 1, sizeof *groups);
    bool *of_host = calloc(reader->n_devices + 1, sizeof *of_host);
    enum ct_status status = groups && of_host ? CT_OK : ct_no_memory(err, "topology");
    if (status == CT_OK)
        status = find_groups(reader, &by_host, groups, err);
    for (size_t i = 0; i < reader->n_devices && status == CT_OK; i++) {
        const struct device *device = &reader->devices[i];
        if (!device->is_node || device->is_left_out)
            continue;
        const struct group *group =
            &groups[*ct_text_map_get(&by_host, device->host, strlen(device->host))];
        bool is_new;
        of_host[i] = group->is_host;
        if (of_host[i] && !ct_text_map_put(&hosts, device->host, strlen(device->host), &is_new))
            status = ct_no_memory(err, "topology");
        reader->n_adapters += of_host[i] && group->n > 1;
        reader->n_hosts += of_host[i] && group->n > 1 && group->first == i;
    }
    if (status == CT_OK)
        status = choose_names(reader, of_host, &hosts, err);
    free(groups);
    free(of_host);
    ct_text_map_free(&by_host);
    ct_text_map_free(&hosts);
    return status;
}

/* As people sort: n2 before n10. */
static int compare_names(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            size_t length_a = strspn(a, "0123456789"), length_b = strspn(b, "0123456789");
            int order = length_a == length_b  ? strncmp(a, b, length_a)
                        : length_a < length_b ? -1
                                              : 1;
            if (order != 0)
                return order;
            a += length_a;
            b += length_b;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static int compare_devices(const void *a, const void *b)
{
    const struct device *left = *(const struct device *const *)a;
    const struct device *right = *(const struct device *const *)b;
    int order = compare_names(left->name, right->name);
    return order != 0 ? order : strcmp(left->guid, right->guid);
}

static enum ct_status add_devices(struct reader *reader, struct ct_error *err)
{
    struct device **sorted = malloc((reader->n_devices + 1) * sizeof *sorted);
    enum ct_status status = sorted ? CT_OK : ct_no_memory(err, "topology");
    for (size_t i = 0; i < reader->n_devices && status == CT_OK; i++)
        sorted[i] = &reader->devices[i];
    if (status == CT_OK)
        qsort(sorted, reader->n_devices, sizeof *sorted, compare_devices);
    const struct device *last = NULL;
    for (size_t i = 0; i < reader->n_devices && status == CT_OK; i++) {
        struct device *device = sorted[i];
        if (device->is_left_out)
            continue;
        if (last && last->is_node && device->is_node && !strcmp(last->name, device->name))
            device->number = last->number; /* another adapter of this host */
        else
            status =
                ct_topology_add(reader->builder, device->is_node ? CT_ROLE_NODE : CT_ROLE_SWITCH,
                                device->name, device->line, &device->number, err);
        last = device;
    }
    free(sorted);
    return status;
}

/* ---- links ---- */

/* Both ends must say the same; the link is added at the first of them. */
static enum ct_status add_link(struct reader *reader, size_t i, struct ct_error *err)
{
    const struct port *port = &reader->ports[i];
    const struct device *device = &reader->devices[port->device];
    char key[KEY_MAX];
    const uint32_t *peer_index = ct_text_map_get(&reader->guids, port->peer, strlen(port->peer));
    if (!peer_index)
        return ct_topology_fail(err, reader->source, port->line, "%s has no section of its own",
                                port->peer);
    const struct device *peer = &reader->devices[*peer_index];
    if (device->is_left_out || peer->is_left_out)
        return CT_OK;
    snprintf(key, sizeof key, "%s[%u]", port->peer, port->peer_number);
    const uint32_t *back_index = ct_text_map_get(&reader->by_key, key, strlen(key));
    if (!back_index)
        return ct_topology_fail(err, reader->source, port->line,
                                "%s is linked to port %s, which has no line", device->guid, key);
    const struct port *back = &reader->ports[*back_index];
    if (strcmp(back->peer, device->guid) != 0 || back->peer_number != port->number)
        return ct_topology_fail(err, reader->source, port->line,
                                "two links of port %s: %s, and another one in line %u", key,
                                device->guid, back->line);
    if (*back_index < i)
        return CT_OK;
    if (device->number == peer->number) { /* a cable for tests */
        reader->n_loops++;
        return CT_OK;
    }
    double rate = fmin(port->rate_bit_per_s, back->rate_bit_per_s);
    reader->n_uneven += port->rate_bit_per_s != back->rate_bit_per_s && !isnan(rate) &&
                        !isnan(port->rate_bit_per_s) && !isnan(back->rate_bit_per_s);
    const struct ct_link link = {.end = {device->number, peer->number},
                                 .rate_bit_per_s = rate,
                                 .latency_s = NAN,
                                 .line = port->line};
    return ct_topology_connect(reader->builder, &link, err);
}

static enum ct_status add_notes(const struct reader *reader, struct ct_error *err)
{
    if (reader->n_hosts > 0)
        CT_TRY(ct_topology_note(reader->builder, err,
                                "%u adapters belong to %u hosts: a host is one node, with a link "
                                "for each port.",
                                reader->n_adapters, reader->n_hosts));
    if (reader->n_loops > 0)
        CT_TRY(ct_topology_note(reader->builder, err,
                                "Left out: cables from a device to itself (%u).", reader->n_loops));
    if (reader->n_uneven > 0)
        CT_TRY(ct_topology_note(reader->builder, err,
                                "Ends of a link that differ in rate: the lower one is taken (%u "
                                "links).",
                                reader->n_uneven));
    return CT_OK;
}

static enum ct_status read_all(struct reader *reader, char *text, struct ct_error *err)
{
    CT_TRY(take_lines(reader, text, err));
    CT_TRY(name_devices(reader, err));
    CT_TRY(add_devices(reader, err));
    for (size_t i = 0; i < reader->n_ports; i++)
        CT_TRY(add_link(reader, i, err));
    return add_notes(reader, err);
}

enum ct_status ct_topology_read_ibnet(const char *text, const char *source,
                                      struct ct_topology *topology_p, struct ct_error *err)
{
    struct reader reader = {.source = source, .builder = ct_topology_builder_new(source)};
    char *copy = strdup(text);
    enum ct_status status = copy && reader.builder ? CT_OK : ct_no_memory(err, "topology");
    if (status == CT_OK)
        status = read_all(&reader, copy, err);
    free(copy);
    free(reader.devices);
    free(reader.ports);
    ct_text_map_free(&reader.guids);
    ct_text_map_free(&reader.by_key);
    if (status == CT_OK)
        return ct_topology_build(reader.builder, topology_p, err);
    ct_topology_builder_free(reader.builder);
    return status;
}
