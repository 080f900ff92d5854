#!/usr/bin/env bash
# Campaigns under Slurm: a controller and four nodes in the lab, programs as steps of an allocation,
# apart from each other where there are cores, ended in order, and resumed.
# Functions are also called through check.
# shellcheck disable=SC2317
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/lab/slurm.sh
. "$(dirname "$0")/slurm.sh"
slurm_skip_unless_possible
up_or_skip --hosts 4
cd "$work" || exit 1
check "Slurm runs on all hosts" slurm_up 4
[ "$failures" -eq 0 ] || finish

IFS=, read -r -a cores <<<"$(crosstalk campaign cores)"
first=${cores[0]} last=${cores[-1]}

# Hosts are free again a while after a job, which on a busy machine takes most of a minute.
in_allocation() { # command...: on all hosts, from a login node
    timeout -k 2 180 crosstalk lab exec -- salloc --quiet --nodes=4 --exclusive "$@"
}

runs() { # folder: number of its finished runs
    find "$1/runs" -maxdepth 1 -name '*.h5' ! -name '*.sent.h5' | wc -l
}

job_done() { # number
    [ -z "$(slurm_ squeue --noheader --jobs="$1" --format=%i 2>/dev/null)" ]
}

wait_for_job() { # number: up to a minute
    local i
    for ((i = 0; i < 60; i++)); do
        job_done "$1" && return 0
        sleep 1
    done
    slurm_ squeue
    return 1
}

bindings() { # log: the cores that the ranks were bound to
    sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "$1" | sort -u | tr '\n' ' '
}

# --- two applications of MPI, as a job ------------------------------------------------------------
# What an emulated switch needs of the ranks; a cluster needs none of it.
export UCX_TLS=tcp,self UCX_NET_DEVICES=eth0 MPIR_CVAR_NOLOCAL=1 UCX_WARN_UNUSED_ENV_VARS=n
export ASAN_OPTIONS=verify_asan_link_order=0
preload=${CROSSTALK_BUILD:?}/lab/libcrosstalk-lab.so
cat >two.yaml <<YAML
campaign: two
launcher:
  {kind: slurm, hosts: 4, options: "--mpi=pmi2 --export=ALL,LD_PRELOAD=$preload"}
durations: {impact: 500ms, runtime: 500ms, settle: 300ms, start: 10s}
probe: {interval: 10ms}
repetitions: {idle: 1, baseline: 1, impact: 0, compression: 0, corun: 1}
applications:
  - {name: fft, command: "workload fft --iterations 2 --compute sleep"}
  - {name: lulesh, command: "workload lulesh --iterations 2 --compute sleep", slots: 2}
YAML
crosstalk campaign script two.yaml -o two >two.sh
check "the script asks for the hosts" grep -qx '#SBATCH --nodes=4' two.sh
check "the script is a good one" bash -n two.sh
job=$(slurm_ sbatch --parsable two.sh)
check "the job ends" wait_for_job "$job"
check "all of the runs are made" \
    fails_with 0 '7 of 7 runs done \(7 now\)' cat "crosstalk-two.$job.log"
check "and are in the folder" equal "$(runs two)" 7
check "they were measured on the hosts" /usr/bin/python3 - <<'PYTHON'
import os
import h5py
for name, kind, app, partner in [("idle", "impact", "", ""), ("baseline-fft", "runtime", "fft", ""),
                                 ("runtime-fft-with-lulesh", "runtime", "fft", "lulesh")]:
    with h5py.File(f"two/runs/{name}-r0.h5") as run:
        text = lambda key: run.attrs[key].decode() if isinstance(run.attrs[key], bytes) else run.attrs[key]
        assert (text("kind"), text("app"), text("with")) == (kind, app, partner), dict(run.attrs)
        for host in ("h1", "h2", "h3", "h4"):
            assert host in str(run.attrs["hosts"]), run.attrs["hosts"]
        # Watchers on all of them wrote down how long the ranks waited for processors.
        for program, ranks in (("measured", 4), ("background", 8))[:2 if partner else 1]:
            if os.access("/proc/self/schedstat", os.R_OK):
                assert run.attrs[f"cpu_{program}_ranks"] == ranks, dict(run.attrs)
                assert 0 < run.attrs[f"cpu_{program}_wait_frac"] < 1, dict(run.attrs)
