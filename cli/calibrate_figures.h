/* Figures of crosstalk calibrate. */
#ifndef CT_CLI_CALIBRATE_FIGURES_H
#define CT_CLI_CALIBRATE_FIGURES_H

#include "study/calibration.h"

/*
 * Draw sensitivities.svg, parameters.svg, and throughput.svg and round-trip.svg of what was
 * measured of sizes above 0.
 * @param folder  [in] made if it is not there
 * @return CT_OK; CT_EIO; CT_ENOMEM; what the functions of plot/uncertainty.h return
 */
enum ct_status ct_calibrate_draw(const struct ct_calibration_request *request,
                                 const struct ct_calibration_answer *answer, const char *folder,
                                 struct ct_error *err);

#endif
