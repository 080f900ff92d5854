/* Every step of every protocol, by hand: who comes first, receives posted early and late, messages
 * of a rank to itself, and without bytes. Each case has all times of its message, and all spans of
 * all ranks. */
#include "engine_example.h"
#include "goal_example.h"
#include "unit.h"

#include <string.h>

enum { ASYNC = CT_PROGRESS_ASYNC, IN_CALL = CT_PROGRESS_IN_CALL, EITHER };

/* A message, in one of the schedules below. */
struct hand {
    const char *what, *text;
    int progress; /* EITHER: the same times with both */
    double T_ns;
    const char *steps;    /* check_steps() */
    const char *spans[2]; /* check_spans(), of each rank */
};

#define RANKS_2(rank_0, rank_1) "num_ranks 2\nrank 0 {\n" rank_0 "}\nrank 1 {\n" rank_1 "}\n"
#define RANKS_1(rank_0) "num_ranks 1\nrank 0 {\n" rank_0 "}\n"

/* Each side computes, and then sends or receives. */
#define SEND(bytes, before) "c: calc " before "\ns: send " bytes " to 1 tag 0\ns requires c\n"
#define RECV(bytes, before) "c: calc " before "\nr: recv " bytes " from 0 tag 0\nr requires c\n"
#define BOTH(bytes, before_send, before_recv)                                                      \
    RANKS_2(SEND(bytes, before_send), RECV(bytes, before_recv))
/* A receive that is posted at once; a send that begins at once. Then a computation, the wait, and
 * 1 ns more. */
#define POSTED(bytes, meanwhile)                                                                   \
    "r: recv " bytes " from 0 tag 0\nc: calc " meanwhile "\nc irequires r\n"                       \
    "d: calc 1\nd requires r\nd requires c\n"
#define BEGUN(bytes, meanwhile)                                                                    \
    "s: send " bytes " to 1 tag 0\nc: calc " meanwhile "\nc irequires s\n"                         \
    "d: calc 1\nd requires s\nd requires c\n"
/* To itself: both at once; the receive first, then 1000 ns, then the send; the other way round. */
#define SELF(bytes) RANKS_1("s: send " bytes " to 0 tag 0\nr: recv " bytes " from 0 tag 0\n")
#define SELF_POSTED(bytes)                                                                         \
    RANKS_1("r: recv " bytes " from 0 tag 0\nc: calc 1000\nc irequires r\n"                        \
            "s: send " bytes " to 0 tag 0\ns requires c\n")
#define SELF_LATE(bytes)                                                                           \
    RANKS_1("s: send " bytes " to 0 tag 0\nc: calc 1000\nc irequires s\n"                          \
            "r: recv " bytes " from 0 tag 0\nr requires c\n")

static struct told told;

static void check_hand(const struct hand *hand, const struct ct_stack *stack,
                       const struct ct_simulate_network_setup *network, const char *protocol)
{
    struct ct_goal goal = goal_of_text(hand->text);
    struct ct_simulate_network_setup setup = *network;
    char what[120];
    setup.n_nodes = goal.n_ranks;
    snprintf(what, sizeof what, "%s, %s", protocol, hand->what);
    double T_ns = run_alone(&goal, stack, CT_NETWORK_ALPHA_BETA, &setup, &told);
    check_told(&told);
    assert_string_equal(told.messages[0].protocol, protocol);
    check_steps(what, &told, 0, hand->steps);
    for (uint32_t rank = 0; rank < goal.n_ranks; rank++)
        check_spans(what, &told, rank, hand->spans[rank]);
    if (fabs(T_ns - hand->T_ns) > 1e-6)
        fail_msg("%s: %.6g ns", what, T_ns);
    ct_goal_free(&goal);
}

static void check_rdma(const struct hand *hands, size_t n, const char *protocol)
{
    const struct ct_simulate_network_setup network = hand_network(1);
    for (size_t i = 0; i < n; i++)
        for (int progress = ASYNC; progress <= IN_CALL; progress++) {
            struct ct_stack_parameters parameters = hand_parameters();
            parameters.progress = progress;
            const struct ct_stack stack = ct_stack_rdma(&parameters);
            if (hands[i].progress == progress || hands[i].progress == EITHER)
                check_hand(&hands[i], &stack, &network, protocol);
        }
}

