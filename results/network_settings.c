#include "results/network_settings.h"

#include "results/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 4, VALUE_SHOWN = 60, KEY_MAX = 200 };

/* Where the facts of an environment stand: that of rank 0, and that of a campaign's driver. */
static const char *const owners[] = {"", "driver_"};

/* What is compared: the value of a fact, or the MPI library. NULL: not set; the same text twice has
   the same value. */
struct subject {
    const char *name, *key; /* key NULL: the MPI library */
    const char *owner;      /* NULL: runs with that fact are compared, others are not */
};

static bool takes_part(const struct subject *subject, const struct ct_run_info *info)
{
    char key[KEY_MAX];
    if (!subject->key)
        return info->kind == CT_RUN_IMPACT && *info->mpi_library;
    if (!subject->owner)
        return ct_run_text(info, subject->key) != NULL;
    snprintf(key, sizeof key, "%s%s", subject->owner, CT_ENVIRONMENT_KERNEL);
    return ct_run_text(info, key) != NULL;
}

static const char *value_of(const struct subject *subject, const struct ct_run_info *info)
{
    return subject->key ? ct_run_text(info, subject->key) : info->mpi_library;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The first run with each value, and how many have it. */
struct value {
    const struct ct_run_entry *first;
    size_t n;
};

static void describe_setting(const struct subject *subject, const struct value *values, size_t n,
                             struct ct_argv *notes)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        notes->failed = true;
        return;
    }
    for (size_t v = 0; v < n && v < SHOWN_MAX; v++) {
        const char *value = value_of(subject, &values[v].first->info);
        fputs(v ? ", " : "", out);
        if (value)
            fprintf(out, "'%.*s'", VALUE_SHOWN, value);
        else
            fputs("not set", out);
        fprintf(out, " in %s", name_of(values[v].first->path));
        if (values[v].n > 1)
            fprintf(out, " and %zu more", values[v].n - 1);
    }
    if (n > SHOWN_MAX)
        fprintf(out, ", and %zu other values", n - SHOWN_MAX);
    notes->failed |= fclose(out) != 0;
    if (text)
        ct_argv_add(
            notes,
            "different network settings: %s is %s. Latencies over different cards, transports "
            "or libraries do not compare: measure again with one setting",
            subject->name, text);
    free(text);
}

static void compare_settings(const struct subject *subject, const struct ct_run_list *list,
                             struct value *values, struct ct_argv *notes)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n_entries; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        if (!takes_part(subject, info))
            continue;
        size_t v = 0;
        while (v < n &&
               !same_text(value_of(subject, &values[v].first->info), value_of(subject, info)))
            v++;
        if (v == n)
            values[n++] = (struct value){.first = &list->entries[i]};
        values[v].n++;
    }
    if (n > 1)
        describe_setting(subject, values, n, notes);
}

/* Keys of every variable of the network that some run has. */
static void collect_settings(const struct ct_run_list *list, const char *owner,
                             struct ct_argv *keys)
{
    char prefix[KEY_MAX];
    snprintf(prefix, sizeof prefix, "%s%s", owner, CT_ENVIRONMENT_VARIABLE);
    size_t length = strlen(prefix);
    for (size_t i = 0; i < list->n_entries; i++)
        for (size_t f = 0; f < list->entries[i].info.n_facts; f++) {
            const struct ct_run_fact *fact = &list->entries[i].info.facts[f];
            if (fact->text && !strncmp(fact->key, prefix, length) &&
                ct_environment_is_network(fact->key + length) && !ct_argv_has(keys, fact->key))
                ct_argv_add(keys, "%s", fact->key);
        }
}

void ct_network_settings_list(const struct ct_run_list *list, struct ct_argv *keys)
{
    collect_settings(list, owners[0], keys);
}

const char *ct_network_settings_name(const char *key)
{
    return strstr(key, CT_ENVIRONMENT_VARIABLE) + strlen(CT_ENVIRONMENT_VARIABLE);
}

enum ct_status ct_network_settings_compare(const struct ct_run_list *list, struct ct_argv *notes)
{
    struct value *values = calloc(list->n_entries + 1, sizeof *values);
    if (!values)
        return CT_ENOMEM;
    const struct subject alike[] = {{.name = "the MPI library"},
                                    {.name = "the topology", .key = CT_RUN_TOPOLOGY}};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        memset(values, 0, list->n_entries * sizeof *values);
        compare_settings(&alike[i], list, values, notes);
    }
    for (size_t o = 0; o < sizeof owners / sizeof *owners; o++) {
        struct ct_argv keys = {0};
        collect_settings(list, owners[o], &keys);
        for (size_t k = 0; k < keys.n; k++) {
            const struct subject variable = {.name = keys.item[k] + strlen(owners[o]) +
                                                     strlen(CT_ENVIRONMENT_VARIABLE),
                                             .key = keys.item[k],
                                             .owner = owners[o]};
            memset(values, 0, list->n_entries * sizeof *values);
            compare_settings(&variable, list, values, notes);
        }
        notes->failed |= keys.failed;
        ct_argv_free(&keys);
    }
    free(values);
    return notes->failed ? CT_ENOMEM : CT_OK;
}

void ct_network_settings_note_switches(const struct ct_run_list *list, struct ct_argv *notes)
{
    for (size_t i = 0; i < list->n_entries; i++) {
        const char *topology = ct_run_text(&list->entries[i].info, CT_RUN_TOPOLOGY);
        if (!topology || ct_run_number(&list->entries[i].info, CT_RUN_TOPOLOGY_SWITCHES) == 1)
            continue;
        ct_argv_add(
            notes,
            "the network has several switches ('%.*s'), and the models assume one: they see the "
            "links between switches only as far as probes cross them. 'packets' has them, if runs "
            "record the rates of links",
            VALUE_SHOWN, topology);
        return;
    }
}

enum ct_status ct_network_settings_compare_files(const char *one, const char *other,
                                                 struct ct_argv *notes, struct ct_error *err)
{
    struct ct_run_entry entries[2] = {{.path = (char *)one}, {.path = (char *)other}};
    const struct ct_run_list list = {.entries = entries, .n_entries = 2};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < list.n_entries && status == CT_OK; i++)
        status = ct_run_read_info(entries[i].path, &entries[i].info, err);
    if (status == CT_OK && ct_network_settings_compare(&list, notes) != CT_OK)
        status = ct_fail(err, CT_ENOMEM, "network settings: %s", ct_status_text(CT_ENOMEM));
    for (size_t i = 0; i < list.n_entries; i++)
        ct_run_info_free(&entries[i].info);
    return status;
}
