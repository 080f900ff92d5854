/**
 * Bootstrap intervals of measured utilizations and slowdowns. Each replicate draws probe blocks,
 * runs and passes (predict/summaries.h), and fits calibration and mixtures to these. An interval is
 * the middle `level` of the replicates.
 */
#pragma once

#include "predict/predict.h"

/**
 * @param analysis  [in,out] made by ct_predict_analyse(); intervals are filled in
 * @param setup     [in]     replicates >= 20, 0 < level < 1; block is not used
 * @return CT_OK; CT_EINVAL (the setup); CT_ENOMEM
 */
enum ct_status ct_predict_resample(struct ct_predict_analysis *analysis,
                                   const struct ct_bootstrap *setup);