/* o 700 ns, L 3000 ns, 0.25 ns/B; eager up to 1000 B. */
static void check_loggps(const struct hand *hands, size_t n, const char *protocol)
{
    const struct ct_simulate_network_setup network = switch_of(1, 1);
    const struct ct_stack stack = ct_stack_loggps(&somewhere, 1000, NULL);
    for (size_t i = 0; i < n; i++)
        check_hand(&hands[i], &stack, &network, protocol);
}

#define N_OF(hands) (sizeof(hands) / sizeof *(hands))

/* 100 B: header 100, 50 + 50 under way, copy 100. */
static void test_mailbox(void **state)
{
    (void)state;
    static const struct hand hands[] = {
        {"together",
         BOTH("100b", "0", "0"),
         EITHER,
         300,
         "0 100 200, 200 300 300",
         {"stack 100", "sync 100, network 200, stack 300"}},
        {"receiver first",
         BOTH("100b", "1000", "0"),
         EITHER,
         1300,
         "1000 1100 1200, 1200 1300 1300",
         {"compute 1000, stack 1100", "sync 1100, network 1200, stack 1300"}},
        {"sender first, posted while it is under way",
         BOTH("100b", "0", "150"),
         EITHER,
         300,
         "0 100 200, 200 300 300",
         {"stack 100", "compute 150, network 200, stack 300"}},
        {"sender first, posted when it is there",
         BOTH("100b", "0", "1000"),
         EITHER,
         1100,
         "0 100 200, 1000 1100 1100",
         {"stack 100", "compute 1000, stack 1100"}},
        {"posted early, waited for before the header",
         RANKS_2(SEND("100b", "0"), POSTED("100b", "50")),
         EITHER,
         301,
         "0 100 200, 200 300 300",
         {"stack 100", "compute 50, sync 100, network 200, stack 300, compute 301"}},
        {"posted early, waited for while it is under way",
         RANKS_2(SEND("100b", "0"), POSTED("100b", "150")),
         EITHER,
         301,
         "0 100 200, 200 300 300",
         {"stack 100", "compute 150, network 200, stack 300, compute 301"}},
        {"posted early, waited for late: the copy is hidden",
         RANKS_2(SEND("100b", "0"), POSTED("100b", "5000")),
         ASYNC,
         5001,
         "0 100 200, 200 300 300",
         {"stack 100", "compute 5001"}},
        {"posted early, waited for late: the copy waits",
         RANKS_2(SEND("100b", "0"), POSTED("100b", "5000")),
         IN_CALL,
         5101,
         "0 100 200, 5000 5100 5100",
         {"stack 100", "compute 5000, stack 5100, compute 5101"}},
        {"begun early, waited for late",
         RANKS_2(BEGUN("100b", "3000"), RECV("100b", "1000")),
         EITHER,
         3101,
         "0 100 200, 1000 1100 1100",
         {"stack 100, compute 3101", "compute 1000, stack 1100"}},
        {"to itself", SELF("100b"), EITHER, 200, "0 100 100, 100 200 200", {"stack 200"}},
        {"to itself, posted early",
         SELF_POSTED("100b"),
         EITHER,
         1200,
         "1000 1100 1100, 1100 1200 1200",
         {"compute 1000, stack 1200"}},
        {"to itself, posted late",
         SELF_LATE("100b"),
         EITHER,
         1200,
         "0 100 100, 1100 1200 1200",
         {"stack 100, compute 1100, stack 1200"}}};
    check_rdma(hands, N_OF(hands), "mailbox");
}

