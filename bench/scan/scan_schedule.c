#include "bench/scan/scan_schedule.h"

static int count_seats(int n)
{
    return n + n % 2;
}

int ct_scan_steps(int n)
{
    return n < 2 ? 0 : count_seats(n) - 1;
}

int ct_scan_partner(int n, int step, int node)
{
    int last = count_seats(n) - 1;
    int partner = node == last ? step : ((2 * step - node) % last + last) % last;
    if (partner == node)
        partner = last;
    return partner < n ? partner : -1;
}
