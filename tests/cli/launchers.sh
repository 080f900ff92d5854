#!/usr/bin/env bash
# What launchers of a campaign make of the system around them: answers of Slurm's commands, host files,
# affinity masks. Slurm and mpiexec are scripts that write down how they were called; no program runs.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

campaign() { # name, launcher, further lines: the output in NAME.out
    cat >"$1.yaml" <<YAML
campaign: $1
seed: 1
retries: 0
launcher: {$2}
durations: {impact: 1s, runtime: 1s, settle: 0.1s, start: 2s}
repetitions: {idle: 1, baseline: 1, impact: 0, corun: 0}
applications:
  - {name: fft, command: "workload fft", slots: 1}
${3:-}
YAML
    rm -f calls
    timeout 60 crosstalk campaign run "$1.yaml" -o "$1" >"$1.out" 2>&1 </dev/null
}
calls() { # extended regular expression: number of calls that it matches
    grep -cE -- "$1" calls
}

mkdir bin
cat >bin/scontrol <<'SH'
#!/bin/sh
echo "ERROR: ld.so: object '/opt/site/libaccount.so' from LD_PRELOAD cannot be preloaded: ignored." >&2
cat names
SH
printf '#!/bin/sh\necho "perl: warning: Setting locale failed." >&2\n' >bin/squeue
cat >bin/srun <<'SH'
#!/bin/sh
echo "srun: warning: can't honor --ntasks-per-node" >&2
echo "$*" >>calls
case "$*" in *"campaign cores"*) for i in 1 2 3 4; do echo 0,1,2,3; done ;; *) exit 3 ;; esac
SH
cat >bin/mpiexec <<'SH'
#!/bin/sh
[ "$1" = --version ] && echo 'HYDRA build details:' && exit 0
echo "$*" >>calls
case "$*" in *"campaign cores"*) yes 0,1 | head -n "$(echo "$*" | sed 's/.* -n \([0-9]*\) .*/\1/')" ;; *) exit 3 ;; esac
SH
chmod +x bin/*
PATH=$PWD/bin:$PATH

# --- names are what scontrol prints on standard output
export SLURM_JOB_ID=1 SLURM_JOB_NUM_NODES=4 SLURM_JOB_NODELIST='n[1-4]'
printf 'n1\nn2\nn3\nn4\n' >names
campaign noise 'kind: slurm, hosts: 4' 'placement: disjoint'
check 'warnings of commands are no hosts' '"hosts":"n1 n2","with_hosts":"n3 n4"' \
    "$(grep -o '"hosts":.*"with_hosts":"[^"]*"' noise/journal.jsonl)"
check 'srun is given them' 2 "$(calls '--nodelist=n1,n2 --nodes=2')"
printf 'Welcome to the cluster\nn1\nn2\nn3\nn4\n' >names
campaign banner 'kind: slurm, hosts: 4' 'placement: disjoint'
check 'a line that is no name' 1 \
    "$(grep -c "scontrol show hostnames prints 'Welcome to the cluster', which is no name of a node" banner.out)"
printf 'welcome\nn1\nn2\nn3\nn4\n' >names
campaign more 'kind: slurm, hosts: 4' 'placement: disjoint'
check 'more names than nodes' 1 "$(grep -c 'prints 5 names, and the allocation has 4 nodes' more.out)"
unset SLURM_JOB_ID SLURM_JOB_NUM_NODES SLURM_JOB_NODELIST

# --- host files
export CROSSTALK_MPIEXEC=$PWD/bin/mpiexec
printf 'na\nna\nnb\nna\nNB\n' >pbs
campaign lines 'kind: mpiexec, hostfile: pbs'
check 'a line for each core: hosts count once' 1 "$(grep -c 'pbs: 5 lines name 2 hosts' lines.out)"
check 'and are listed once, also for the question for cores' "$(wc -l <calls)" "$(calls '^-hosts na:1,nb:1 -ppn 1 -n 2 ')"
printf 'na.cluster.example:2\nna\nnb\nnb.cluster.example\n10.0.0.1\n10.0.0.2\n' >domains.hosts
campaign domains 'kind: mpiexec, hostfile: domains.hosts'
check 'a host with and without its domain' "$(wc -l <calls)" \
    "$(calls '^-hosts na.cluster.example:1,nb:1,10.0.0.1:1,10.0.0.2:1 -ppn 1 -n 4 ')"
printf 'na\nna.one.example\nna.two.example\n' >unclear.hosts
campaign unclear 'kind: mpiexec, hostfile: unclear.hosts'
check 'of two domains it is not known which' "$(wc -l <calls)" "$(calls '^-f unclear.hosts -ppn 1 -n 3 ')"
while IFS='|' read -r text why; do
    printf '%b' "$text" >wrong.hosts
    campaign wrong 'kind: mpiexec, hostfile: wrong.hosts'
    check "no host file: $text" 1 "$(grep -cF "hostfile: wrong.hosts: $why" wrong.out)"
done <<'ROWS'
na\nn[1-4]\n|line 2: 'n[1-4]': begins with no name of a host; write one on each line
na,nb\n|line 1: 'na,nb': begins with no name
-x\n|line 1: '-x': begins with no name
# nobody\n|names no host
\xef\xbb\xbfna\n|begins with a byte order mark
\x1f\x8b\x08na|a file packed by gzip, which is not read; unpack
n\0a\0\n\0|text of 16 bits a character (UTF-16), which is not read; convert it
a,b\n1,2\n|a table (CSV), which is not read; a text with the name of a host on each line is read
{"hosts": ["na"]}\n|a JSON file, which is not read
ROWS
campaign slots 'kind: mpiexec, hostfile: pbs, hosts: 1' 'probe: {slots: 2}'
check 'the first of them' 1 "$(calls '^-hosts na:2 -ppn 2 -n 2 .*impactb')"
campaign toomany 'kind: mpiexec, hostfile: pbs, hosts: 3'
check 'more hosts than there are' 1 \
    "$(grep -c 'pbs: names 2 hosts, some of them several times, and 3 are asked for' toomany.out)"
printf 'na:8\nnb slots=8\n\n# nc\n' >slotted
campaign each 'kind: mpiexec, hostfile: slotted'
check 'other files are passed on' "$(wc -l <calls)" "$(calls '^-f slotted -ppn 1 -n 2 ')"

# --- a scan starts its program by srun in an allocation, by mpiexec on the hosts of a file
printf 'n1\nn2\nn3\nn4\n' >names
cp names scan-hosts
rm -f calls
SLURM_JOB_ID=1 SLURM_JOB_NUM_NODES=4 SLURM_JOB_NODELIST="n[1-4]" timeout 60 crosstalk scan -o by-srun -q >scan.out 2>&1 </dev/null
check 'srun starts the survey on four nodes' 1 "$(calls '--nodes=4 .*scanb')"
rm -f calls
timeout 60 crosstalk scan -o by-mpiexec --hostfile scan-hosts -q >scan.out 2>&1 </dev/null
check 'mpiexec starts it, too' 1 "$(calls '-n 4 .*scanb')"
check 'a survey that fails says how' 1 "$(grep -c 'round-0000: scanb ended with exit code 3' scan.out)"

# --- cores that this process may use
IFS=, read -r -a cores <<<"$(crosstalk campaign cores)"
check 'an affinity mask' "${cores[-1]}" "$(taskset -c "${cores[-1]}" crosstalk campaign cores)"
campaign all 'kind: mpiexec, hosts: 1'
check 'ranks are bound to the first core' 2 "$(calls "-bind-to user:${cores[0]} ")"
taskset -pc "${cores[-1]}" $$ >/dev/null
campaign masked 'kind: mpiexec, hosts: 1'
check 'of those that are given' 2 "$(calls "-bind-to user:${cores[-1]} ")"
finish
