#!/usr/bin/env bash
# Every campaign file among the examples can be planned, and every script there says how to call it.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
cd "${CROSSTALK_SOURCE:?}" || exit 1
failures=0
for file in examples/*.yaml examples/*/*.yaml; do
    [[ $file == examples/calibration/* ]] && continue # parameters of crosstalk calibrate
    crosstalk campaign plan --summary "$file" | grep -q 'runs, about' || { echo "$file cannot be planned"; failures=1; }
done
crosstalk campaign script examples/cluster.yaml -o results | grep -q '^#SBATCH --nodes=18$' || { echo "examples/cluster.yaml: no script"; failures=1; }
for script in examples/*/run.sh; do
    "$script" --help | grep -q "^Usage: $script" || { echo "$script --help: no usage"; failures=1; }
    "$script" --long >/dev/null 2>&1
    [ "$?" -eq 2 ] || { echo "$script --long: exit code other than 2"; failures=1; }
done

# Slowdowns on the same hosts are no answer for hosts of their own: by the simulation one pair loses 185 % there, and
# nothing behind one switch.
run=(crosstalk simulate examples/codes8/schedules/amg.bin examples/codes8/schedules/lammps.bin --logp examples/codes8/logp.h5
    --network packet --queue fifo --burst 1600B --draws 2)
"${run[@]}" | grep -q 'amg.bin takes 18[0-9] % longer' || { echo "amg beside lammps on the same hosts: not 185 %"; failures=1; }
[ "$("${run[@]}" --topology switch:16 --hosts 'n[0-7] n[8-15]' | grep -c 'bin takes 0 % longer')" -eq 2 ] || { echo "on hosts of their own behind one switch: not 0"; failures=1; }
crosstalk tolerance examples/codes8/schedules/lammps.bin --logp examples/codes8/logp.h5 --to examples/lab8/logp.h5 |
    grep -q 'Most of it is by bandwidth: with it alone 56 %' || { echo "from one network that was measured to another"; failures=1; }

# Published for Slingshot: no canary of GPCNeT is slowed by congestors. Queues without congestion control have that only
# where no link is shared.
for uplinks in 16 4; do
    crosstalk simulate allreduce:16,rounds=50,compute=1us,bytes=8B alltoall:48,rounds=20,compute=1us,bytes=4KiB \
        --L 1.5us --o 0.3us --G 0.04ns --network packet --topology "tree:4x16,$uplinks" \
        --hosts 'n[0-3,16-19,32-35,48-51] n[4-15,20-31,36-47,52-63]' | grep 'Together allreduce'
done | tr -d '\n' | grep -q 'takes 0 % longer.*takes 25 % longer' || { echo "allreduce beside alltoall over switches: not 0 and 25 %"; failures=1; }
for question in predict 'predict --groups 2' 'predict --models none --pair amg+lammps'; do
    # shellcheck disable=SC2086 # words
    answer=$(crosstalk $question examples/codes8)
    [[ $answer == *'on the same hosts or on others (not recorded)'* ]] || { echo "$question: does not say which hosts"; failures=1; }
    [[ $answer != *switch* ]] || { echo "$question: answers for a switch"; failures=1; }
done
exit "$failures"
