#!/usr/bin/env bash
# Where the time of four mini-apps goes, on up to 16,384 ranks of a dragonfly, on four networks.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
begin_campaigns decomposition "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and simulates generated programs like multigrid (10,648 ranks), Nekbone (1024),
GTC (16,384) and MiniDFT (1920) on the networks packet, alpha-beta and none, and each again on at most
512 ranks. It takes a few minutes and 0.7 GB, at low priority.
Then it prints where their time goes and draws it. Interrupted, it goes on when it is started again.
Results are kept in decomposition-results/." "$@"
results=decomposition-results
: >"$results/stack.yaml" # all parameters have their defaults: the most likely values of the paper

simulate() { # NAME TOPOLOGY NETWORK PROGRAM: the answer as JSON
    local to=$results/$1-$3.json
    [ -s "$to" ] && return
    nice -n 19 timeout 1800 crosstalk simulate "$4" --network "$3" --parameters "$results/stack.yaml" \
        --topology "$2" --path --format json >"$to.draft" && mv "$to.draft" "$to"
}

# Groups of 48 switches with 4 nodes each and up to 8 links to other groups, as many groups as needed.
programs=(
    'multigrid dragonfly:56,48,4,8 halo:22x22x22,levels=4,rounds=2,compute=2ms,imbalance=10%,noise=10%'
    'nekbone dragonfly:6,48,4,5 allreduce:1024,rounds=100,compute=5us,noise=10%'
    'gtc dragonfly:86,48,4,8 particles:16384,rounds=2,compute=2ms,noise=10%'
    'dft dragonfly:10,48,4,8 alltoall:1920,rounds=1,group=480,bytes=4KiB,compute=2ms,noise=5%'
    'multigrid-512 dragonfly:3,48,4,2 halo:8x8x8,levels=4,rounds=2,compute=2ms,imbalance=10%,noise=10%'
    'nekbone-512 dragonfly:3,48,4,2 allreduce:512,rounds=100,compute=5us,noise=10%'
    'gtc-512 dragonfly:3,48,4,2 particles:512,rounds=2,compute=2ms,noise=10%'
    'dft-128 dragonfly:3,48,4,2 alltoall:128,rounds=1,bytes=4KiB,compute=2ms,noise=5%'
)
number=0
for program in "${programs[@]}"; do
    number=$((number + 1))
    read -r name topology spec <<<"$program"
    step "[3/4] $name, $number of ${#programs[@]}"
    for network in packet alpha-beta none; do
        simulate "$name" "$topology" "$network" "$spec" ||
            die "$name on $network: the simulation did not end; start this script again to go on"
    done
done
step "[4/4] where the time goes"
python3 examples/decomposition/table.py "$results" | tee "$results/table.txt"
[ "${PIPESTATUS[0]}" -eq 0 ] || die "no table"
printf '\nThe table above is in %s/table.txt, the picture in %s/decomposition.svg\n' "$results" "$results"