PYTHON
job=$(slurm_ sbatch --parsable two.sh)
check "a second job ends" wait_for_job "$job"
check "and finds all done" \
    fails_with 0 'two: 7 of 7 runs are there already' cat "crosstalk-two.$job.log"

# --- impactb beside a job that runs ----------------------------------------------------------------
cat >app.sh <<SCRIPT
#!/bin/bash
srun --mpi=pmi2 --export=ALL,LD_PRELOAD=$preload workload fft --loop --time 1h --compute sleep
SCRIPT
steps() { # names of the job's steps
    slurm_ squeue --steps --noheader --jobs="$1" --format=%j 2>/dev/null
}
has_step() { # job, name
    steps "$1" | grep -qx "$2"
}
probe() { # arguments of impactb: as a step of the job, from a login node
    timeout -k 2 60 crosstalk lab exec -- srun --jobid="$job" --overlap --nodes=4 --ntasks-per-node=1 \
        --mpi=pmi2 --export="ALL,LD_PRELOAD=$preload" impactb --interval 10ms "$@"
}
samples_of() { # run file: 100 or more, of all hosts
    crosstalk show --all "$1" >shown || return 1
    cat shown
    [ "$(crosstalk export "$1" --dataset samples | grep -vc '^#\|^t_s')" -ge 100 ] &&
        for host in h1 h2 h3 h4; do grep -q "$host" shown || return 1; done
}
job=$(slurm_ sbatch --parsable --nodes=4 --ntasks-per-node=1 --exclusive app.sh)
for ((i = 0; i < 12; i++)); do
    wait_until has_step "$job" workload && break
done
check "the application runs as a step" has_step "$job" workload
check "without --overlap its nodes are busy" fails_with 1 'busy' timeout -k 2 60 crosstalk lab exec -- \
    srun --jobid="$job" --immediate=2 --nodes=4 --ntasks-per-node=1 --exact hostname
check "with it the probe runs beside" probe --time 2s -o beside.h5
check "and sees all hosts" samples_of beside.h5
check "the application still runs" has_step "$job" workload
probe --time 1h -o ended.h5 >ended.out 2>&1 &
prober=$!
for ((i = 0; i < 6; i++)); do
    wait_until has_step "$job" impactb && break
done
sleep 3
check "the end of the job" slurm_ scancel "$job"
wait "$prober"
check "is the end of the probe, which writes what it has" samples_of ended.h5

# --- cores, deadlines, and an end in order --------------------------------------------------------
cat >polite <<'SCRIPT'
#!/bin/sh
# Runs for $1 twentieths of a second; says where, and when it was asked to end.
trap 'echo ended in order; exit 0' INT TERM
grep Cpus_allowed_list /proc/self/status
for i in $(seq "$1"); do sleep 0.05; done
SCRIPT
chmod +x polite
corun() { # name of the campaign, application...: pairs of them, one after the other
    cat <<YAML
campaign: $1
retries: 0
launcher: {kind: slurm}
durations: {runtime: 100ms, settle: 500ms, start: 4s, deadline_factor: 1}
repetitions: {idle: 0, baseline: 0, impact: 0, corun: 1}
applications:
YAML
    shift
    printf '  - {name: %s, command: "./polite %s", slots: %s, passes: driver, pass: 100ms}\n' "$@"
}

corun apart brief 4 1 long 9999 1 >apart.yaml
check "runs that come to no end fail, the others do not" fails_with 1 '2 of 4 runs done' \
    in_allocation crosstalk campaign run apart.yaml -o apart
