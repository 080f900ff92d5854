#!/usr/bin/env bash
# The include rules of docs/architecture.md: what a room may include, one row a room. A room is a
# folder; the longest row that matches a file's path counts. Takes the tree to check as $1.
set -u
root=${1:-${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}}
cd "$root" || exit 1

# room | project folders it may include besides itself | libraries that others may not include
rules='
core            |                                                          |
model           | core                                                     | gsl
model/loggp     | core                                                     |
topology        | core                                                     | yaml
predict         | model core                                               | gsl
results         | core                                                     | hdf5 mpi xxhash
results/try     | core results trace/otf2                                  |
lab             | core topology                                            |
delay           | core                                                     |
delay/ucx       | core delay                                               | ucx
bench           | core results bench                                       | mpi
bench/impact    | core results bench topology                              | mpi
bench/scan      | core results bench bench/workloads                       | mpi
bench/logp      | core results bench bench/impact model/loggp topology       | mpi
bench/workloads | core results bench bench/replay                          | mpi
bench/replay    | core results bench bench/workloads trace trace/convert trace/input trace/otf2 trace/rehearse lp-bridge/goal lp-bridge/graph | mpi
bench/simgrid   | core trace/pmpi topology                       | mpi
study           | core results model model/loggp predict lp-bridge/goal lp-bridge/collective trace/convert trace/input trace/rehearse lp-bridge/graph lp-bridge/envelope simulate simulate/joint calibrate calibrate/runs topology watch | cjson
campaign        | core results lab topology model predict study trace trace/convert | yaml cjson hwloc
report          | core results model predict study calibrate/runs                        |
trace | core                                                     |
trace/pmpi | core trace                                | mpi
trace/convert | core trace lp-bridge/collective lp-bridge/goal |
trace/rehearse | core trace trace/convert |
trace/otf2  | core trace trace/convert | otf2
trace/input | core trace trace/convert trace/otf2 trace/rehearse lp-bridge/goal |
trace/timeline | core trace trace/convert |
plot            | core                                                     |
lp-bridge/goal  | core                                                     |
lp-bridge/collective | core                                               |
lp-bridge/graph | core lp-bridge/goal model/loggp                          |
lp-bridge/envelope | core topology lp-bridge/goal lp-bridge/graph                   |
simulate        | core lp-bridge/goal lp-bridge/graph topology             |
simulate/joint  | core results predict simulate lp-bridge/goal lp-bridge/graph |
calibrate       | core simulate lp-bridge/goal                              | gsl
calibrate/runs  | core results simulate simulate/joint calibrate lp-bridge/goal |
lp-bridge/lp    | core lp-bridge/goal lp-bridge/graph lp-bridge/envelope                    | clp
lp-bridge/place | core topology simulate lp-bridge/graph lp-bridge/envelope | scotch
watch           | core topology                                            |
watch/probe     | core topology watch                                      | sodium
watch/find      | core topology watch                                      |
watch/tell      | core topology watch watch/find                           | cjson
watch/serve     | core topology watch watch/probe watch/tell               | microhttpd sodium
libcrosstalk    | core results study predict topology simulate simulate/joint trace/input lp-bridge/goal lp-bridge/graph lp-bridge/envelope lp-bridge/place | gsl
cli             | core results lab delay campaign model model/loggp predict study plot report trace lp-bridge/goal lp-bridge/graph lp-bridge/envelope simulate simulate/joint calibrate calibrate/runs lp-bridge/lp lp-bridge/place lp-bridge/collective trace/convert trace/input trace/otf2 trace/timeline topology watch watch/find watch/serve watch/tell |
'

declare -A folders_of libraries_of
while IFS='|' read -r room folders libraries; do
    room=${room// /}
    [ -n "$room" ] && folders_of[$room]=" $folders $room " && libraries_of[$room]=" $libraries "
done <<<"$rules"

room_of() { # path -> room: the folder with a row that is nearest above it, or nothing
    room=${1%/*}
    while [ "$room" != "$1" ] && [ -z "${folders_of[$room]:-}" ]; do
        [[ $room == */* ]] || break
        room=${room%/*}
    done
    [ "$room" != "$1" ] && [ -n "${folders_of[$room]:-}" ] || room=''
}

declare -A header_library=([mpi.h]=mpi [hdf5.h]=hdf5 [cjson/cJSON.h]=cjson [hwloc.h]=hwloc [scotch.h]=scotch [xxhash.h]=xxhash [yaml.h]=yaml [sodium.h]=sodium [microhttpd.h]=microhttpd)
violations=0
report() {
    printf '%s\n' "$1"
    violations=$((violations + 1))
}

while IFS=: read -r file line; do
    room_of "$file"
    if [ -z "$room" ]; then
        report "$file: its folder is in no row of tests/style/includes.sh"
        continue
    fi
    [[ $line =~ include[[:space:]]*[\<\"]([^\>\"]+) ]] || continue
    header=${BASH_REMATCH[1]} includer=$room
    library=${header_library[$header]:-}
    [[ $header == gsl/* ]] && library=gsl
    [[ $header == ucp/* || $header == ucs/* ]] && library=ucx
    [[ $header == otf2/* ]] && library=otf2
    [[ $header == coin/* || $header == Clp_* ]] && library=clp
    if [ -n "$library" ]; then
        [[ ${libraries_of[$includer]} == *" $library "* ]] ||
            report "$file: $includer may not include <$header>"
        continue
    fi
    room_of "$header"
    [ -z "$room" ] || [[ ${folders_of[$includer]} == *" $room "* ]] ||
        report "$file: $includer may not include $header"
done < <(find core topology model predict simulate calibrate plot report results lab delay bench study campaign trace lp-bridge watch cli libcrosstalk \
    -name '*.[ch]' -exec grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' {} + 2>/dev/null | sort)

if [ "$violations" -gt 0 ]; then
    echo "$violations violations of the include rules"
    exit 1
fi
echo "include rules hold"
