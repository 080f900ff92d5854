/* Figures of crosstalk calibrate. */
#pragma once

#include "core/status.h"

/*
 * Draw the pictures of a posterior file that there is data for: sensitivities.svg, parameters.svg,
 * and throughput.svg, round-trip.svg and latency.svg.
 * @param folder  [in] made if it is not there
 * @return CT_OK; CT_EIO; CT_ENOMEM; what ct_posterior_view_read() and those of plot/uncertainty.h
 *         return
 */
enum ct_status ct_calibrate_draw(const char *path, const char *folder, struct ct_error *err);
