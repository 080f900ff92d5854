#!/usr/bin/env bash
# The include rules of docs/architecture.md: what a room may include, one row a room. A room is a
# folder; the longest row that matches a file's path counts. Takes the tree to check as $1.
set -u
root=${1:-${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}}
cd "$root" || exit 1

# room | project folders it may include besides itself | libraries that others may not include
rules='
core            |                                                          | gsl cjson
model           | core                                                     | gsl
predict         | model core                                               | gsl
results         | core                                                     | hdf5 mpi
lab             | core                                                     |
bench           | core results bench                                       | mpi gsl
bench/logp      | core results bench model                                 | mpi gsl
study           | core results model predict lp-bridge/goal lp-bridge/collective lp-bridge/convert lp-bridge/graph lp-bridge/envelope simulate | cjson
campaign        | core results lab model predict study lp-bridge/trace     | cyaml cjson hwloc
report          | core results model predict study plot                    |
lp-bridge/trace | core                                                     |
lp-bridge/trace/pmpi | core lp-bridge/trace                                | mpi
lp-bridge/convert | core lp-bridge/trace lp-bridge/trace/pmpi lp-bridge/collective lp-bridge/goal |
plot            | core                                                     |
lp-bridge/goal  | core                                                     |
lp-bridge/collective | core                                               |
lp-bridge/graph | core lp-bridge/goal model                                |
lp-bridge/envelope | core lp-bridge/goal lp-bridge/graph                   |
simulate        | core lp-bridge/graph                                     | gsl
lp-bridge/lp    | core lp-bridge/goal lp-bridge/graph                      | clp
cli             | core results lab campaign model predict study plot report lp-bridge/trace lp-bridge/goal lp-bridge/graph lp-bridge/envelope simulate lp-bridge/lp lp-bridge/collective lp-bridge/convert | cjson
'

room_of() { # path -> room with the longest name that is a prefix of it
    local path=$1 best='' room
    while IFS='|' read -r room _; do
        room=${room// /}
        [ -n "$room" ] && [[ $path == "$room"/* ]] && [ ${#room} -gt ${#best} ] && best=$room
    done <<<"$rules"
    printf '%s' "$best"
}

field() { # room, column
    awk -F'|' -v room="$1" -v column="$2" '{ gsub(/ /, "", $1) } $1 == room { print $column }' <<<"$rules"
}

declare -A header_library=([mpi.h]=mpi [hdf5.h]=hdf5 [cyaml/cyaml.h]=cyaml [cjson/cJSON.h]=cjson [hwloc.h]=hwloc)
violations=0
report() {
    printf '%s\n' "$1"
    violations=$((violations + 1))
}

while IFS= read -r file; do
    room=$(room_of "$file")
    if [ -z "$room" ]; then
        report "$file: its folder is in no row of tests/style/includes.sh"
        continue
    fi
    allowed=" $(field "$room" 2) $room "
    libraries=" $(field "$room" 3) "
    while IFS= read -r header; do
        library=${header_library[$header]:-}
        [[ $header == gsl/* ]] && library=gsl
        [[ $header == coin/* || $header == Clp_* ]] && library=clp
        if [ -n "$library" ]; then
            [[ $libraries == *" $library "* ]] || report "$file: $room may not include <$header>"
            continue
        fi
        target=$(room_of "$header")
        [ -z "$target" ] || [[ $allowed == *" $target "* ]] ||
            report "$file: $room may not include $header"
    done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]+)[">].*/\1/p' "$file")
done < <(find core model predict simulate plot report results lab bench study campaign lp-bridge cli -name '*.[ch]' 2>/dev/null | sort)

if [ "$violations" -gt 0 ]; then
    echo "$violations violations of the include rules"
    exit 1
fi
echo "include rules hold"
