#include "predict/method.h"

#include <math.h>

struct ct_prediction ct_prediction_none(enum ct_prediction_flag why)
{
    return (struct ct_prediction){.slowdown_frac = NAN,
                                  .spread_frac = NAN,
                                  .flag = why,
                                  .interval = {NAN, NAN},
                                  .config = CT_PREDICT_NO_CONFIG,
                                  .at = NAN};
}

size_t ct_query_only_app(const struct ct_predict_analysis *analysis,
                         const struct ct_predict_query *query)
{
    size_t load = query->beside[0];
    bool is_app = query->n_beside == 1 && load > 0 && load <= analysis->n_apps;
    return is_app ? load - 1 : analysis->n_apps;
}

bool ct_load_is_probed(const struct ct_predict_load *load)
{
    return load->profile.latency_s.n > 0;
}

bool ct_query_may_use(const struct ct_predict_analysis *analysis,
                      const struct ct_predict_query *query, size_t config)
{
    return config != query->excluded && ct_load_is_probed(&analysis->configs[config]) &&
           !isnan(analysis->under_config[query->app * analysis->n_configs + config].frac);
}
