#!/usr/bin/env bash
# The session of docs/tutorial.md in a lab, about four minutes on a machine that has nothing else to do.
#
#   scripts/tutorial.sh [DIR]        crosstalk and its programs in PATH; files of the session go to DIR
#
# Puts what the commands print into docs/tutorial.md, below their lines <!-- output: NAME -->. The text
# around them has numbers of the session too: read it again afterwards.
set -eu
source_dir=$(cd "$(dirname "$0")/.." && pwd)
tutorial=$source_dir/docs/tutorial.md
work=${1:-$(mktemp -d)}
mkdir -p "$work"
cd "$work"
export CROSSTALK_LAB=tutorial LC_ALL=C
crosstalk lab up --hosts 8 --rate 50mbit --quiet
trap 'crosstalk lab down --quiet' EXIT

in_lab() { # [OPTION...] -- PROGRAM...
    crosstalk lab mpiexec --deadline 120s "$@"
}

# output NAME FILTER COMMAND...: into the document what a command prints, without its provenance.
output() {
    local name=$1 filter=$2
    shift 2
    "$@" >"$name.full"
    sed '/^#/d' "$name.full" | sed '/./,$!d' | sed -n "$filter" >"$name.txt"
    awk -v name="$name" -v file="$name.txt" '
        { if (!skipping || !/^(    |$)/) { skipping = 0; print } }
        $0 == "<!-- output: " name " -->" {
            print ""
            while ((getline line < file) > 0)
                print line == "" ? "" : "    " line
            print ""
            skipping = 1
        }' "$tutorial" >tutorial.md
    cp tutorial.md "$tutorial"
}
tolerance() {
    crosstalk tolerance traces --serialize-nic --logp logp.h5 --seed 1 "$@"
}
answer='/^run time/,/^ *5.00/p'

output trace '/^ranks  /,/^allgather/p' crosstalk trace -o traces -- crosstalk lab mpiexec --quiet -- workload milc --iterations 75 --quiet
output goal p crosstalk goal traces
output logp '/^Parameters/,/^S is less/p' in_lab -n 2 -- logpb --output logp.h5 --quiet
output tolerance "$answer" tolerance --plot tolerance.svg
cp tolerance.svg "$source_dir/docs/pictures/tolerance.svg"
output ring "$answer" tolerance --collectives allreduce=ring
output parameters '/^Parameters/,/^S /p' tolerance

in_lab -- impactb --time 30s --label '' --output idle.h5 --quiet >/dev/null
in_lab -- workload fft --loop --time 100s --quiet >/dev/null &
sleep 3
in_lab -- impactb --time 30s --label fft --output fft.h5 --quiet >/dev/null
kill -INT $!
wait $! || true
output impact '/^beside/,/predicted slowdown/p' tolerance --idle idle.h5 --impact fft.h5

crosstalk trace -o fft-traces -- crosstalk lab mpiexec --quiet -- workload fft --iterations 30 --quiet >/dev/null
output simulate '/^schedule  *ranks/,/^fft-traces/p' crosstalk simulate traces fft-traces --logp logp.h5

cat >campaign.yaml <<'YAML'
campaign: tutorial
seed: 1
launcher: {kind: lab, lab: tutorial, hosts: 8, rate: 50mbit}
durations: {impact: 20s, runtime: 10s, settle: 1s, deadline_factor: 3}
repetitions: {idle: 1, baseline: 2, impact: 1, corun: 1}
applications:
  - {name: milc, command: "workload milc --iterations 75"}
  - {name: fft, command: "workload fft --iterations 30"}
YAML
crosstalk campaign run campaign.yaml -o results --quiet
output campaign '/^beside/,/predicted slowdown/p' tolerance --campaign results --app milc
echo "the session is in $work"
