#include "results/guest.h"

#include <hdf5.h>

struct ct_results_guest ct_results_enter(void)
{
    struct ct_results_guest guest = {0};
    H5E_auto2_t print = NULL;
    H5Eget_auto2(H5E_DEFAULT, &print, &guest.context);
    guest.print = (void (*)(void))print;
    H5PLget_loading_state(&guest.plugins);
    return guest;
}

void ct_results_leave(struct ct_results_guest guest)
{
    H5Eset_auto2(H5E_DEFAULT, (H5E_auto2_t)guest.print, guest.context);
    H5PLset_loading_state(guest.plugins);
}