/* Header 100, 50 under way, nothing to copy. */
static void test_mailbox_without_bytes(void **state)
{
    (void)state;
    static const struct hand hands[] = {
        {"together",
         BOTH("0b", "0", "0"),
         EITHER,
         150,
         "0 100 150, 150 150 150",
         {"stack 100", "sync 100, network 150"}},
        {"receiver first",
         BOTH("0b", "1000", "0"),
         EITHER,
         1150,
         "1000 1100 1150, 1150 1150 1150",
         {"compute 1000, stack 1100", "sync 1100, network 1150"}},
        {"sender first, posted while it is under way",
         BOTH("0b", "0", "120"),
         EITHER,
         150,
         "0 100 150, 150 150 150",
         {"stack 100", "compute 120, network 150"}},
        {"sender first, posted when it is there",
         BOTH("0b", "0", "1000"),
         EITHER,
         1000,
         "0 100 150, 1000 1000 1000",
         {"stack 100", "compute 1000"}},
        {"posted early, waited for late",
         RANKS_2(SEND("0b", "0"), POSTED("0b", "5000")),
         ASYNC,
         5001,
         "0 100 150, 150 150 150",
         {"stack 100", "compute 5001"}},
        {"posted early, waited for late",
         RANKS_2(SEND("0b", "0"), POSTED("0b", "5000")),
         IN_CALL,
         5001,
         "0 100 150, 5000 5000 5000",
         {"stack 100", "compute 5001"}},
        {"to itself", SELF("0b"), EITHER, 100, "0 100 100, 100 100 100", {"stack 100"}},
        {"to itself, posted early",
         SELF_POSTED("0b"),
         EITHER,
         1100,
         "1000 1100 1100, 1100 1100 1100",
         {"compute 1000, stack 1100"}},
        {"to itself, posted late",
         SELF_LATE("0b"),
         EITHER,
         1100,
         "0 100 100, 1100 1100 1100",
         {"stack 100, compute 1100"}}};
    check_rdma(hands, N_OF(hands), "mailbox");
}

/* 1000 B: copy 1000 and header 100, 50, RDMA 200, 50, 500 + 50, copy 1000. */
static void test_eager(void **state)
{
    (void)state;
    static const struct hand hands[] = {
        {"together",
         BOTH("1000b", "0", "0"),
         EITHER,
         2950,
         "0 1100 1150, 1150 1350 1400, 1400 1400 1950, 1950 2950 2950",
         {"stack 1100", "sync 1100, network 1150, stack 1350, network 1950, stack 2950"}},
        {"receiver first",
         BOTH("1000b", "500", "0"),
         EITHER,
         3450,
         "500 1600 1650, 1650 1850 1900, 1900 1900 2450, 2450 3450 3450",
         {"compute 500, stack 1600",
          "sync 1600, network 1650, stack 1850, network 2450, stack 3450"}},
        {"sender first, posted while the header is under way",
         BOTH("1000b", "0", "1120"),
         EITHER,
         2950,
         "0 1100 1150, 1150 1350 1400, 1400 1400 1950, 1950 2950 2950",
         {"stack 1100", "compute 1120, network 1150, stack 1350, network 1950, stack 2950"}},
        {"sender first, posted while the get is under way",
         BOTH("1000b", "0", "1500"),
         ASYNC,
         2950,
         "0 1100 1150, 1150 1350 1400, 1400 1400 1950, 1950 2950 2950",
         {"stack 1100", "compute 1500, network 1950, stack 2950"}},
        {"sender first, posted when it is there",
         BOTH("1000b", "0", "5000"),
         ASYNC,
         6000,
         "0 1100 1150, 1150 1350 1400, 1400 1400 1950, 5000 6000 6000",
         {"stack 1100", "compute 5000, stack 6000"}},
        {"sender first, posted late: the get waits",
         BOTH("1000b", "0", "5000"),
         IN_CALL,
         6800,
         "0 1100 1150, 5000 5200 5250, 5250 5250 5800, 5800 6800 6800",
         {"stack 1100", "compute 5000, stack 5200, network 5800, stack 6800"}},
        {"posted early, waited for before the header",
         RANKS_2(SEND("1000b", "0"), POSTED("1000b", "600")),
         EITHER,
         2951,
         "0 1100 1150, 1150 1350 1400, 1400 1400 1950, 1950 2950 2950",
         {"stack 1100", "compute 600, sync 1100, network 1150, stack 1350, network 1950, stack "
                        "2950, compute 2951"}},
        {"posted early, waited for while the get is under way",
         RANKS_2(SEND("1000b", "0"), POSTED("1000b", "1500")),
         ASYNC,
         2951,
         "0 1100 1150, 1150 1350 1400, 1400 1400 1950, 1950 2950 2950",
         {"stack 1100", "compute 1500, network 1950, stack 2950, compute 2951"}},
        {"posted early, the get waits",
         RANKS_2(SEND("1000b", "0"), POSTED("1000b", "1500")),
         IN_CALL,
         3301,
         "0 1100 1150, 1500 1700 1750, 1750 1750 2300, 2300 3300 3300",
         {"stack 1100", "compute 1500, stack 1700, network 2300, stack 3300, compute 3301"}},
        {"posted early, waited for late: all is hidden",
         RANKS_2(SEND("1000b", "0"), POSTED("1000b", "5000")),
         ASYNC,
         5001,
         "0 1100 1150, 1150 1350 1400, 1400 1400 1950, 1950 2950 2950",
         {"stack 1100", "compute 5001"}},
        {"begun early, waited for late",
         RANKS_2(BEGUN("1000b", "3000"), RECV("1000b", "500")),
         EITHER,
         4101,
         "0 1100 1150, 1150 1350 1400, 1400 1400 1950, 1950 2950 2950",
         {"stack 1100, compute 4101",
          "compute 500, sync 1100, network 1150, stack 1350, network 1950, stack 2950"}},
        {"to itself",
         SELF("1000b"),
         EITHER,
         2300,
         "0 1100 1100, 1100 1300 1300, 1300 1300 1300, 1300 2300 2300",
         {"stack 2300"}},
        {"to itself, posted early",
         SELF_POSTED("1000b"),
         EITHER,
         3300,
         "1000 2100 2100, 2100 2300 2300, 2300 2300 2300, 2300 3300 3300",
         {"compute 1000, stack 3300"}},
        {"to itself, posted late",
         SELF_LATE("1000b"),
         ASYNC,
         3100,
         "0 1100 1100, 1100 1300 1300, 1300 1300 1300, 2100 3100 3100",
         {"stack 1100, compute 2100, stack 3100"}},
        {"to itself, posted late: the get waits",
         SELF_LATE("1000b"),
         IN_CALL,
         3300,
         "0 1100 1100, 2100 2300 2300, 2300 2300 2300, 2300 3300 3300",
         {"stack 1100, compute 2100, stack 3300"}}};
    check_rdma(hands, N_OF(hands), "eager");
}

