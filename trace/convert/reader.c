/* What the files that read events share: actions, requests, checks. */
#include "core/array.h"
#include "trace/convert/read.h"

#include <stdlib.h>
#include <string.h>

/* An action gets the compute since the one before. */
enum ct_status ct_reader_add(struct ct_reader *reader, struct ct_action action)
{
    struct ct_rank_actions *of = reader->of;
    if (!CT_ARRAY_RESERVE(of->actions, of->room, (size_t)of->n + 1))
        return ct_no_memory(reader->err, "traces");
    action.gap_ns = reader->gap_ns;
    action.position = reader->position;
    reader->gap_ns = 0;
    action.event = (uint8_t)reader->event->kind;
    action.nonblocking = reader->event->request != 0;
    action.site = reader->site;
    action.stage = (uint8_t)reader->begins;
    if (reader->begins != CT_STAGE_NONE)
        reader->begins = CT_STAGE_SAME;
    if (reader->has_actions)
        action.flags |= CT_ACTION_CONTINUES;
    reader->has_actions = true;
    reader->weight++;
    of->actions[of->n++] = action;
    return CT_OK;
}

/* The number of a name among those of all ranks. */
static enum ct_status number_site(struct ct_reader *reader, const char *name, uint16_t *site_p)
{
    struct ct_actions *all = reader->all;
    uint32_t i = 0;
    while (i < all->n_sites && strcmp(all->sites[i], name) != 0)
        i++;
    *site_p = (uint16_t)(i < CT_ACTIONS_SITES_MAX ? i + 1 : 0);
    if (i < all->n_sites || i == CT_ACTIONS_SITES_MAX)
        return CT_OK;
    if (!CT_ARRAY_RESERVE(all->sites, all->room_sites, (size_t)i + 1) ||
        !(all->sites[i] = strdup(name)))
        return ct_no_memory(reader->err, "traces");
    all->n_sites++;
    return CT_OK;
}

enum ct_status ct_reader_find_site(struct ct_reader *reader, const struct ct_trace_event *event)
{
    reader->site = 0;
    if (!event->site_name || event->site == 0)
        return CT_OK;
    /* Names are numbered from 1 on, without gaps: the reader of a file sees to it. */
    if (!CT_ARRAY_RESERVE(reader->sites, reader->room_sites, (size_t)event->site))
        return ct_no_memory(reader->err, "traces");
    while (reader->n_sites < event->site)
        reader->sites[reader->n_sites++] = 0;
    uint16_t *known = &reader->sites[event->site - 1];
    enum ct_status status = *known ? CT_OK : number_site(reader, event->site_name, known);
    reader->site = *known;
    return status;
}

enum ct_status ct_reader_add_completed(struct ct_reader *reader, uint32_t action)
{
    struct ct_rank_actions *of = reader->of;
    if (!CT_ARRAY_RESERVE(of->completed, of->room_completed, (size_t)of->n_completed + 1))
        return ct_no_memory(reader->err, "traces");
    of->completed[of->n_completed++] = action;
    of->actions[action].flags |= CT_ACTION_COMPLETED;
    return CT_OK;
}

/* The program waits for the last n actions. */
static enum ct_status complete_last(struct ct_reader *reader, uint32_t n)
{
    struct ct_rank_actions *of = reader->of;
    uint32_t end = of->n, first_of_list = of->n_completed;
    for (uint32_t i = end - n; i < end; i++)
        CT_TRY(ct_reader_add_completed(reader, i));
    return ct_reader_add(
        reader, (struct ct_action){.kind = CT_ACTION_COMPLETE, .partner = first_of_list, .n = n});
}

/* The last n actions belong to a request; without one, the program waits for them. */
enum ct_status ct_reader_give_request(struct ct_reader *reader, uint32_t request, uint32_t n)
{
    struct ct_rank_actions *of = reader->of;
    if (request == 0)
        return complete_last(reader, n);
    uint32_t first = of->n - n;
    of->actions[first].n = n;
    uint32_t before = ct_map_find(&reader->requests, request);
    if (before != 0)
        ct_map_remove(&reader->requests, request, before);
    return ct_map_add(&reader->requests, request, first + 1) ? CT_OK
                                                             : ct_no_memory(reader->err, "traces");
}

enum ct_status ct_reader_find_comm(struct ct_reader *reader, uint32_t number,
                                   struct ct_local_comm **comm_p)
{
    uint32_t found = ct_map_find(&reader->comm_numbers, number);
    if (found == 0)
        return ct_fail(reader->err, CT_EFORMAT, "communicator %u is not in the trace", number);
    *comm_p = &reader->comms[found - 1];
    return CT_OK;
}

enum ct_status ct_reader_check_peer(struct ct_reader *reader, int32_t peer)
{
    if (peer >= 0 && (uint32_t)peer < reader->all->n_ranks)
        return CT_OK;
    return ct_fail(reader->err, CT_EFORMAT, "a message with rank %d; there are ranks 0 to %u", peer,
                   reader->all->n_ranks - 1);
}
