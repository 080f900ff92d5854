#include "cli/lab_delay.h"

#include "lab/like.h"

void ct_lab_delay_describe(const struct ct_lab *lab, char text[CT_LAB_DELAY_TEXT_MAX])
{
    const struct ct_lab_delay delay = ct_lab_spec_of(lab).delay;
    char latency[CT_UNITS_TEXT_MAX], jitter[CT_UNITS_TEXT_MAX], varied[2 * CT_UNITS_TEXT_MAX] = "";
    text[0] = '\0';
    if (delay.latency_s == 0)
        return;
    ct_format_duration(delay.latency_s, latency);
    ct_format_duration(delay.jitter_s, jitter);
    if (delay.jitter_s > 0)
        snprintf(varied, sizeof varied, " with %s jitter of %s", ct_lab_jitter_names[delay.shape],
                 jitter);
    snprintf(text, CT_LAB_DELAY_TEXT_MAX, ": %s later%s, by %s%s", latency, varied,
             ct_lab_delay_names[ct_lab_delay_by(lab)],
             ct_lab_delay_by(lab) == CT_LAB_DELAY_LINE && !ct_lab_delay_is_real_time(lab)
                 ? " without real-time priority"
                 : "");
}

void ct_lab_lateness_fill(struct ct_tables *tables, const struct ct_lab_late *before,
                          const struct ct_lab_late *after)
{
    struct ct_lab_lateness l = ct_lab_lateness(before, after);
    CT_TABLES_NUMBER(tables, "delayed_packets", "packets delayed", COUNT, (double)l.packets);
    CT_TABLES_NUMBER(tables, "late_median_s", "late, median", SECONDS, l.median_s);
    CT_TABLES_NUMBER(tables, "late_p99_s", "late, 99 %", SECONDS, l.p99_s);
    CT_TABLES_NUMBER(tables, "late_max_s", "late, largest", SECONDS, l.largest_s);
    CT_TABLES_NUMBER(tables, "delay_drops", "lost in it", COUNT, (double)l.drops);
}

/* Of the lab, then of the machine. @return false: it imitates none */
static bool find_groups(const struct ct_lab *lab, struct ct_machine_groups groups[2])
{
    const struct ct_lab_spec spec = ct_lab_spec_of(lab);
    const struct ct_machine *machine;
    if (spec.like.dilation == 0 || ct_machine_find(spec.like.machine, &machine, NULL) != CT_OK)
        return false;
    groups[0] = ct_lab_like_groups(&spec);
    groups[1] =
        ct_machine_groups(machine->leaf_s, machine->o_s, machine->G_s, machine->packet_bytes);
    return true;
}

void ct_lab_like_note(const struct ct_lab *lab, struct ct_log *log)
{
    const struct ct_lab_spec spec = ct_lab_spec_of(lab);
    struct ct_machine_groups groups[2];
    char overhead[CT_UNITS_TEXT_MAX];
    if (!find_groups(lab, groups))
        return;
    ct_format_duration(spec.like.overhead_s, overhead);
    ct_log_info(
        log,
        "like %s, %g times slower, %s overhead a message: 1 KiB G / L is %.2g (%.2g there), "
        "o / L %.2g (%.2g), packets under way %.2g (%.2g)",
        spec.like.machine, spec.like.dilation, overhead, groups[0].transfer, groups[1].transfer,
        groups[0].overhead, groups[1].overhead, groups[0].packets, groups[1].packets);
}

void ct_lab_like_fill(struct ct_tables *tables, const struct ct_lab *lab)
{
    static const struct ct_column columns[] = {{"of", "network", CT_UNIT_NONE},
                                               {"transfer", "1 KiB G / L", CT_UNIT_NONE},
                                               {"overhead", "o / L", CT_UNIT_NONE},
                                               {"packets", "packets under way", CT_UNIT_NONE}};
    const struct ct_lab_spec spec = ct_lab_spec_of(lab);
    struct ct_machine_groups groups[2];
    if (!find_groups(lab, groups))
        return;
    CT_TABLES_TEXT(tables, "machine", "like", spec.like.machine);
    CT_TABLES_NUMBER(tables, "dilation", "times slower", NONE, spec.like.dilation);
    CT_TABLES_NUMBER(tables, "overhead_s", "overhead of a message", SECONDS, spec.like.overhead_s);
    CT_TABLES_NUMBER(tables, "link_latency_s", "added between switches", SECONDS,
                     spec.like.link_latency_s);
    CT_TABLES_BEGIN(tables, "groups", NULL, columns);
    for (size_t i = 0; i < 2; i++) {
        ct_tables_cell_text(tables, i ? spec.like.machine : "lab");
        CT_CELL_NUMBERS(tables, groups[i].transfer, groups[i].overhead, groups[i].packets);
    }
}

void ct_lab_delay_fill(struct ct_tables *tables, struct ct_lab *lab)
{
    struct ct_lab_delay delay = ct_lab_spec_of(lab).delay;
    if (delay.latency_s == 0)
        return;
    CT_TABLES_NUMBER(tables, "latency_s", "latency added", SECONDS, delay.latency_s);
    CT_TABLES_NUMBER(tables, "jitter_s", "jitter", SECONDS, delay.jitter_s);
    CT_TABLES_TEXT(tables, "jitter_shape", "shape of the jitter", ct_lab_jitter_names[delay.shape]);
    CT_TABLES_TEXT(tables, "latency_by", "added by", ct_lab_delay_names[ct_lab_delay_by(lab)]);
    if (ct_lab_delay_by(lab) != CT_LAB_DELAY_LINE)
        return;
    CT_TABLES_TEXT(tables, "latency_priority", "its priority",
                   ct_lab_delay_is_real_time(lab) ? "real-time" : "short slices");
    CT_TABLES_NUMBER(tables, "latency_lead_s", "wakes up early by", SECONDS,
                     ct_lab_delay_lead_s(lab));
    struct ct_lab_late late;
    if (ct_lab_late_read(lab, &late, NULL) == CT_OK)
        ct_lab_lateness_fill(tables, NULL, &late);
}
