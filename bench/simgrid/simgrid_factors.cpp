#include "bench/simgrid/simgrid_factors.h"

#include <iterator>
#include <sstream>

bool ct_simgrid_factors::read(const std::string &text)
{
    std::istringstream list(text);
    for (std::string entry; std::getline(list, entry, ';');) {
        std::istringstream words(entry);
        double size, factor;
        char colon, more;
        if (!(words >> size >> colon >> factor) || colon != ':' || words >> more || factor <= 0)
            return false;
        by_size[size] = factor;
    }
    return !by_size.empty();
}

double ct_simgrid_factors::at(double size) const
{
    auto next = by_size.lower_bound(size); /* the first that does not hold */
    return next == by_size.begin() ? 1.0 : std::prev(next)->second;
}