check "the deadline is what they failed by" fails_with 0 'long-with-brief-r0 +failed.*not done after' \
    crosstalk campaign status --all apart
check "the measured program has the first core" \
    equal "$(bindings apart/logs/runtime-brief-with-long-r0.measured.log)" "$first "
check "the other one the last" \
    equal "$(bindings apart/logs/runtime-brief-with-long-r0.background.log)" "$last "
check "every rank in the background ended in order" \
    equal "$(grep -c 'ended in order' apart/logs/runtime-brief-with-long-r0.background.log)" 4
check "so did those measured, at their deadline" \
    equal "$(grep -c 'ended in order' apart/logs/runtime-long-with-brief-r0.measured.log)" 4

n=${#cores[@]}
corun shared wide 4 "$n" >shared.yaml
check "shared cores are named" \
    fails_with 0 "cores $(crosstalk campaign cores) .*$n \+ $n ranks, $n cores" \
    in_allocation crosstalk campaign run shared.yaml -o shared
corun crowded wide 4 $((n + 1)) >crowded.yaml
check "more ranks than cores can be run, too" fails_with 0 '1 of 1 runs done' \
    in_allocation crosstalk campaign run crowded.yaml -o crowded

# --- a placement: programs on hosts of their own --------------------------------------------------
cat >placed.yaml <<'YAML'
campaign: placed
seed: 3
launcher: {kind: slurm, hosts: 4}
placement: fragments
fragment: 1
durations: {runtime: 100ms, settle: 500ms, start: 10s}
repetitions: {idle: 0, baseline: 0, impact: 0, corun: 1}
applications:
  - {name: name, command: "sh -c 'hostname; sleep 0.3'", slots: 2, passes: driver}
YAML
placed() { # program: the hosts its ranks were on
    grep '^h[0-9]$' "placed/logs/runtime-name-with-name-fragments-r0.$1.log" | sort -u | tr '\n' ' '
}
check "programs on hosts of their own" fails_with 0 '1 of 1 runs done' \
    in_allocation crosstalk campaign run placed.yaml -o placed
check "the measured one" equal "$(placed measured)" "h2 h4 "
check "the one in the background" equal "$(placed background)" "h1 h3 "
check "as the journal has them" grep -q '"placement":"fragments","hosts":"h2 h4","with_hosts":"h1 h3"' \
    placed/journal.jsonl

# --- interrupted, killed, and left over -----------------------------------------------------------
corun nap nap 20 1 >nap.yaml
cat >stop <<'SCRIPT'
#!/bin/bash
# Runs a campaign, stops it by a signal while it measures, and says how it ended.
crosstalk campaign run nap.yaml -o "nap-$1" &
driver=$!
until grep -qs Cpus_allowed "nap-$1/logs/runtime-nap-with-nap-r0.measured.log"; do sleep 0.05; done
kill "-$1" "$driver"
wait "$driver"
echo "exit code $?"
crosstalk campaign run nap.yaml -o "nap-$1"
SCRIPT
chmod +x stop
check "SIGTERM ends the campaign" fails_with 0 'interrupted: 0 of 1 runs done' in_allocation ./stop TERM
check "with an exit code of failure" grep -qx 'exit code 1' fails.out
check "and the next one goes on" grep -q '1 of 1 runs done (1 now)' fails.out
check "SIGKILL ends it" fails_with 0 'exit code 137' in_allocation ./stop KILL
check "and the next one goes on" grep -q '1 of 1 runs done (1 now)' fails.out

corun own nap 4 1 >own.yaml
corun foreign nap 4 1 >foreign.yaml
mkdir foreign
cat >beside <<'SCRIPT'
#!/bin/bash
# Runs a campaign while a step with the name $1 runs that does not end by itself.
srun --overlap --job-name="$1" --nodes=4 sleep 60 &
until [ -n "$(squeue --steps --noheader --format=%j | grep -x "$1")" ]; do sleep 0.1; done
crosstalk campaign run "$2.yaml" -o "$2"
SCRIPT
chmod +x beside
check "another campaign's steps are let alone" \
    fails_with 1 'crosstalk-x\): another campaign runs in this allocation' \
    in_allocation ./beside crosstalk-x foreign
check "a campaign of its own may follow" fails_with 0 '1 of 1 runs done' \
    in_allocation crosstalk campaign run own.yaml -o own
rm own/runs/*.h5
check "left-over steps of a campaign are killed" fails_with 0 '1 of 1 runs done' \
    in_allocation ./beside "$(printf 'crosstalk-%x-%x' "$(stat -c %d own)" "$(stat -c %i own)")" own

# --- where it cannot run --------------------------------------------------------------------------
check "outside of an allocation" fails_with 1 'launcher slurm: not in an allocation' \
    slurm_ crosstalk campaign run nap.yaml -o outside
sed 's/kind: slurm/kind: slurm, hosts: 5/' nap.yaml >many.yaml
check "more hosts than there are nodes" fails_with 1 'launcher.hosts: 5, but the allocation has 4' \
    in_allocation crosstalk campaign run many.yaml -o many
check "a script needs a number of hosts" fails_with 1 'nap.yaml: launcher.hosts: ' \
    crosstalk campaign script nap.yaml -o nap

# --- a watch of all nodes, and the health check that reads it ---------------------------------------
crosstalk watch script --partition all --nodes 4 --interface eth0 -o watched >watch.sh
check "the script of a watch is accepted" slurm_ sbatch --parsable --export="ALL,LD_PRELOAD=$preload" watch.sh
job=$(tail -n 1 check.out)
asked() { # number of hosts that were asked so often
    crosstalk-prober --summary watched 2>/dev/null | awk -v n="$1" '$1 ~ /^h[0-9]$/ && $4 > n { k++ } END { exit k != 4 }'
}
wait_for() { # seconds, command...
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$until" ] || return 1
        sleep 0.5
    done
}
check "all nodes probe each other" wait_for 90 asked 300 # 30 s
look() { # what the watch says of the folder
    crosstalk watch watched --topology switch:4 --learn 20s --status watch.json -q
}
health() { # host: of the health check, as slurmd runs it
    crosstalk watch check watch.json --host "$1"
}
look >/dev/null
check "a healthy node" fails_with 0 '^OK' health h3
# slurmd runs it on every node, as root and with little of an environment.
cat >health.sh <<SCRIPT
#!/bin/bash
line=\$(PATH=$PATH crosstalk watch check "$work/watch.json" --host "\$(hostname -s)") ||
    SLURM_CONF=$SLURM_CONF PATH=$PATH scontrol update NodeName="\$(hostname -s)" State=DRAIN Reason="\$line"
SCRIPT
chmod +x health.sh
printf 'HealthCheckProgram=%s\nHealthCheckInterval=2\n' "$work/health.sh" >>"$SLURM_CONF"
check "a health checker" slurm_ scontrol reconfigure
lab_ exec -- ip link set p3 down
sleep 5
lab_ exec -- ip link set p3 up
look >/dev/null
check "a node whose link was down" fails_with 1 '^FAULT: h3: ' health h3
check "another node" fails_with 0 '^OK' health h1
drained() { # the nodes that take no work, and why
    slurm_ sinfo --noheader --list-reasons --Node --format='%N %E' 2>/dev/null
}
is_drained() { drained | grep -q '^h3 FAULT: h3: '; }
check "the health checker drains it" wait_for 60 is_drained
check "and no other" equal "$(drained | wc -l)" 1
check "the end of the watch" slurm_ scancel "$job"
check "its job ends" wait_for_job "$job"
check "what it saw is whole" fails_with 0 'answered' crosstalk-prober --summary watched

slurm_down
check "nothing is left of Slurm" wait_until nobody_inside
finish
