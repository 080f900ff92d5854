#!/usr/bin/env bash
# Which cores mpiexec binds the programs of a campaign to, and what is said where they share some.
set -u
# shellcheck source=tests/mpi/mpi.sh
. "$(dirname "$0")/mpi.sh"
PATH=${CROSSTALK_BIN:?}:$PATH
work=$(mktemp -d)
mpi_files_in "$work"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

failures=0
fail() {
    printf 'FAILED: %s\n' "$*"
    sed 's/^/  err: /' err 2>/dev/null | head -n 20
    failures=$((failures + 1))
}

run() { # name, key and value under launcher, ranks: two programs beside each other
    cat >"$1.yaml" <<YAML
campaign: $1
retries: 0
launcher: {kind: mpiexec$2}
durations: {runtime: 100ms, settle: 300ms, start: 5s}
repetitions: {idle: 0, baseline: 0, impact: 0, corun: 1}
applications:
  - {name: nap, command: "sh -c 'grep Cpus_allowed_list /proc/self/status; sleep 0.2'", slots: $3, passes: driver}
YAML
    timeout -k 2 30 crosstalk campaign run "$1.yaml" -o "$1" >out 2>err </dev/null || fail "campaign $1"
}

bindings() { # campaign, program: the cores of its ranks
    sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "$1/logs/runtime-nap-with-nap-r0.$2.log" | sort -u | tr '\n' ' '
}

expect_bindings() { # campaign, program, cores
    local found
    found=$(bindings "$1" "$2")
    [ "$found" = "$3" ] || fail "$1: the $2 program was bound to '$found', not to '$3'"
}

expect() { # extended regular expression
    grep -Eq -- "$1" err || fail "no '$1'"
}

IFS=, read -r -a cores <<<"$(crosstalk campaign cores)"
n=${#cores[@]}
anywhere="$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status) "

run apart "" 1
expect_bindings apart measured "${cores[0]} "
expect_bindings apart background "${cores[-1]} "
[ "$n" -eq 1 ] || ! grep -q 'share cores' err || fail "a warning without a cause"

run wide "" "$n"
expect_bindings wide measured "$(printf '%s\n' "${cores[@]}" | sort -u | tr '\n' ' ')"
expect "warning: ranks share cores in 1 of 1 runs.*cores $(crosstalk campaign cores) \\($n \\+ $n ranks, $n cores\\)"

run crowded "" $((n + 1))
expect_bindings crowded measured "$anywhere"
expect "ranks share cores in 1 of 1 runs"

run free ", placement: none" "$n"
expect_bindings free background "$anywhere"
! grep -q 'share cores' err || fail "a warning though placement is not asked for"

# Hosts are asked for their cores, and the fewest count.
hostname >hosts
run listed ", hostfile: hosts" 1
expect_bindings listed measured "${cores[0]} "

# A launcher that does not tell its MPI is left alone.
mkdir other
cat >other/mpiexec <<'SCRIPT'
#!/bin/sh
[ "$1" = --version ] && echo "mpiexec of another house" && exit 0
[ "$1" = -n ] || exit 1
shift 2
exec "$@"
SCRIPT
chmod +x other/mpiexec
CROSSTALK_MPIEXEC=$work/other/mpiexec run foreign "" 1
expect_bindings foreign measured "$anywhere"
expect "ranks are not bound to cores, since $work/other/mpiexec does not tell"

# A placement: a list of hosts for each program, in the words of each MPI.
mkdir noting
cat >noting/mpiexec <<'SCRIPT'
#!/bin/sh
[ "$1" = --version ] && echo "$MADE_BY" && exit 0
echo "$@" >>"$NOTES"
exec sleep 0.2
SCRIPT
chmod +x noting/mpiexec
printf '# leaf 1\nnode1:4\nnode2 slots=4\n\n# leaf 2\nnode3\nnode4\nspare\n' >nodes
placed() { # name, what its launcher says of itself
    cat >"$1.yaml" <<YAML
campaign: $1
seed: 3
retries: 0
launcher: {kind: mpiexec, hostfile: nodes, hosts: 4, placement: none}
placement: fragments
fragment: 1
durations: {runtime: 100ms, settle: 300ms, start: 5s}
repetitions: {idle: 0, baseline: 0, impact: 0, corun: 1}
applications: [{name: nap, command: "sleep 0.2", slots: 2, passes: driver}]
YAML
    NOTES=$work/$1.notes MADE_BY=$2 CROSSTALK_MPIEXEC=$work/noting/mpiexec \
        timeout -k 2 30 crosstalk campaign run "$1.yaml" -o "$1" >out 2>err </dev/null || fail "campaign $1"
}
expect_words() { # campaign, words of mpiexec
    grep -q -- "^$2 " "$1.notes" || fail "$1: no '$2' among: $(cat "$1.notes")"
}
placed hydra 'HYDRA build details'
expect_words hydra '-hosts node2:2,node4:2 -ppn 2 -n 4'
expect_words hydra '-hosts node1:2,node3:2 -ppn 2 -n 4'
grep -q '"hosts":"node2 node4","with_hosts":"node1 node3"' hydra/journal.jsonl || fail "no hosts in the journal"
placed open 'mpirun (Open MPI) 4.1.4'
expect_words open '--host node2:2,node4:2 --map-by ppr:2:node:oversubscribe --bind-to none -n 4'
expect_words open '--host node1:2,node3:2 --map-by ppr:2:node:oversubscribe --bind-to none -n 4'
sed 's/hosts: 4/hosts: 6/' hydra.yaml >short.yaml
NOTES=$work/notes MADE_BY=HYDRA CROSSTALK_MPIEXEC=$work/noting/mpiexec \
    timeout -k 2 30 crosstalk campaign run short.yaml -o short >out 2>err </dev/null &&
    fail "a campaign with more hosts than the file names"
expect 'nodes: names 5 hosts, and 6 are asked for'

[ "$failures" -eq 0 ] && echo "all passed"
exit "$((failures > 0))"