/* 8192 B: pin 1020 and header 100, 50, pin 1020 and RDMA 200, 50, 4096 + 50, 50 back. */
static void test_rendezvous(void **state)
{
    (void)state;
    static const struct hand hands[] = {
        {"together",
         BOTH("8192b", "0", "0"),
         EITHER,
         6636,
         "0 1120 1170, 1170 2390 2440, 2440 2440 6586, 6586 6586 6636, 6636 6636 6636",
         {"stack 1120, network 1170, stack 2390, network 6636",
          "sync 1120, network 1170, stack 2390, network 6586"}},
        {"receiver first",
         BOTH("8192b", "2000", "0"),
         EITHER,
         8636,
         "2000 3120 3170, 3170 4390 4440, 4440 4440 8586, 8586 8586 8636, 8636 8636 8636",
         {"compute 2000, stack 3120, network 3170, stack 4390, network 8636",
          "sync 3120, network 3170, stack 4390, network 8586"}},
        {"sender first, posted while the header is under way",
         BOTH("8192b", "0", "1140"),
         EITHER,
         6636,
         "0 1120 1170, 1170 2390 2440, 2440 2440 6586, 6586 6586 6636, 6636 6636 6636",
         {"stack 1120, sync 1140, network 1170, stack 2390, network 6636",
          "compute 1140, network 1170, stack 2390, network 6586"}},
        {"sender first, posted late",
         BOTH("8192b", "0", "5000"),
         EITHER,
         10466,
         "0 1120 1170, 5000 6220 6270, 6270 6270 10416, 10416 10416 10466, 10466 10466 10466",
         {"stack 1120, sync 5000, stack 6220, network 10466",
          "compute 5000, stack 6220, network 10416"}},
        {"posted early, waited for before the header",
         RANKS_2(SEND("8192b", "0"), POSTED("8192b", "500")),
         EITHER,
         6636,
         "0 1120 1170, 1170 2390 2440, 2440 2440 6586, 6586 6586 6636, 6636 6636 6636",
         {"stack 1120, network 1170, stack 2390, network 6636",
          "compute 500, sync 1120, network 1170, stack 2390, network 6586, compute 6587"}},
        {"posted early, waited for late",
         RANKS_2(SEND("8192b", "0"), POSTED("8192b", "5000")),
         ASYNC,
         6636,
         "0 1120 1170, 1170 2390 2440, 2440 2440 6586, 6586 6586 6636, 6636 6636 6636",
         {"stack 1120, network 1170, stack 2390, network 6636",
          "compute 5000, network 6586, compute 6587"}},
        {"posted early, waited for late: the request waits, and the sender for it",
         RANKS_2(SEND("8192b", "0"), POSTED("8192b", "5000")),
         IN_CALL,
         10466,
         "0 1120 1170, 5000 6220 6270, 6270 6270 10416, 10416 10416 10466, 10466 10466 10466",
         {"stack 1120, network 1170, sync 5000, stack 6220, network 10466",
          "compute 5000, stack 6220, network 10416, compute 10417"}},
        {"begun early, waited for late",
         RANKS_2(BEGUN("8192b", "3000"), RECV("8192b", "5000")),
         EITHER,
         10467,
         "0 1120 1170, 5000 6220 6270, 6270 6270 10416, 10416 10416 10466, 10466 10466 10466",
         {"stack 1120, compute 4120, sync 5000, stack 6220, network 10466, compute 10467",
          "compute 5000, stack 6220, network 10416"}},
        {"to itself",
         SELF("8192b"),
         EITHER,
         2340,
         "0 1120 1120, 1120 2340 2340, 2340 2340 2340, 2340 2340 2340, 2340 2340 2340",
         {"stack 2340"}},
        {"to itself, posted early",
         SELF_POSTED("8192b"),
         EITHER,
         3340,
         "1000 2120 2120, 2120 3340 3340, 3340 3340 3340, 3340 3340 3340, 3340 3340 3340",
         {"compute 1000, stack 3340"}},
        {"to itself, posted late",
         SELF_LATE("8192b"),
         EITHER,
         3340,
         "0 1120 1120, 2120 3340 3340, 3340 3340 3340, 3340 3340 3340, 3340 3340 3340",
         {"stack 1120, compute 2120, stack 3340"}}};
    check_rdma(hands, N_OF(hands), "rendezvous");
}

