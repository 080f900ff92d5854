#include "topology/draw.h"

#include <math.h>

void ct_utilization_colour(double utilization, char colour[8])
{
    static const int stops[][3] = {{59, 125, 216}, {72, 173, 120}, {242, 193, 78}, {193, 39, 45}};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    int rgb[3] = {154, 160, 166};
    if (!isnan(utilization)) {
        double at = fmin(fmax(utilization, 0), 1) * LAST;
        int i = at < LAST ? (int)at : LAST - 1;
        for (int c = 0; c < 3; c++)
            rgb[c] = (int)lround(stops[i][c] + (at - i) * (stops[i + 1][c] - stops[i][c]));
    }
    snprintf(colour, 8, "#%02x%02x%02x", (unsigned)rgb[0] & 0xff, (unsigned)rgb[1] & 0xff,
             (unsigned)rgb[2] & 0xff);
}
