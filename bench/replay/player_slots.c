/* Slots: one for each request that is open. */
#include "bench/replay/player.h"

/* Requests of several threads have places as their numbers. */
struct ct_player_slot *ct_player_open_slot(struct ct_player *player, uint32_t request)
{
    uint32_t place = request - 1;
    if (player->n_threads == 1 && !ct_slots_take(&player->slots, request, &place))
        ct_player_give_up(player); /* it had room in the rehearsal */
    return &player->slot[place];
}

uint32_t ct_player_find_slot(const struct ct_player *player, uint32_t request)
{
    uint32_t place = request - 1;
    if (player->n_threads == 1)
        ct_slots_find(&player->slots, request, &place);
    return place;
}

void ct_player_close_slot(struct ct_player *player, uint32_t request, uint32_t place)
{
    if (player->n_threads == 1)
        ct_slots_give(&player->slots, request, place);
}

void ct_player_drop_requests(struct ct_player *player)
{
    for (uint32_t place = 0; place < player->rehearsal.n_slots; place++) {
        struct ct_player_slot *slot = &player->slot[place];
        if (slot->request == MPI_REQUEST_NULL)
            continue;
        if (slot->use == CT_SLOT_RECEIVE && (!slot->prepared.exists || slot->active))
            MPI_Cancel(&slot->request);
        MPI_Wait(&slot->request, MPI_STATUS_IGNORE);
        if (slot->prepared.exists)
            MPI_Request_free(&slot->request);
        slot->prepared = (struct ct_prepared){.exists = false};
        slot->active = false;
    }
    ct_slots_free(&player->slots);
}