/* 401 B: o 700, 100 + 3000 under way, o 700; without bytes 3000 under way. */
static void test_loggps_eager(void **state)
{
    (void)state;
    static const struct hand hands[] = {
        {"together",
         BOTH("401b", "0", "0"),
         ASYNC,
         4500,
         "0 700 3800, 3800 4500 4500",
         {"stack 700", "sync 700, network 3800, stack 4500"}},
        {"receiver first",
         BOTH("401b", "1000", "0"),
         ASYNC,
         5500,
         "1000 1700 4800, 4800 5500 5500",
         {"compute 1000, stack 1700", "sync 1700, network 4800, stack 5500"}},
        {"sender first, posted while it is under way",
         BOTH("401b", "0", "2000"),
         ASYNC,
         4500,
         "0 700 3800, 3800 4500 4500",
         {"stack 700", "compute 2000, network 3800, stack 4500"}},
        {"sender first, posted when it is there",
         BOTH("401b", "0", "10000"),
         ASYNC,
         10700,
         "0 700 3800, 10000 10700 10700",
         {"stack 700", "compute 10000, stack 10700"}},
        {"posted early, waited for before it leaves",
         RANKS_2(SEND("401b", "0"), POSTED("401b", "500")),
         ASYNC,
         4501,
         "0 700 3800, 3800 4500 4500",
         {"stack 700", "compute 500, sync 700, network 3800, stack 4500, compute 4501"}},
        {"posted early, waited for late",
         RANKS_2(SEND("401b", "0"), POSTED("401b", "6000")),
         ASYNC,
         6001,
         "0 700 3800, 3800 4500 4500",
         {"stack 700", "compute 6001"}},
        {"begun early, waited for late",
         RANKS_2(BEGUN("401b", "3000"), RECV("401b", "500")),
         ASYNC,
         4500,
         "0 700 3800, 3800 4500 4500",
         {"stack 700, compute 3701", "compute 500, sync 700, network 3800, stack 4500"}},
        {"to itself", SELF("401b"), ASYNC, 1400, "0 700 700, 700 1400 1400", {"stack 1400"}},
        {"to itself, posted early",
         SELF_POSTED("401b"),
         ASYNC,
         2400,
         "1000 1700 1700, 1700 2400 2400",
         {"compute 1000, stack 2400"}},
        {"to itself, posted late",
         SELF_LATE("401b"),
         ASYNC,
         2400,
         "0 700 700, 1700 2400 2400",
         {"stack 700, compute 1700, stack 2400"}},
        {"without bytes, together",
         BOTH("0b", "0", "0"),
         ASYNC,
         4400,
         "0 700 3700, 3700 4400 4400",
         {"stack 700", "sync 700, network 3700, stack 4400"}},
        {"without bytes, receiver first",
         BOTH("0b", "1000", "0"),
         ASYNC,
         5400,
         "1000 1700 4700, 4700 5400 5400",
         {"compute 1000, stack 1700", "sync 1700, network 4700, stack 5400"}},
        {"without bytes, sender first",
         BOTH("0b", "0", "10000"),
         ASYNC,
         10700,
         "0 700 3700, 10000 10700 10700",
         {"stack 700", "compute 10000, stack 10700"}},
        {"without bytes, to itself",
         SELF("0b"),
         ASYNC,
         1400,
         "0 700 700, 700 1400 1400",
         {"stack 1400"}}};
    check_loggps(hands, N_OF(hands), "eager");
}

