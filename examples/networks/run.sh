#!/usr/bin/env bash
# Eight small campaigns on emulated switches of 2, 10, 50 and 200 Mbit/s whose ports serve in turn or have one queue, and the
# errors of models on each; about an hour. Results go to the folder given, "networks" without one. The same command
# again makes what is missing. Nothing else should run meanwhile. CROSSTALK names the program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-networks}
crosstalk=${CROSSTALK:-crosstalk}
for rate in 2mbit 10mbit 50mbit 200mbit; do
    for queue in round-robin fifo; do
        "$crosstalk" campaign run "$here/$rate-$queue.yaml" -o "$results/$rate-$queue"
        "$crosstalk" predict "$results/$rate-$queue" --models simulated,queue --evaluate --confidence 80% --seed 1 --quiet
    done
done
