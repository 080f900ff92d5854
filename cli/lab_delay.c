#include "cli/lab_delay.h"

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
