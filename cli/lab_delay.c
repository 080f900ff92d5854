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
    ct_tables_number(tables,
                     (struct ct_column){"delayed_packets", "packets delayed", CT_UNIT_COUNT},
                     (double)l.packets);
    ct_tables_number(tables, (struct ct_column){"late_median_s", "late, median", CT_UNIT_SECONDS},
                     l.median_s);
    ct_tables_number(tables, (struct ct_column){"late_p99_s", "late, 99 %", CT_UNIT_SECONDS},
                     l.p99_s);
    ct_tables_number(tables, (struct ct_column){"late_max_s", "late, largest", CT_UNIT_SECONDS},
                     l.largest_s);
    ct_tables_number(tables, (struct ct_column){"delay_drops", "lost in it", CT_UNIT_COUNT},
                     (double)l.drops);
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
    ct_tables_text(tables, (struct ct_column){"machine", "like", CT_UNIT_NONE}, spec.like.machine);
    ct_tables_number(tables, (struct ct_column){"dilation", "times slower", CT_UNIT_NONE},
                     spec.like.dilation);
    ct_tables_number(tables,
                     (struct ct_column){"overhead_s", "overhead of a message", CT_UNIT_SECONDS},
                     spec.like.overhead_s);
    ct_tables_number(
        tables, (struct ct_column){"link_latency_s", "added between switches", CT_UNIT_SECONDS},
        spec.like.link_latency_s);
    ct_tables_begin(tables, "groups", NULL, columns, sizeof columns / sizeof *columns);
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
    ct_tables_number(tables, (struct ct_column){"latency_s", "latency added", CT_UNIT_SECONDS},
                     delay.latency_s);
    ct_tables_number(tables, (struct ct_column){"jitter_s", "jitter", CT_UNIT_SECONDS},
                     delay.jitter_s);
    ct_tables_text(tables, (struct ct_column){"jitter_shape", "shape of the jitter", CT_UNIT_NONE},
                   ct_lab_jitter_names[delay.shape]);
    ct_tables_text(tables, (struct ct_column){"latency_by", "added by", CT_UNIT_NONE},
                   ct_lab_delay_names[ct_lab_delay_by(lab)]);
    if (ct_lab_delay_by(lab) != CT_LAB_DELAY_LINE)
        return;
    ct_tables_text(tables, (struct ct_column){"latency_priority", "its priority", CT_UNIT_NONE},
                   ct_lab_delay_is_real_time(lab) ? "real-time" : "short slices");
    ct_tables_number(tables,
                     (struct ct_column){"latency_lead_s", "wakes up early by", CT_UNIT_SECONDS},
                     ct_lab_delay_lead_s(lab));
    struct ct_lab_late late;
    if (ct_lab_late_read(lab, &late, NULL) == CT_OK)
        ct_lab_lateness_fill(tables, NULL, &late);
}
