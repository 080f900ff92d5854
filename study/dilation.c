#include "study/dilation.h"

#include "study/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a lab, TCP over Ethernet. */
static const double packet_bytes = 1448;
static const double groups_differ = 2;

static bool is_measured(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_IMPACT || info->kind == CT_RUN_RUNTIME || info->kind == CT_RUN_LOGP;
}

static double factor_of(const struct ct_run_info *info)
{
    double factor = ct_run_number(info, CT_RUN_DILATION);
    return factor > 0 ? factor : 1;
}

static enum ct_status compare_runs(const struct ct_run_entry *one, const struct ct_run_entry *other,
                                   struct ct_error *err)
{
    const char *a = ct_run_text(&one->info, CT_RUN_MACHINE);
    const char *b = ct_run_text(&other->info, CT_RUN_MACHINE);
    double factors[2] = {factor_of(&one->info), factor_of(&other->info)};
    if (!strcmp(a ? a : "", b ? b : "") && factors[0] == factors[1])
        return CT_OK;
    return ct_fail(err, CT_EINVAL,
                   "%s is of a lab like %s, %g times slower, %s of one like %s, %g times slower: "
                   "their times do not compare; keep them in folders of their own",
                   one->path, a ? a : "no machine", factors[0], other->path, b ? b : "no machine",
                   factors[1]);
}

static void note_app(const struct ct_run_info *info, struct ct_argv *apps)
{
    for (size_t i = 0; i < apps->n; i++)
        if (!strcmp(apps->item[i], info->app))
            return;
    ct_argv_add(apps, "%s", info->app);
}

static void note_others(const struct ct_argv *apps, struct ct_argv *notes)
{
    char names[200] = "";
    for (size_t i = 0; i < apps->n; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", apps->item[i]);
    }
    if (apps->n > 0)
        ct_argv_add(notes,
                    "%s: not replays or workloads of crosstalk, so computing takes no longer than "
                    "on this machine, while messages do: slowdowns are not the machine's",
                    names);
}

enum ct_status ct_dilation_find(const struct ct_run_list *list, struct ct_dilation *dilation_p,
                                struct ct_argv *notes, struct ct_error *err)
{
    const struct ct_run_entry *first = NULL;
    struct ct_argv others = {0};
    enum ct_status status = CT_OK;
    *dilation_p = (struct ct_dilation){.factor = 1};
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++) {
        const struct ct_run_entry *entry = &list->entries[i];
        if (!is_measured(&entry->info))
            continue;
        first = first ? first : entry;
        status = compare_runs(first, entry, err);
        if (entry->info.kind == CT_RUN_RUNTIME && factor_of(&entry->info) > 1 &&
            ct_run_number(&entry->info, CT_RUN_COMPUTE_DILATION) != factor_of(&entry->info))
            note_app(&entry->info, &others);
    }
    const char *name = first ? ct_run_text(&first->info, CT_RUN_MACHINE) : NULL;
    if (status == CT_OK && name && ct_machine_find(name, &dilation_p->machine, NULL) == CT_OK)
        dilation_p->factor = factor_of(&first->info);
    note_others(&others, notes);
    notes->failed |= others.failed;
    ct_argv_free(&others);
    return status;
}

void ct_dilation_compare(const struct ct_dilation *dilation, const struct ct_parameters *measured,
                         char text[CT_DILATION_TEXT_MAX], struct ct_argv *notes)
{
    const struct ct_machine *machine = dilation->machine;
    double o_s = isnan(measured->o_s) ? measured->measured.o_s : measured->o_s;
    struct ct_machine_groups here = ct_machine_groups(measured->L_s, o_s, measured->G_s_per_byte,
                                                      packet_bytes),
                             there = ct_machine_groups(machine->leaf_s, machine->o_s, machine->G_s,
                                                       machine->packet_bytes);
    double distance = ct_machine_distance(&here, &there);
    snprintf(text, CT_DILATION_TEXT_MAX,
             "like %s, %g times slower: 1 KiB G / L %.2g (%.2g there), o / L %.2g (%.2g), packets "
             "under way %.2g (%.2g)",
             machine->name, dilation->factor, here.transfer, there.transfer, here.overhead,
             there.overhead, here.packets, there.packets);
    if (distance > groups_differ)
        ct_argv_add(notes,
                    "the network is not like %s: by what logpb measured, a group differs by a "
                    "factor of %.2g; slowdowns are not the machine's (%s)",
                    machine->name, distance, text);
}
