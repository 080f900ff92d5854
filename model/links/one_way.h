/** Waits of probes on the way there and on the way back, by two clocks that do not agree. */
#pragma once

#include <stddef.h>

/**
 * Subtract from one-way times what they have without any wait. With o + r t the difference of the
 * clocks at time t, and d, d' the times of an undisturbed message there and back,
 *
 *     there_i = d + wait_i + o + r t_i,    back_i = d' + wait'_i - o - r t_i
 *
 * r is the rate at which min(there_i - r t_i) + min(back_i + r t_i) is largest: then the lines
 * under both have probes without wait on them. (Lines under all points: Moon, Skelly and Towsley,
 * INFOCOM 1999; here one rate for both ways.) If a range of rates has the same largest value, r is
 * its middle. |r| is at most CT_MODEL_LINK_CLOCK_RATE. The waits are what is above these lines.
 *
 * Assumptions: r is constant, no clock is set during the run, and each way has some probes that
 * wait nowhere; a wait that all probes of a way have is not seen. d and o need not be known.
 * @param sent_s   [in]     [n] t
 * @param there_s  [in,out] [n] one-way times; then waits, >= 0
 * @param back_s   [in,out] [n] the same
 * @return r; 0 with n = 0
 */
double ct_one_way_waits(const double *sent_s, double *there_s, double *back_s, size_t n);
