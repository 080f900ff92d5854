# shellcheck shell=bash
# Slurm in a lab: a controller at the switch, a daemon on every host, munge. To be sourced after
# common.sh, once the lab is up. Everything listens on the management network, and ends with the
# lab at the latest.
slurm=${work:?}/slurm
export SLURM_CONF=$slurm/slurm.conf
slurm_daemons=()

slurm_skip_unless_possible() {
    local program
    [ "$(id -u)" -eq 0 ] || skip "slurmd needs root"
    for program in munged slurmctld slurmd srun sbatch salloc scancel; do
        need "$program" 'munge, slurmctld, slurmd or slurm-client'
    done
}

slurm_write_conf() { # number of hosts
    local i hardware
    # As slurmd itself sees the machine, or it refuses the configuration.
    hardware=$(lab_ exec --host h1 -- slurmd -C | grep -Eo '(CPUs|SocketsPerBoard|CoresPerSocket|ThreadsPerCore|RealMemory)=[0-9]+' | tr '\n' ' ')
    cat >"$SLURM_CONF" <<CONF
ClusterName=lab
SlurmctldHost=$(lab_ exec -- hostname)(10.78.0.254)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
StateSaveLocation=$slurm/state
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdPidFile=$slurm/%n.pid
SlurmdLogFile=$slurm/%n.log
SlurmdSpoolDir=$slurm/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
MpiDefault=pmi2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=5
CONF
    for ((i = 1; i <= $1; i++)); do
        mkdir "$slurm/spool-h$i"
        echo "NodeName=h$i NodeAddr=10.78.0.$i ${hardware}State=UNKNOWN"
    done >>"$SLURM_CONF"
    echo "PartitionName=all Nodes=h[1-$1] Default=YES MaxTime=INFINITE State=UP" >>"$SLURM_CONF"
    # Control groups are not used, but slurmd looks for them unless it is told which.
    echo "CgroupPlugin=cgroup/v1" >"$slurm/cgroup.conf"
}

slurm_daemon() { # name of its output, arguments of crosstalk lab exec
    local name=$1
    shift
    crosstalk lab exec "$@" >"$slurm/$name.out" 2>&1 </dev/null &
    slurm_daemons+=($!)
}

slurm_() { # command of Slurm, as from a login node
    timeout -k 2 60 crosstalk lab exec -- "$@"
}

slurm_idle() { # number of hosts: so many can take work
    [ "$(slurm_ sinfo --noheader --states=idle --format=%D 2>/dev/null)" = "$1" ]
}

slurm_up() { # number of hosts
    local i
    mkdir -p "$slurm/state" "$slurm/munge"
    head -c 64 /dev/urandom >"$slurm/munge/key"
    chmod 400 "$slurm/munge/key"
    slurm_write_conf "$1"
    slurm_daemon munged -- munged --foreground --force --num-threads=2 \
        --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" \
        --pid-file="$slurm/munge/pid" --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed"
    wait_until test -S "$slurm/munge/socket"
    slurm_daemon slurmctld -- slurmctld -D
    for ((i = 1; i <= $1; i++)); do
        slurm_daemon "h$i" --host "h$i" -- slurmd -D
    done
    for ((i = 0; i < 6; i++)); do
        wait_until slurm_idle "$1" && return 0
    done
    tail -n 8 "$slurm"/*.out
    return 1
}

slurm_down() { # orders the daemons to end, and waits until they have
    local i
    for ((i = ${#slurm_daemons[@]} - 1; i >= 0; i--)); do
        kill -TERM "${slurm_daemons[i]}"
        wait "${slurm_daemons[i]}"
    done
    slurm_daemons=()
}
