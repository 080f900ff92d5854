#include "simulate/stack.h"

#include "simulate/constants.h"

#include <math.h>

const char *const ct_progress_names[] = {"async", "in-call", NULL};
const char *const ct_stack_family_names[] = {"rdma", "loggps", "sockets", NULL};

static const double ns_per_s = 1e9;

/* [D, section 3.1]; what a step of the network card does takes no time of a processor. */
static const struct ct_stack_protocol rdma_protocols[] = {
    {.name = "mailbox",
     .n_steps = 2,
     .steps = {{CT_SIDE_SENDER, CT_WAIT_SEND, CT_WORK_HEADER, CT_CARRIES_DATA},
               {CT_SIDE_RECEIVER, CT_WAIT_RECV, CT_WORK_COPY, CT_CARRIES_NOTHING}},
     .met = 1,
     .send_ends = {0, CT_MOMENT_PAID},
     .recv_ends = {1, CT_MOMENT_PAID},
     .takes_credit = true},
    {.name = "eager",
     .n_steps = 4,
     .steps = {{CT_SIDE_SENDER, CT_WAIT_SEND, CT_WORK_COPY | CT_WORK_HEADER, CT_CARRIES_CONTROL},
               {CT_SIDE_RECEIVER, CT_WAIT_NOTHING, CT_WORK_RDMA, CT_CARRIES_CONTROL},
               {CT_SIDE_SENDER, CT_WAIT_NOTHING, CT_WORK_NONE, CT_CARRIES_DATA},
               {CT_SIDE_RECEIVER, CT_WAIT_RECV, CT_WORK_COPY, CT_CARRIES_NOTHING}},
     .met = 3,
     .send_ends = {0, CT_MOMENT_PAID},
     .recv_ends = {3, CT_MOMENT_PAID}},
    {.name = "rendezvous",
     .n_steps = 5,
     .steps = {{CT_SIDE_SENDER, CT_WAIT_SEND, CT_WORK_PIN | CT_WORK_HEADER, CT_CARRIES_CONTROL},
               {CT_SIDE_RECEIVER, CT_WAIT_RECV, CT_WORK_PIN | CT_WORK_RDMA, CT_CARRIES_CONTROL},
               {CT_SIDE_SENDER, CT_WAIT_NOTHING, CT_WORK_NONE, CT_CARRIES_DATA},
               {CT_SIDE_RECEIVER, CT_WAIT_NOTHING, CT_WORK_NONE, CT_CARRIES_CONTROL},
               {CT_SIDE_SENDER, CT_WAIT_NOTHING, CT_WORK_NONE, CT_CARRIES_NOTHING}},
     .met = 1,
     .send_ends = {4, CT_MOMENT_BEGIN},
     .recv_ends = {3, CT_MOMENT_BEGIN}},
};

/* A protocol of LogGPS in this form. */
static struct ct_stack_protocol of_graph(const struct ct_protocol *protocol)
{
    static const uint8_t work[CT_MESSAGE_OVERHEADS] = {[CT_OVERHEAD_NONE] = CT_WORK_NONE,
                                                       [CT_OVERHEAD_CONTROL] = CT_WORK_CONTROL,
                                                       [CT_OVERHEAD_SEND] = CT_WORK_SEND,
                                                       [CT_OVERHEAD_RECV] = CT_WORK_RECV};
    struct ct_stack_protocol made = {.name = protocol->name,
                                     .n_steps = protocol->n_steps,
                                     .met = protocol->met,
                                     .send_ends = protocol->send_ends,
                                     .recv_ends = protocol->recv_ends};
    for (size_t i = 0; i < protocol->n_steps; i++) {
        const struct ct_message_step *step = &protocol->steps[i];
        made.steps[i] =
            (struct ct_stack_step){step->by, step->waits_for, work[step->overhead], step->carries};
    }
    return made;
}