/* 40001 B: o, 3000 to the receiver, o, 3000 back, o, 10000 until the last byte has left, 3000, o.
 */
static void test_loggps_rendezvous(void **state)
{
    (void)state;
    static const struct hand hands[] = {
        {"together",
         BOTH("40001b", "0", "0"),
         ASYNC,
         21800,
         "0 700 3700, 3700 4400 7400, 7400 8100 21100, 21100 21800 21800",
         {"stack 700, network 3700, stack 4400, network 7400, stack 8100, network 18100",
          "sync 700, network 3700, stack 4400, network 7400, stack 8100, network 21100, stack "
          "21800"}},
        {"receiver first",
         BOTH("40001b", "1000", "0"),
         ASYNC,
         22800,
         "1000 1700 4700, 4700 5400 8400, 8400 9100 22100, 22100 22800 22800",
         {"compute 1000, stack 1700, network 4700, stack 5400, network 8400, stack 9100, network "
          "19100",
          "sync 1700, network 4700, stack 5400, network 8400, stack 9100, network 22100, stack "
          "22800"}},
        {"sender first, posted while the request is under way",
         BOTH("40001b", "0", "2000"),
         ASYNC,
         21800,
         "0 700 3700, 3700 4400 7400, 7400 8100 21100, 21100 21800 21800",
         {"stack 700, sync 2000, network 3700, stack 4400, network 7400, stack 8100, network 18100",
          "compute 2000, network 3700, stack 4400, network 7400, stack 8100, network 21100, stack "
          "21800"}},
        {"sender first, posted late",
         BOTH("40001b", "0", "10000"),
         ASYNC,
         28100,
         "0 700 3700, 10000 10700 13700, 13700 14400 27400, 27400 28100 28100",
         {"stack 700, sync 10000, stack 10700, network 13700, stack 14400, network 24400",
          "compute 10000, stack 10700, network 13700, stack 14400, network 27400, stack 28100"}},
        {"posted early, waited for late",
         RANKS_2(SEND("40001b", "0"), POSTED("40001b", "6000")),
         ASYNC,
         21801,
         "0 700 3700, 3700 4400 7400, 7400 8100 21100, 21100 21800 21800",
         {"stack 700, network 3700, stack 4400, network 7400, stack 8100, network 18100",
          "compute 6000, network 7400, stack 8100, network 21100, stack 21800, compute 21801"}},
        {"begun early, waited for late",
         RANKS_2(BEGUN("40001b", "10000"), RECV("40001b", "500")),
         ASYNC,
         21800,
         "0 700 3700, 3700 4400 7400, 7400 8100 21100, 21100 21800 21800",
         {"stack 700, compute 10700, network 18100, compute 18101",
          "compute 500, sync 700, network 3700, stack 4400, network 7400, stack 8100, network "
          "21100, stack 21800"}},
        {"to itself",
         SELF("40001b"),
         ASYNC,
         2800,
         "0 700 700, 700 1400 1400, 1400 2100 2100, 2100 2800 2800",
         {"stack 2800"}},
        {"to itself, posted early",
         SELF_POSTED("40001b"),
         ASYNC,
         3800,
         "1000 1700 1700, 1700 2400 2400, 2400 3100 3100, 3100 3800 3800",
         {"compute 1000, stack 3800"}},
        {"to itself, posted late",
         SELF_LATE("40001b"),
         ASYNC,
         3800,
         "0 700 700, 1700 2400 2400, 2400 3100 3100, 3100 3800 3800",
         {"stack 700, compute 1700, stack 3800"}}};
    check_loggps(hands, N_OF(hands), "rendezvous");
}

