#!/usr/bin/env bash
# The session of docs/tutorial.md in a lab, about seven minutes.
#
#   scripts/tutorial.sh [DIR]        crosstalk and its programs in PATH; files of the session go to DIR
#
# Measures what DIR does not have, and puts what the commands print into docs/tutorial.md, below their
# lines <!-- output: NAME -->. The text around them has numbers of the session too: read it again afterwards.
set -eu
source_dir=$(cd "$(dirname "$0")/.." && pwd)
tutorial=$source_dir/docs/tutorial.md
work=${1:-$(mktemp -d)}
mkdir -p "$work"
cd "$work"
export CROSSTALK_LAB=tutorial LC_ALL=C
# Ranks sleep until a packet comes, so that the network and not the processors decide.
sleeping="env CROSSTALK_LAB_POLL_US=100000"
app="workload milc --compute-time 40ms --iterations 30"
corunner="workload fft --compute-time 300ms --iterations 4"

has_lab=
need_lab() {
    [ -z "$has_lab" ] || return 0
    crosstalk lab up --hosts 8 --rate 5mbit --quiet
    has_lab=yes
    trap 'crosstalk lab down --quiet' EXIT
}
in_lab() { # [OPTION...] -- PROGRAM...
    need_lab
    crosstalk lab mpiexec --deadline 120s "$@"
}
trace() { # folder, command
    need_lab
    # shellcheck disable=SC2086 # several words
    crosstalk trace -o "$1" -- crosstalk lab mpiexec --quiet -- $sleeping $2 --quiet >/dev/null
}

# output NAME FILTER COMMAND...: into the document what a command prints, without its provenance.
output() {
    local name=$1 filter=$2
    shift 2
    "$@" >"$name.full"
    sed '/^#/d' "$name.full" | sed '/./,$!d' | sed -n "$filter" >"$name.txt"
    [ -s "$name.txt" ] || { echo "tutorial.sh: $filter leaves nothing of what '$*' prints: see $work/$name.full" >&2; exit 1; }
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

[ -d traces ] || trace traces "$app"
[ -e logp.h5 ] || in_lab -n 2 -- logpb --output logp.h5 --quiet >/dev/null
[ -e idle.h5 ] || in_lab -- impactb --time 30s --label '' --output idle.h5 --quiet >/dev/null
if ! [ -e fft.h5 ]; then
    # shellcheck disable=SC2086
    in_lab -- $sleeping $corunner --loop --time 100s --quiet >/dev/null &
    sleep 3
    in_lab -- impactb --time 30s --label fft --output fft.h5 --quiet >/dev/null
    kill -INT $!
    wait $! || true
fi
[ -d fft-traces ] || trace fft-traces "$corunner"
cat >campaign.yaml <<YAML
campaign: tutorial
seed: 1
launcher: {kind: lab, lab: tutorial, hosts: 8, rate: 5mbit}
durations: {impact: 20s, runtime: 10s, settle: 1s, deadline_factor: 4, logp: 25s}
repetitions: {idle: 1, baseline: 3, impact: 1, corun: 2}
logp: idle
trace: true
applications:
  - {name: milc, command: "$sleeping $app"}
  - {name: fft, command: "$sleeping $corunner"}
YAML
if [ "$(crosstalk campaign status results 2>/dev/null | awk '$1 == "missing" { print $2 }')" != 0 ]; then
    need_lab
    crosstalk campaign run campaign.yaml -o results --quiet
fi

output trace '/^ranks  /,/^allgather/p' crosstalk trace --check traces
output goal p crosstalk goal traces
output logp '/^Parameters/,/^G per/p' crosstalk show logp.h5
output tolerance p tolerance --plot tolerance.svg
cp tolerance.svg "$source_dir/docs/pictures/tolerance.svg"
output ring '/^Latency tolerance/,/^Traced/p' tolerance --collectives allreduce=ring
output parameters '/^Parameters/,/^S /p' tolerance --all
output impact '/^traces tolerates/,/^slowdown/p' tolerance --idle idle.h5 --impact fft.h5
output simulate '/^schedule  *ranks/,/^fft-traces/p; /^Together/p' crosstalk simulate traces fft-traces --logp logp.h5
output campaign p crosstalk predict results --seed 1
echo "the session is in $work"
