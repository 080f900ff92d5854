# shellcheck shell=bash
# Shared by examples/*/run.sh: measure an unmodified program of a Debian package on an emulated switch.
# Sourced from the top folder, after scripts/setup.sh.

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
    crosstalk predict "$results" --models average_lt,queue,phase,simulated | tee "$results/report.txt"
    [ "${PIPESTATUS[0]}" -eq 0 ] || die "no prediction"
    crosstalk report "$results" -o "$results" || die "no report"
    printf '\nReport: %s/report.html, the tables above in %s/report.txt\n' "$results" "$results"
}
