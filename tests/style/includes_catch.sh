#!/usr/bin/env bash
# The include test must catch what it is there for: each line below, put into a tree, is refused.
set -u
source_dir=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
while IFS='|' read -r file include; do
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/$(dirname "$file")"
    printf '#include %s\n' "$include" >"$tree/$file"
    if bash "$source_dir/tests/style/includes.sh" "$tree" >/dev/null; then
        echo "not caught: $file including $include"
        failures=$((failures + 1))
    fi
done <<'LIST'
core/a.c|<mpi.h>
core/a.h|"results/run.h"
core/a.c|<gsl/gsl_rng.h>
core/a.c|<cjson/cJSON.h>
results/r.c|<gsl/gsl_rng.h>
results/r.c|<cjson/cJSON.h>
bench/common/b.c|<gsl/gsl_rng.h>
bench/impact/b.c|<gsl/gsl_rng.h>
bench/impact/b.c|<cjson/cJSON.h>
bench/logp/b.c|<gsl/gsl_rng.h>
bench/logp/b.c|"model/queue/queue.h"
model/loggp/l.c|<gsl/gsl_rng.h>
model/loggp/l.c|"model/queue/queue.h"
trace/t.c|<gsl/gsl_rng.h>
trace/pmpi/t.c|<cjson/cJSON.h>
model/queue/q.c|<hdf5.h>
model/queue/q.c|"predict/predict.h"
predict/p.c|"results/run.h"
predict/p.c|"simulate/replay.h"
simulate/s.c|<mpi.h>
calibrate/c.c|<hdf5.h>
calibrate/c.c|"study/study.h"
simulate/s.c|"calibrate/calibrate.h"
simulate/s.c|"predict/response.h"
lp-bridge/graph/g.c|"simulate/engine.h"
bench/impact/i.c|<hdf5.h>
bench/impact/i.c|"campaign/plan.h"
campaign/c.c|<mpi.h>
lab/l.c|"campaign/plan.h"
study/s.c|"campaign/folder.h"
predict/p.c|<xxhash.h>
study/s.c|"cli/analysis.h"
study/s.c|"lab/lab.h"
study/s.c|<hdf5.h>
report/r.c|"campaign/folder.h"
predict/p.c|"study/campaign.h"
libcrosstalk/l.c|<hdf5.h>
libcrosstalk/l.c|"cli/analysis.h"
study/s.c|"libcrosstalk/facade.h"
cli/x.c|<hdf5.h>
cli/x.c|<coin/Clp_C_Interface.h>
cli/x.c|<scotch.h>
LIST
[ "$failures" -eq 0 ] && echo "all violations are caught"
exit "$((failures > 0))"
