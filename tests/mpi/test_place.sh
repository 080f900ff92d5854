#!/usr/bin/env bash
# Launchers put ranks where the files of crosstalk place say: hosts by MPICH's, cores by Open MPI's.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
# shellcheck source=tests/skip.sh
. "${CROSSTALK_SOURCE:?}/tests/skip.sh"
# shellcheck source=tests/tries.sh
. "$CROSSTALK_SOURCE/tests/tries.sh"
tried=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
failed() {
    printf 'FAILED: %s\n' "$1"
    shift
    [ $# -eq 0 ] || sed 's/^/  /' "$@" | head -n 20
    failures=$((failures + 1))
}

# Ranks 0 and 3, 1 and 4, 2 and 5 talk: neither blocks nor round robin on three nodes of two ranks.
{
    echo 'num_ranks 6'
    for rank in 0 1 2; do printf 'rank %d {\na: send 8b to %d tag 0\n}\n' $rank $((rank + 3)); done
    for rank in 3 4 5; do printf 'rank %d {\na: recv 8b from %d tag 0\n}\n' $rank $((rank - 3)); done
} >couples.goal
printf -- '- 1ms 1ms\n1ms - 1ms\n1ms 1ms -\n' >matrix
printf 'here\nthere # comment\nyonder:2\n' >hosts
place() {
    timeout -k 2 30 crosstalk place couples.goal --o 1us --G 1ns --matrix matrix --seed 1 --ranks-per-node 2 \
        --L-node 1us --G-node 1ns "$@" 2>err || failed "crosstalk place $*" err
}

# ---- hosts, by the launcher of MPICH: with fork it starts all on this machine, and calls them by their names
if launcher=$(command -v mpiexec.hydra); then
    place --hosts hosts --format hostfile >mapping
    # Now and then Hydra loses what programs print that end at once.
    # shellcheck disable=SC2317 # called by in_tries
    lands() {
        timeout -k 2 30 "$launcher" -f mapping -launcher fork -prepend-pattern '%r %h ' -n 6 \
            sh -c 'echo there; sleep 0.2' 2>err | sort -n | awk '{ print $2 }' >landed
        cmp -s landed mapping
    }
    in_tries 3 "output through Hydra" lands || failed "mpiexec -f: ranks are not where the file has them" landed mapping err
    tried=1
    [ "$(sort mapping | uniq -c | awk '{ print $1 }' | sort -u)" = 2 ] || failed "two ranks on each host" mapping
    for rank in 1 2 3; do
        [ "$(sed -n "${rank}p" landed)" = "$(sed -n "$((rank + 3))p" landed)" ] || failed "a couple is apart" landed
    done
else
    not_tried "mpiexec.hydra is not installed (package mpich)"
fi

# ---- cores, by the launcher of Open MPI: the nodes are cores of one host
if ! launcher=$(command -v mpirun.openmpi); then
    not_tried "mpirun.openmpi is not installed (package openmpi-bin)"
elif [ "$(nproc)" -lt 2 ]; then
    echo "not tried: cores of one host, of which this one has one"
else
    tried=1
    printf 'num_ranks 2\nrank 0 {\na: send 8b to 1 tag 0\n}\nrank 1 {\na: recv 8b from 0 tag 0\n}\n' >pair.goal
    printf 'localhost\nlocalhost\n' >cores
    # The way from core 1 to core 0 is the shorter one.
    printf -- '- 1ms\n1us -\n' >matrix
    timeout -k 2 30 crosstalk place pair.goal --o 1us --G 1ns --matrix matrix --seed 1 --hosts cores --format rankfile \
        >placed 2>err || failed "crosstalk place: rankfile" err
    printf 'rank 0=localhost slot=1\nrank 1=localhost slot=0\n' | cmp -s - placed || failed "rankfile" placed
    cat >where <<'PROGRAM'
#!/bin/sh
echo "$OMPI_COMM_WORLD_RANK $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)"
PROGRAM
    chmod +x where
    IFS=' ' read -r first second _ <<<"$(grep -h Cpus_allowed_list /proc/self/status | awk '{ print $2 }' |
        tr ',' '\n' | awk -F- '{ for (i = $1; i <= (NF > 1 ? $2 : $1); i++) printf "%d ", i }')"
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -k 2 30 "$launcher" --rankfile placed -n 2 \
        ./where 2>err |
        sort >landed
    printf '0 %s\n1 %s\n' "$second" "$first" | cmp -s - landed || failed "mpirun --rankfile: cores" landed err
fi
[ "$failures" -gt 0 ] || [ "$tried" -eq 1 ] || skip "no launcher"
[ "$failures" -eq 0 ] && echo "launchers read the files of crosstalk place"
exit $((failures > 0))
