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

[ "$failures" -eq 0 ] && echo "all passed"
exit "$((failures > 0))"
