/**
 * What a finder knows: finder.c tests what was seen, finder_alarms.c has what its tests decided,
 * finder_state.c says it. Internal.
 */
#pragma once

#include "watch/find/detector.h"
#include "watch/find/finder.h"
#include "watch/find/healthy.h"
#include "watch/find/recent.h"

enum { CT_FINDER_UNKNOWN_MAX = 4, CT_FINDER_LATE_MAX = 64, CT_FINDER_WAITS_MAX = 128 };
#define CT_FINDER_NONE UINT32_MAX
#define CT_FINDER_SECOND_NS INT64_C(1000000000)
#define CT_FINDER_DAY_S INT64_C(86400)

/* Yes and no of a direction or a host. */
struct ct_finder_stream {
    struct ct_detector detector;
    uint32_t n, bad; /* of the window of learning */
    double others;   /* sum of the share of other hosts that were late as well */
};

enum ct_lateness { CT_HOLD, CT_LATE, CT_N_LATENESS };

/* From when a message was there, or due, until its host looked at it. */
struct ct_finder_wait {
    int64_t begin_unix_ns, end_unix_ns;
};

struct ct_finder_member {
    uint32_t node;        /* CT_FINDER_NONE: not in the topology */
    int64_t last_unix_ns; /* of what it asked; 0: nothing since the date was set back */
    struct ct_finder_stream streams[CT_N_LATENESS];
    /* Number i at i % CT_FINDER_WAITS_MAX. Reports of other hosts come a second later than its own.
     */
    struct ct_finder_wait waits[CT_FINDER_WAITS_MAX];
    uint64_t n_waits;
};

/* Of the newest observations of any host. */
struct ct_finder_late {
    uint32_t host;
    bool is_late;
};

/* What a test asks, of all directions or all hosts. */
struct ct_finder_question {
    struct ct_detector_bets bets;
    double worst_frac; /* of a window of learning */
    uint64_t n_windows;
    uint64_t n, bad;    /* in learning */
    double asked_again; /* evidence at which suspects were looked for in vain */
};

struct ct_finder_lasting {
    size_t alarm;              /* index */
    struct ct_explain what;    /* how its suspects were found */
    enum ct_lateness lateness; /* HOST */
    bool by_lateness;
    uint32_t node;         /* of a host that has a place; else CT_FINDER_NONE */
    int64_t lost_unix_ns;  /* last loss */
    uint64_t passed, lost; /* since it was raised: what raised it has more losses than usual */
    uint64_t bad;          /* since it was raised, of its kind */
    struct ct_detector ending;
    struct ct_detector_bets bets;
};

enum ct_finder_phase { CT_FINDER_FLOORS, CT_FINDER_SHARES, CT_FINDER_WATCHING };

/* One struct: each observation goes through all of it. */
struct ct_watch_finder {
    const struct ct_topology *topology;
    struct ct_watch_rules rules;
    enum ct_finder_phase phase;
    int64_t begun_unix_ns, now_unix_ns;
    uint64_t n_tested; /* in the second half of learning */
    double log_threshold;
    uint64_t n_unlisted; /* samples left out */
    bool knows_one_way;  /* what healthy paths take there and back, of most classes */

    struct ct_recent recent;
    struct ct_healthy healthy;
    struct ct_reservoir lateness[CT_N_LATENESS];
    double late_s[CT_N_LATENESS];
    struct ct_finder_late late[CT_FINDER_LATE_MAX]; /* number i at i % CT_FINDER_LATE_MAX */
    uint64_t n_late;
    struct ct_finder_stream *streams[CT_SEEN_N_KINDS]; /* [2 n_links] */
    struct ct_finder_question questions[CT_SEEN_N_KINDS], host_questions[CT_N_LATENESS];
    struct {
        struct ct_map numbers; /* of a switch and the node that it sends to */
        struct ct_finder_stream *streams;
        size_t n, room;
        struct ct_finder_question question;
    } flows; /* small messages one way: a wrong route is lost among all that pass its links */

    struct ct_finder_member *members; /* [n_hosts] */
    struct ct_watch_host *hosts;
    size_t n_hosts;
    struct ct_watch_alarm *alarms; /* oldest first */
    size_t n_alarms, alarms_room;
    struct ct_finder_lasting *lasting;
    size_t n_lasting, lasting_room;
    uint64_t next_id;

    struct ct_watch_state state;
    struct ct_watch_alarm *shown; /* newest first */
    struct ct_watch_class *classes;
    struct ct_watch_wait *waits;
    char unknown_text[CT_FINDER_UNKNOWN_MAX][160];
    const char *unknown[CT_FINDER_UNKNOWN_MAX];
};

/** The vertex at an end of a direction. @param far  [in] where messages arrive */
static inline uint32_t ct_finder_end(const struct ct_topology *topology, uint32_t direction,
                                     bool far)
{
    return topology->links[direction / 2].end[(direction % 2 == 0) == far];
}

/** Whether a time is less than this ago, or as much ahead: dates may be set back. */
static inline bool ct_finder_is_near(const struct ct_watch_finder *finder, int64_t unix_ns,
                                     int64_t time_s)
{
    int64_t ago_ns = finder->now_unix_ns - unix_ns;
    return ago_ns < time_s * CT_FINDER_SECOND_NS && -ago_ns < time_s * CT_FINDER_SECOND_NS;
}

/**
 * A test of what passes a direction has decided: find what explains it, and begin an alarm; or wait
 * for more, where more than CT_WATCH_SUSPECTS_MAX explain it.
 * @param seen       [in] what decided
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_finder_raise(struct ct_watch_finder *finder, const struct ct_seen *seen,
                               struct ct_finder_question *question,
                               const struct ct_detector *detector, uint32_t direction,
                               struct ct_error *err);

/** The same of a host that sends or answers late. */
enum ct_status ct_finder_raise_host(struct ct_watch_finder *finder, uint32_t host,
                                    enum ct_lateness lateness, struct ct_error *err);

/** What was seen may end an alarm that explains it, or leave it fewer suspects.
 * @return the id of the alarm; 0: of none; CT_RECENT_BY_SEVERAL */
uint64_t ct_finder_explains(struct ct_watch_finder *finder, const struct ct_seen *seen);

/** Whether an alarm of the host lasts, which its lateness may end. */
bool ct_finder_explains_late(struct ct_watch_finder *finder, uint32_t host,
                             enum ct_lateness lateness, bool is_late);
