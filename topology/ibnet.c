/* What ibnetdiscover prints: a section for each switch and adapter, with a line for each port. */
#include "core/array.h"
#include "topology/readers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUID_MAX = 32, DESCRIPTION_MAX = 128, KEY_MAX = GUID_MAX + 16 };

struct device {
    char guid[GUID_MAX]; /* "S-0008f10400410015" */
    char description[DESCRIPTION_MAX];
    char name[DESCRIPTION_MAX];
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
    struct ct_names guids, by_key; /* index of the device; of the port, by "GUID[NUMBER]" */
    struct ct_topology_builder *builder;
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "topology: out of memory");
}

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
    uint32_t *index = ct_names_put(&reader->guids, device.guid, &is_new);
    if (!index || !CT_ARRAY_RESERVE(reader->devices, reader->devices_room, reader->n_devices + 1))
        return no_memory(err);
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
    uint32_t *index = ct_names_put(&reader->by_key, key, &is_new);
    if (!index || !CT_ARRAY_RESERVE(reader->ports, reader->ports_room, reader->n_ports + 1))
        return no_memory(err);
    if (!is_new)
        return ct_topology_fail(err, reader->source, line,
                                "two links of port %s; the other one is "
                                "in line %u",
                                key, reader->ports[*index].line);
    *index = (uint32_t)reader->n_ports;
    reader->ports[reader->n_ports++] = port;
    return CT_OK;
}

static bool begins(const char *text, const char *word)
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
        if (begins(text, "Switch") || begins(text, "Ca") || begins(text, "Rt"))
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
        bool blank = (unsigned char)*description <= ' ';
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

/* The shortest of what is no one else's: the first word, all of the description, the GUID. */
static enum ct_status name_devices(struct reader *reader, struct ct_error *err)
{
    enum { FIRST_WORD, ALL_WORDS, FORMS };
    struct ct_names seen[FORMS] = {0};
    enum ct_status status = CT_OK;
    char name[DESCRIPTION_MAX];
    for (size_t pass = 0; pass < 2 && status == CT_OK; pass++)
        for (size_t i = 0; i < reader->n_devices && status == CT_OK; i++) {
            struct device *device = &reader->devices[i];
            memcpy(device->name, device->guid, sizeof device->guid);
            for (size_t form = FORMS; form-- > 0 && status == CT_OK;) {
                bool is_new;
                join_words(device->description, name, form == FIRST_WORD ? 1 : SIZE_MAX);
                uint32_t *count = ct_names_put(&seen[form], name, &is_new);
                if (!count)
                    status = no_memory(err);
                else if (pass == 0)
                    ++*count;
                else if (*count == 1 && *name)
                    memcpy(device->name, name, sizeof name);
            }
        }
    for (size_t form = 0; form < FORMS; form++)
        ct_names_free(&seen[form]);
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
    enum ct_status status = sorted ? CT_OK : no_memory(err);
    for (size_t i = 0; i < reader->n_devices && status == CT_OK; i++)
        sorted[i] = &reader->devices[i];
    if (status == CT_OK)
        qsort(sorted, reader->n_devices, sizeof *sorted, compare_devices);
    for (size_t i = 0; i < reader->n_devices && status == CT_OK; i++)
        if (!sorted[i]->is_left_out)
            status =
                ct_topology_add(reader->builder, sorted[i]->is_node ? CT_ROLE_NODE : CT_ROLE_SWITCH,
                                sorted[i]->name, sorted[i]->line, &sorted[i]->number, err);
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
    const uint32_t *peer_index = ct_names_get(&reader->guids, port->peer);
    if (!peer_index)
        return ct_topology_fail(err, reader->source, port->line, "%s has no section of its own",
                                port->peer);
    const struct device *peer = &reader->devices[*peer_index];
    if (device->is_left_out || peer->is_left_out)
        return CT_OK;
    snprintf(key, sizeof key, "%s[%u]", port->peer, port->peer_number);
    const uint32_t *back_index = ct_names_get(&reader->by_key, key);
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
    const struct ct_link link = {.end = {device->number, peer->number},
                                 .rate_bit_per_s = port->rate_bit_per_s,
                                 .latency_s = NAN,
                                 .line = port->line};
    return ct_topology_connect(reader->builder, &link, err);
}

static enum ct_status read_all(struct reader *reader, char *text, struct ct_error *err)
{
    enum ct_status status = take_lines(reader, text, err);
    if (status == CT_OK)
        status = name_devices(reader, err);
    if (status == CT_OK)
        status = add_devices(reader, err);
    for (size_t i = 0; i < reader->n_ports && status == CT_OK; i++)
        status = add_link(reader, i, err);
    return status;
}

enum ct_status ct_topology_read_ibnet(const char *text, const char *source,
                                      struct ct_topology *topology_p, struct ct_error *err)
{
    struct reader reader = {.source = source, .builder = ct_topology_builder_new(source)};
    char *copy = strdup(text);
    enum ct_status status = copy && reader.builder ? CT_OK : no_memory(err);
    if (status == CT_OK)
        status = read_all(&reader, copy, err);
    free(copy);
    free(reader.devices);
    free(reader.ports);
    ct_names_free(&reader.guids);
    ct_names_free(&reader.by_key);
    if (status == CT_OK)
        return ct_topology_build(reader.builder, topology_p, err);
    ct_topology_builder_free(reader.builder);
    return status;
}