struct ct_stack ct_stack_loggps(const struct ct_loggps *at, size_t eager_max_bytes,
                                const struct ct_overheads *overheads)
{
    struct ct_stack stack = {.n = 2,
                             .less_one_byte = true,
                             .progress = CT_PROGRESS_ASYNC,
                             .o_ns = at->o_ns,
                             .overheads = overheads,
                             .local_ns = at->L_ns,
                             .local_ns_per_byte = at->G_ns_per_byte};
    for (int i = 0; i < stack.n; i++)
        stack.protocols[i] = of_graph(&ct_protocols[i]);
    stack.protocols[CT_PROTOCOL_EAGER].max_bytes = eager_max_bytes;
    stack.protocols[CT_PROTOCOL_RENDEZVOUS].max_bytes = UINT64_MAX;
    return stack;
}

struct ct_stack_carried ct_stack_carried(const struct ct_stack *stack,
                                         const struct ct_stack_step *step, uint64_t bytes)
{
    if (step->carries != CT_CARRIES_DATA)
        return (struct ct_stack_carried){0, 0};
    if (!stack->gaps || !(stack->local_ns_per_byte > 0))
        return (struct ct_stack_carried){
            stack->less_one_byte ? ct_message_gap_bytes(bytes) : (double)bytes, 0};
    double G_s = stack->local_ns_per_byte / ns_per_s;
    const struct ct_gap_size at = ct_gaps_at(stack->gaps, G_s, bytes);
    return (struct ct_stack_carried){at.wire_s / G_s, at.late_frac};
}

struct ct_stack ct_stack_sockets(const struct ct_loggps *at, size_t eager_max_bytes,
                                 const struct ct_overheads *overheads)
{
    struct ct_stack stack = ct_stack_loggps(at, eager_max_bytes, overheads);
    stack.protocols[CT_PROTOCOL_RENDEZVOUS] = of_graph(&ct_protocols[CT_PROTOCOL_PUT]);
    stack.protocols[CT_PROTOCOL_RENDEZVOUS].max_bytes = UINT64_MAX;
    stack.one_at_a_time = true;
    stack.progress = CT_PROGRESS_IN_CALL;
    return stack;
}

struct ct_stack ct_stack_rdma(const struct ct_stack_parameters *parameters)
{
    struct ct_stack stack = {.n = CT_STACK_PROTOCOLS_MAX,
                             .one_at_a_time = true,
                             .progress = (enum ct_progress)parameters->progress,
                             .credits = (uint32_t)parameters->credits,
                             .header_ns = parameters->header_s * ns_per_s,
                             .rdma_ns = parameters->rdma_s * ns_per_s,
                             .copy_ns_per_byte = ns_per_s / parameters->memory_bytes_per_s,
                             .pin_ns = parameters->pin_s * ns_per_s,
                             .pin_page_ns = parameters->pin_page_s * ns_per_s,
                             .page_bytes = parameters->page_bytes,
                             .local_ns_per_byte = ns_per_s / parameters->memory_bytes_per_s};
    for (size_t i = 0; i < CT_STACK_PROTOCOLS_MAX; i++)
        stack.protocols[i] = rdma_protocols[i];
    stack.protocols[0].max_bytes = parameters->mailbox_max_bytes;
    stack.protocols[1].max_bytes = parameters->eager_max_bytes;
    stack.protocols[2].max_bytes = UINT64_MAX;
    return stack;
}

struct ct_stack ct_stack_of(const struct ct_stack_parameters *parameters)
{
    const struct ct_loggps at = {.o_ns = parameters->o_s * ns_per_s,
                                 .L_ns = parameters->L_s * ns_per_s,
                                 .G_ns_per_byte = parameters->G_s_per_byte * ns_per_s};
    switch ((enum ct_stack_family)parameters->family) {
    case CT_STACK_LOGGPS:
        return ct_stack_loggps(&at, parameters->S_bytes, NULL);
    case CT_STACK_SOCKETS:
        return ct_stack_sockets(&at, parameters->S_bytes, NULL);
    default:
        return ct_stack_rdma(parameters);
    }
}

struct ct_stack ct_stack_free_of_cost(const struct ct_stack *stack)
{
    struct ct_stack without = *stack;
    without.header_ns = without.rdma_ns = without.copy_ns_per_byte = 0;
    without.pin_ns = without.pin_page_ns = 0;
    without.o_ns = without.local_ns = without.local_ns_per_byte = 0;
    without.overheads = NULL;
    without.gaps = NULL;
    without.g_ns = 0;
    return without;
}

