# shellcheck shell=bash
# Shared by ./check and ./demo: say where we are, install what is missing, configure and build.

started=$SECONDS

# Time of the whole machine that others have, on a machine that is shared (`steal` of /proc/stat), in ticks.
stolen() {
    awk '/^cpu / { print $9 }' /proc/stat
}
stolen_before=$(stolen)

# With the processor time of this script and of all that it has waited for; `times` knows that of its own shell.
step() { # "[1/4] what"
    local file processor_s
    file=$(mktemp)
    times >"$file"
    processor_s=$(tr 'ms\n' '   ' <"$file" | awk '{ for (i = 1; i < NF; i += 2) sum += 60 * $i + $(i + 1); printf "%.0f", sum }')
    rm -f "$file"
    printf '\n== %s  (%d s; processor time %s s, stolen %d s)\n' "$1" "$((SECONDS - started))" \
        "$processor_s" "$((($(stolen) - stolen_before) / $(getconf CLK_TCK)))"
}

die() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit 1
}

missing_packages() { # SECTION...
    local package section='' wanted=()
    while IFS= read -r package; do
        [[ $package =~ ^#\ \[(.*)\] ]] && section=${BASH_REMATCH[1]}
        [[ $package =~ ^(#|$) || " $* " != *" $section "* ]] || wanted+=("$package")
    done <packages.txt
    printf '%s\n' "${wanted[@]}" | sort -u |
        comm -23 - <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null |
            sed -n 's/^installed //p' | sort -u)
}

# install_packages SECTION...: those of packages.txt that are missing; nothing is touched when all are there.
install_packages() {
    command -v dpkg-query >/dev/null ||
        die "this is not Debian or Ubuntu: install the equivalents of packages.txt, then build with cmake --preset release"
    local missing as_root=()
    mapfile -t missing < <(missing_packages "$@")
    if [ "${#missing[@]}" -eq 0 ]; then
        echo "all packages are installed"
        return
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            as_root=(sudo)
        else
            die "packages are missing and neither root nor sudo is at hand; ask an administrator for: apt-get install ${missing[*]}"
        fi
    fi
    echo "installing: ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        die "apt-get could not install the packages; its last lines are above"
    fi
    rm -f "$log"
}

# build PRESET [CMAKE_OPTION...] [--target TARGET...]
build() {
    local preset=$1 options=()
    shift
    while [ $# -gt 0 ] && [ "$1" != --target ]; do
        options+=("$1")
        shift
    done
    cmake --preset "$preset" "${options[@]}" --log-level=WARNING || die "configuring failed"
    cmake --build --preset "$preset" "$@" || die "the build failed"
}
