#!/usr/bin/env bash
# What collectives send, by the expansion and by this MPI: with ranks that are no power of two, 8 and
# 9, where MPICH changes algorithms. Each rank is on a node of its own, for MPICH.
set -u
# shellcheck source=tests/mpi/mpi.sh
. "$(dirname "$0")/mpi.sh"
program=${CROSSTALK_BUILD:?}/tests/collective_messages
for ranks in 1 3 8 9; do
    MPIR_CVAR_NOLOCAL=1 sleeping "$ranks" timeout -k 2 50 mpiexec -n "$ranks" "$program" </dev/null
    code=$?
    [ "$code" -eq 0 ] || exit "$code"
done
