# shellcheck shell=bash
# Shared by examples/*/run.sh: campaigns on emulated switches, or with an unmodified program of a Debian
# package. Sourced from the top folder.
# shellcheck source=scripts/setup.sh
. scripts/setup.sh

# measure_example NAME PRESET [--short]: the campaign examples/NAME/campaign.yaml, with the packages of
# section [NAME] and the programs of a release preset, whose MPI is that of the package.
measure_example() {
    local name=$1 preset=$2 campaign=examples/$1/campaign.yaml results=$1-results
    if [[ ${3-} == --short ]]; then # for a test: the lightest and the heaviest load, short runs
        campaign=examples/$name/short.yaml
        results=$name-results-short
    fi
    step "[1/4] packages"
    install_packages build run "$name"
    step "[2/4] build"
    build "$preset"
    PATH=$PWD/build/$preset/bin:$PATH
    step "[3/4] measure: $(crosstalk campaign plan --summary "$campaign")"
    crosstalk campaign run "$campaign" -o "$results" ||
        die "the campaign did not end; start this script again to go on with it"
    step "[4/4] measured and predicted"
    crosstalk predict "$results" --models average_lt,queue,mutual,packets | tee "$results/report.txt"
    [ "${PIPESTATUS[0]}" -eq 0 ] || die "no prediction"
    crosstalk report "$results" -o "$results" || die "no report"
    printf '\nReport: %s/report.html, the tables above in %s/report.txt\n' "$results" "$results"
}

# run_example NAME PROGRAM MPI PRESET HOW MINUTES SHORT_MINUTES [OPTION]: HOW it is measured, for --help.
run_example() {
    local name=$1 program=$2 mpi=$3 preset=$4 how=$5 minutes=$6 short_minutes=$7 option=${8-}
    if [[ -z $option || $option == --short ]]; then
        measure_example "$name" "$preset" "$option"
        return
    fi
    cat <<TEXT
Usage: examples/$name/run.sh [--short]

Installs the packages of [build], [run] and [$name] in packages.txt that are missing (apt, as root or
through sudo), builds crosstalk with $mpi, the MPI of that $program, and measures the
unmodified program on an emulated switch: $how loads of compressionb, beside the proxy fft,
and with a probe beside it. Then it prints how much of the network each uses, and the measured and the
predicted slowdowns. Takes about $minutes minutes; interrupted, it goes on when it is started again.
Results are kept in $name-results/.

--short: two loads and short runs, about $short_minutes minutes, in $name-results-short/.
TEXT
    [[ $option == --help ]] && exit 0
    exit 2
}

# begin_campaigns FOLDER HELP [OPTION]: prints HELP where there is an option; else builds the release preset.
begin_campaigns() {
    local folder=$1 help=$2
    shift 2
    if [ $# -gt 0 ]; then
        printf 'Usage: examples/%s/run.sh\n\n%s\n' "$folder" "$help"
        [[ $1 == --help ]] && exit 0
        exit 2
    fi
    step "[1/4] packages"
    install_packages build run
    step "[2/4] build"
    build release
    PATH=$PWD/build/release/bin:$PATH
    mkdir -p "$folder-results"
}

# measure_campaign FOLDER NAME: examples/FOLDER/NAME.yaml into FOLDER-results/NAME
measure_campaign() {
    crosstalk campaign run "examples/$1/$2.yaml" -o "$1-results/$2" ||
        die "the campaign did not end; start this script again to go on with it"
}
