/* Where the time of each application goes, alone, on networks of several kinds: Kenny et al., ISC
 * 2018, Fig. 8. */
#include "report/part.h"
#include "study/app_times.h"

static void add_bar(const char *network, double runtime_s, const double *part_s, double whole_s,
                    struct ct_json *bars)
{
    struct ct_json *bar = ct_json_append(bars, ct_json_object());
    ct_json_put(bar, "network", ct_json_text(network));
    ct_json_put(bar, "runtime_s", ct_page_number(runtime_s));
    ct_json_put(bar, "parts", ct_page_numbers(part_s, CT_TIME_PARTS, 1 / whole_s));
}

static void describe_app(const struct ct_app_times *times, double factor, struct ct_json *one)
{
    const struct ct_app_time *packet = &times->on[CT_NETWORK_PACKET];
    struct ct_json *bars = ct_json_put(one, "bars", ct_json_array());
    double path_s = 0;
    if (times->why)
        ct_json_put(one, "why", ct_json_text(times->why));
    for (int kind = 0; kind < CT_NETWORK_KINDS; kind++)
        if (times->on[kind].is_known && times->on[kind].mean_s > 0)
            add_bar(ct_simulate_network_names[kind], times->on[kind].runtime_s / factor,
                    times->on[kind].part_s, times->on[kind].mean_s, bars);
    for (int part = 0; part < CT_TIME_PARTS; part++)
        path_s += times->path_s[part];
    if (path_s > 0)
        add_bar("critical path", packet->runtime_s / factor, times->path_s, packet->runtime_s,
                bars);
    if (packet->runtime_s > 0)
        ct_json_put(one, "no_network_gain",
                    ct_page_number(1 - times->no_network_s / packet->runtime_s));
}

enum ct_status ct_page_write_times(const struct ct_page_part *part, struct ct_json *into,
                                   struct ct_error *err)
{
    const struct ct_schedules *schedules = &part->session.schedules;
    struct ct_app_times *times;
    if (schedules->n_available == 0)
        return CT_OK;
    CT_TRY(ct_app_times_find(schedules, &times, err));
    struct ct_json *apps = ct_json_put(into, "times", ct_json_array());
    for (size_t app = 0; app < schedules->n_apps; app++)
        describe_app(&times[app], part->session.study.dilation.factor,
                     ct_json_append(apps, ct_json_object()));
    ct_app_times_free(times, schedules->n_apps);
    return CT_OK;
}
