/* Colours. Series: Okabe and Ito (2008), distinct with any colour vision. Scale: steps of equal
 * lightness, after ColorBrewer (Harrower and Brewer 2003). */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const series_colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000"};

const char *ct_plot_colour(size_t i)
{
    return series_colours[i % (sizeof series_colours / sizeof *series_colours)];
}

enum { STOPS = 5 };

static const unsigned char stops[STOPS][3] = {
    {255, 255, 229}, {254, 217, 142}, {254, 153, 41}, {204, 76, 2}, {102, 37, 6}};

void ct_plot_scale_colour(double share, char colour[8])
{
    double at = fmin(fmax(share, 0), 1) * (STOPS - 1);
    size_t below = at < STOPS - 1 ? (size_t)at : STOPS - 2;
    unsigned channel[3];
    for (size_t i = 0; i < 3; i++) {
        double lo = stops[below][i], hi = stops[below + 1][i];
        channel[i] = (unsigned)lround(lo + (at - (double)below) * (hi - lo)) & 0xff;
    }
    snprintf(colour, 8, "#%02x%02x%02x", channel[0], channel[1], channel[2]);
}

/* Relative luminance (WCAG 2) at which black and white have the same contrast. */
bool ct_plot_is_light(const char *colour)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    double luminance = 0;
    char *end;
    if (colour[0] != '#' || strlen(colour) != 7)
        return true;
    unsigned long rgb = strtoul(colour + 1, &end, 16);
    if (*end != '\0')
        return true;
    for (size_t i = 0; i < 3; i++) {
        double c = (double)(rgb >> (16 - 8 * i) & 0xff) / 255.0;
        luminance += weights[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return luminance > 0.179;
}
