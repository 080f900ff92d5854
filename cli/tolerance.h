/** crosstalk tolerance: what is asked, and the views beside the tolerances themselves. */
#pragma once

#include "cli/graph_input.h"
#include "cli/latency_effect.h"
#include "cli/pair_settings.h"
#include "cli/thresholds.h"
#include "cli/wire_options.h"

/** What T is a function of. */
enum ct_pieces_axis { CT_OVER_L, CT_OVER_WIRE, CT_OVER_SWITCH, CT_OVER_ADDED, CT_PIECES_AXES };

/** What tolerances are of. */
enum ct_tolerance_axis { CT_ALONG_L, CT_ALONG_G, CT_ALONG_FACTOR };

struct ct_along {
    enum ct_tolerance_axis axis;
    struct ct_growth growth; /**< of a factor; the largest is 1 */
};

/** What finds them: the exact method, or a linear program. */
enum ct_tolerance_solver { CT_SOLVER_ENVELOPE, CT_SOLVER_CLP };

struct ct_pieces_interval {
    double min_s, max_s; /**< NaN: not given */
};

struct ct_tolerance_settings {
    struct ct_thresholds thresholds;
    bool has_thresholds; /**< they were given */
    int solver;          /**< enum ct_tolerance_solver */
    struct ct_along along;
    const char *from, *to; /**< machine of the table, or run of logpb; NULL: not given */
    bool critical_path, compare_collectives, pieces;
    struct ct_pieces_interval over[CT_PIECES_AXES];
    const char *lp_path, *plot_path;
    struct ct_machine_settings machine;
    struct ct_graph_settings graph;
    struct ct_effect_settings effect;
    struct ct_answer_settings answer;
};

/** Options are of struct ct_tolerance_settings. */
extern const struct ct_command ct_tolerance_command;

/** A command line; borrowed. */
struct ct_tolerance_question {
    const struct ct_command *command;
    const struct ct_tolerance_settings *settings;
    struct ct_input input;
};

/** The parameters of the question, with replicates, and the graph of its program; both are to be
 * freed, also on error. @return as ct_model_parameters(), ct_graph_load() */
enum ct_status ct_tolerance_load(const struct ct_tolerance_question *question,
                                 struct ct_parameters *model_p, struct ct_graph *graph_p,
                                 struct ct_error *err);

/** Tables of an answer, with its provenance: ct_graph_tables(). */
struct ct_tables *ct_tolerance_tables(const struct ct_tolerance_question *question,
                                      const struct ct_graph *graph);

/**
 * Whether the options go together: a view does not answer what others do.
 * @return CT_OK; CT_EUSAGE, with the first one that is given and not for the view
 */
enum ct_status ct_tolerance_check(const struct ct_tolerance_settings *settings, bool is_of_several,
                                  struct ct_error *err);

/** Row groups --L-min and so on; offsets in struct ct_tolerance_settings. */
extern const struct ct_option ct_pieces_options[];

/** Whether one of these is given. */
bool ct_pieces_has_interval(const struct ct_tolerance_settings *settings);

/** --pieces: print T as an exact function of a latency over an interval. @return as ct_pair_open()
 */
enum ct_status ct_pieces_answer(const struct ct_tolerance_question *question, struct ct_error *err);

/** --along G: print how much bandwidth the program can lose, and how much beside more latency.
 *  @return as ct_pair_open(), ct_plot_write() */
enum ct_status ct_gap_answer(const struct ct_tolerance_question *question, struct ct_error *err);

/** Parse what grows together: "o", "L,G=2"; field is a struct ct_along. */
enum ct_status ct_along_parse(const char *text, void *field, struct ct_error *err);

/** --along of anything but L or G alone: print by which factor it may grow.
 *  @return as ct_pair_open() */
enum ct_status ct_growth_answer(const struct ct_tolerance_question *question, struct ct_error *err);

/** --to: print run time and tolerances on the network of a machine beside those here.
 *  @return as ct_pair_open() */
enum ct_status ct_network_answer(const struct ct_tolerance_question *question,
                                 struct ct_error *err);

/** Several operands: print run time and tolerances of each, and how they differ.
 *  @param paths  [in] n >= 2 traces or schedules  @return as ct_pair_open() */
enum ct_status ct_traces_answer(const struct ct_tolerance_question *question, char **paths,
                                size_t n, struct ct_error *err);

/** --progress both: print run time and tolerances if every step of a message goes on at once, and
 * if it waits until its rank is in MPI. @return as ct_pair_open() */
enum ct_status ct_bounds_answer(const struct ct_tolerance_question *question, struct ct_error *err);

/** --pairs: print run time and tolerances by pairs of nodes. @return as ct_pair_open() */
enum ct_status ct_pairs_answer(const struct ct_tolerance_question *question, struct ct_error *err);

/** --write-lp: write the linear program. @return as ct_pair_open(), ct_file_make() */
enum ct_status ct_lp_answer(const struct ct_tolerance_question *question, struct ct_error *err);
