#!/usr/bin/env bash
# Command lines of commands.txt: exit code, stream, text. One row a case:
#   code | out or err | extended regular expression | command line
set -u
here=$(cd "$(dirname "$0")" && pwd)
PATH=${CROSSTALK_BIN:?}:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export COLUMNS=1000 # a row of the table is a line
cd "$work" || exit 1
printf 'not an HDF5 file\n' >foreign.h5
printf "SwitchName=a Switches=b\nSwitchName=b Switches=a\nSwitchName=c Nodes=n1\n" >loop.conf
printf "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nSwitchName=c Switches=a,b\n" >slurm.conf
printf 'switches:\n- {name: a, nodes: "n[0-1]", rate: 8gbit, latency: 1us}\n- {name: b, nodes: "n[2-3]", rate: 8gbit, latency: 1us}\nlinks:\n- {from: a, to: b, rate: 8gbit, latency: 5us}\n' >latency.yaml
printf 'switches:\n- {name: a, nodes: "n[0-1]", latency: 1us}\n- {name: b, nodes: "n[2-3]"}\nlinks:\n- {from: a, to: b, latency: 5us}\n' >partly.yaml
printf 'num_ranks 2\nrank 0 {\na: send 1b to 1 tag 0\nb: recv 1b from 1 tag 0\nb requires a\n}\nrank 1 {\na: recv 1b from 0 tag 0\nb: send 1b to 0 tag 0\nb requires a\n}\n' >inside.goal
printf 'num_ranks 3\nrank 0 {\na: send 1b to 2 tag 0\nb: recv 1b from 2 tag 0\nb requires a\n}\nrank 1 {\n}\nrank 2 {\na: recv 1b from 0 tag 0\nb: send 1b to 0 tag 0\nb requires a\n}\n' >across.goal
mkdir empty
printf 'num_ranks 2\nrank 0 {\na: send 8b to 1 tag 0\n}\nrank 1 {\n}\n' >open.goal
printf 'num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a\n}\n' >cycle.goal
printf 'num_ranks 1\nrank 0 {\na: calc 1\n}\n' >alone.goal
printf 'num_ranks 2\nrank 0 {\na: send 1b to 1 tag 0\n}\nrank 1 {\nb: recv 1b from 0 tag 0\n}\n' >pair.goal
printf 'num_ranks 1\nrank 0 {\n}\n' >empty.goal
printf 'num_ranks 2\nrank 0 {\na: calc 5000\nb: send 8192b to 1 tag 3000001203\nb requires a\n}\nrank 1 {\nrecv 8192b from 0 tag 3000001203\n}\n' >large.goal
printf 'hostname=node001\nnumprocs=2\nfileprefix=dumpi\nversion=1\n' >other.meta
mkdir smpi allprof2
printf '0 init\n0 send 1 0 1e6\n' >smpi/trace-0000.txt
printf 'MPI_Init:0.00:1:0x7ffe:0.00  # backtrace []\nMPI_Finalize:3000.00:3001.00  # backtrace []\n' >allprof2/lap2-trace-rank-0.txt
printf '\037\213\010\000' >packed.gz
printf '\324\303\262\241\002\000\004\000\000\000\000\000\000\000\000\000' >packets.otf2
printf '\357\273\277' | cat - pair.goal >marked.goal
: >nothing
printf 'S\000w\000i\000t\000' >wide.txt
printf 'num_ranks 2\nrank 0 {\nsend 8b to 7\n}\n' >wrong.goal

failures=0 cases=0
while IFS='|' read -r code stream pattern command; do
    [[ $code =~ ^[[:space:]]*(#|$) ]] && continue
    # Measuring programs and the tracer need an MPI.
    [[ ${CROSSTALK_MPI:-} == none && $command =~ (impactb|compressionb|logpb|scanb|workload|trace\ -o) ]] && continue
    code=${code// /} stream=${stream// /}
    pattern=${pattern#"${pattern%%[! ]*}"} pattern=${pattern%"${pattern##*[! ]}"}
    timeout -k 2 20 bash -c "$command" >out 2>err </dev/null
    got=$?
    cases=$((cases + 1))
    if [ "$got" -ne "$code" ] || ! grep -qE -- "$pattern" "$stream"; then
        failures=$((failures + 1))
        printf 'FAILED: %s\n  exit code %s, expected %s; %s should match: %s\n' \
            "$command" "$got" "$code" "$stream" "$pattern"
        sed 's/^/  out: /' out | head -n 5
        sed 's/^/  err: /' err | head -n 5
    fi
    # A message is one line that begins with the program's name, never a crash report.
    if [ "$stream" = err ] && [[ $(<err) =~ [Ss]anitizer|[Ss]egmentation|[Aa]ssert ]]; then
        failures=$((failures + 1))
        printf 'FAILED: %s crashed\n' "$command"
    fi
done <"$here/commands.txt"
echo "$cases command lines, $failures failed"
[ "$cases" -gt 0 ] && [ "$failures" -eq 0 ]
