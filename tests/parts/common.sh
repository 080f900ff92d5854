# shellcheck shell=bash
# To be sourced: configure this tree with some parts, in folders that go away. The user's own settings
# (HDF5_ROOT, MPI_HOME, compiler flags) stay out of it.
set -u
source_dir=${CROSSTALK_SOURCE:?}
# shellcheck source=tests/skip.sh
. "$source_dir/tests/skip.sh"
need cmake cmake
need ninja ninja-build
need pkg-config pkg-config
unset HDF5_ROOT MPI_HOME CFLAGS LDFLAGS PKG_CONFIG_PATH PKG_CONFIG_LIBDIR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0 cases=0
ccache=()
command -v ccache >/dev/null && ccache=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)

failed() { # WHAT [FILE]
    failures=$((failures + 1))
    echo "FAILED: $1"
    [ $# -lt 2 ] || tail -n 15 "$2" | sed 's/^/  /'
}

generator=Ninja
# The names before the options may set the environment: configure NAME [VARIABLE=VALUE...] [-DOPTION...]
configure() {
    local name=$1 settings=()
    shift
    while [[ $# -gt 0 && $1 != -* ]]; do
        settings+=("$1")
        shift
    done
    env "${settings[@]}" cmake -S "$source_dir" -B "$work/$name" -G "$generator" "${ccache[@]}" "$@" \
        >"$work/$name.log" 2>&1
}

said() { # NAME EXTENDED_REGULAR_EXPRESSION: in what was said, lines joined, as CMake wraps messages
    tr -s '[:space:]' ' ' <"$work/$1.log" | grep -qE -- "$2"
}

refuses() { # NAME PATTERN [VARIABLE=VALUE...] [-DOPTION...]: configuring stops with such a message
    local name=$1 pattern=$2
    shift 2
    cases=$((cases + 1))
    if configure "$name" "$@"; then
        failed "$name: configuring did not stop" "$work/$name.log"
    elif ! said "$name" "$pattern"; then
        failed "$name: said nothing like '$pattern'" "$work/$name.log"
    fi
}

takes() { # NAME PATTERN [VARIABLE=VALUE...] [-DOPTION...]: configuring ends well, with such a message
    local name=$1 pattern=$2
    shift 2
    cases=$((cases + 1))
    if ! configure "$name" "$@"; then
        failed "$name: configuring stopped" "$work/$name.log"
        return 1
    elif ! said "$name" "$pattern"; then
        failed "$name: said nothing like '$pattern'" "$work/$name.log"
    fi
}

# A folder for PKG_CONFIG_LIBDIR in which all modules are but one.
hide_module() { # MODULE
    local folder file
    mkdir "$work/without-$1"
    for folder in $(pkg-config --variable pc_path pkg-config | tr : ' '); do
        for file in "$folder"/*.pc; do
            [[ -e $file && ${file##*/} != "$1.pc" ]] && ln -sf "$file" "$work/without-$1/"
        done
    done
    echo "$work/without-$1"
}

finish() {
    echo "$cases cases, $failures failed"
    [ "$cases" -gt 0 ] && [ "$failures" -eq 0 ]
    exit
}