/* Overheads of LogGPS. */
static double overhead_ns(const struct ct_stack *stack, uint8_t work, uint64_t bytes)
{
    bool is_control = work & CT_WORK_CONTROL;
    if (!stack->overheads)
        return stack->o_ns;
    struct ct_overhead overhead = ct_overheads_at(stack->overheads, is_control ? 0 : bytes);
    return (work & CT_WORK_RECV ? overhead.recv_s : overhead.send_s) * ns_per_s;
}

double ct_stack_work_ns(const struct ct_stack *stack, uint8_t work, uint64_t bytes)
{
    double ns = 0;
    if (work & (CT_WORK_CONTROL | CT_WORK_SEND | CT_WORK_RECV))
        return overhead_ns(stack, work, bytes);
    if (work & CT_WORK_PIN) {
        uint64_t pages = bytes / stack->page_bytes + (bytes % stack->page_bytes > 0);
        ns += stack->pin_ns + (double)pages * stack->pin_page_ns;
    }
    if (work & CT_WORK_COPY)
        ns += (double)bytes * stack->copy_ns_per_byte;
    if (work & CT_WORK_HEADER)
        ns += stack->header_ns;
    if (work & CT_WORK_RDMA)
        ns += stack->rdma_ns;
    return ns;
}

struct ct_stack_parameters ct_stack_defaults(void)
{
    return (struct ct_stack_parameters){
        .injection_bytes_per_s = ct_simulate_constant(CT_SIMULATE_INJECTION_RATE),
        .link_bytes_per_s = ct_simulate_constant(CT_SIMULATE_LINK_RATE),
        .memory_bytes_per_s = ct_simulate_constant(CT_SIMULATE_MEMORY_RATE),
        .header_s = ct_simulate_constant(CT_SIMULATE_POST_HEADER),
        .rdma_s = ct_simulate_constant(CT_SIMULATE_POST_RDMA),
        .pin_s = ct_simulate_constant(CT_SIMULATE_PIN),
        .pin_page_s = ct_simulate_constant(CT_SIMULATE_PIN_PAGE),
        .hop_s = ct_simulate_constant(CT_SIMULATE_HOP),
        .page_bytes = (size_t)ct_simulate_constant(CT_SIMULATE_PAGE_BYTES),
        .mailbox_max_bytes = (size_t)ct_simulate_constant(CT_SIMULATE_MAILBOX_MAX),
        .eager_max_bytes = (size_t)ct_simulate_constant(CT_SIMULATE_EAGER_MAX),
        .progress = CT_PROGRESS_ASYNC,
        .S_bytes = (size_t)ct_simulate_constant(CT_SIMULATE_EAGER_BYTES)};
}

static void set_links(const struct ct_stack_parameters *parameters,
                      struct ct_simulate_network_setup *setup)
{
    if (parameters->family != CT_STACK_RDMA) {
        /* G is the gap of a program's byte: links carry headers beside these. */
        double share =
            setup->packet_header_bytes > 0
                ? setup->packet_bytes / (setup->packet_bytes + setup->packet_header_bytes)
                : 1;
        setup->injection_ns_per_byte = parameters->G_s_per_byte * ns_per_s * share;
        setup->link_ns_per_byte = NAN;
        setup->latency_ns = parameters->L_s * ns_per_s;
        setup->wire_ns = setup->switch_ns = NAN;
        return;
    }
    setup->injection_ns_per_byte = ns_per_s / parameters->injection_bytes_per_s;
    setup->link_ns_per_byte = ns_per_s / parameters->link_bytes_per_s;
    setup->latency_ns = NAN;
    setup->wire_ns = 0;
    setup->switch_ns = parameters->hop_s * ns_per_s;
}

void ct_stack_set_network(const struct ct_stack_parameters *parameters,
                          struct ct_simulate_network_setup *setup)
{
    set_links(parameters, setup);
    if (ct_stack_is_given(parameters, CT_STACK_KEY_QUEUE))
        setup->queues.order = (enum ct_port_order)parameters->order;
    if (ct_stack_is_given(parameters, CT_STACK_KEY_BURST))
        setup->queues.burst_bytes = parameters->burst_bytes;
    if (ct_stack_is_given(parameters, CT_STACK_KEY_AHEAD))
        setup->queues.ahead_bytes = setup->window_bytes = parameters->ahead_bytes;
}