/* Over sockets: the data, an acknowledgement, and word that this was the end. A rank that computes
 * takes the request once it has posted its own send. */
static void test_sockets_rendezvous(void **state)
{
    (void)state;
    static const struct hand hands[] = {
        {"together",
         BOTH("40001b", "0", "0"),
         IN_CALL,
         29200,
         "0 700 3700, 3700 4400 7400, 7400 8100 21100, 21100 21800 24800, 24800 25500 28500, "
         "28500 29200 29200",
         {"stack 700, network 3700, stack 4400, network 7400, stack 8100, network 21100, stack "
          "21800, network 24800, stack 25500",
          "sync 700, network 3700, stack 4400, network 7400, stack 8100, network 21100, stack "
          "21800, network 24800, stack 25500, network 28500, stack 29200"}},
        {"both send, one after a computation",
         RANKS_2("r: recv 40001b from 1 tag 0\ns: send 40001b to 1 tag 0\n",
                 "c: calc 10000\nr: recv 40001b from 0 tag 0\nr requires c\n"
                 "s: send 40001b to 0 tag 0\ns requires c\n"),
         IN_CALL,
         39200,
         "0 700 3700, 10700 11400 14400, 14400 15100 28100, 28100 28800 31800, 31800 32500 35500, "
         "35500 36200 36200",
         {"stack 700, sync 10700, network 13700, stack 15100, network 17400, stack 18100, network "
          "31100, stack 32500, network 34800, stack 35500, network 38500, stack 39200",
          "compute 10000, stack 11400, network 14400, stack 15100, network 17400, stack 18100, "
          "network 28100, stack 28800, network 31800, stack 32500, network 34800, stack 36200"}}};
    const struct ct_simulate_network_setup network = switch_of(1, 1);
    const struct ct_stack stack = ct_stack_sockets(&somewhere, 1000, NULL);
    for (size_t i = 0; i < N_OF(hands); i++)
        check_hand(&hands[i], &stack, &network, "rendezvous");
}

/* A message without bytes is one of the first protocol, whatever the limits are. */
static void test_no_bytes_is_first(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    parameters.mailbox_max_bytes = parameters.eager_max_bytes = 0;
    const struct ct_stack rdma = ct_stack_rdma(&parameters);
    const struct ct_stack loggps = ct_stack_loggps(&somewhere, 0, NULL);
    assert_int_equal(ct_stack_protocol_of(&rdma, 0), 0);
    assert_int_equal(ct_stack_protocol_of(&rdma, 1), 2);
    assert_int_equal(ct_stack_protocol_of(&loggps, 0), 0);
    assert_int_equal(ct_stack_protocol_of(&loggps, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mailbox),
        cmocka_unit_test(test_mailbox_without_bytes),
        cmocka_unit_test(test_eager),
        cmocka_unit_test(test_rendezvous),
        cmocka_unit_test(test_loggps_eager),
        cmocka_unit_test(test_loggps_rendezvous),
        cmocka_unit_test(test_sockets_rendezvous),
        cmocka_unit_test(test_no_bytes_is_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
