/**
 * Factors by message size, as SimGrid's settings have them: "65472:0.94;15424:0.70;0:0.21", the
 * factor of sizes above each size. Where a program answers what SimGrid asks of each message,
 * SimGrid takes no notice of its own settings, so the answer has these.
 */
#ifndef CT_BENCH_SIMGRID_SIMGRID_FACTORS_H
#define CT_BENCH_SIMGRID_SIMGRID_FACTORS_H

#include <map>
#include <string>

class ct_simgrid_factors
{
    std::map<double, double> by_size; /* the size above which they hold */

  public:
    /** @return false: the text is no list of SIZE:FACTOR;... with factors above 0 */
    bool read(const std::string &text);

    /** 1 below all sizes, and where nothing was read. */
    double at(double size) const;
};

#endif
