#!/usr/bin/env bash
# What bash offers after a command line that is not finished.
set -u
failures=0
# shellcheck source=/dev/null
source "${CROSSTALK_BUILD:?}/docs/completion/crosstalk.bash" || exit 1
shellcheck "$CROSSTALK_BUILD/docs/completion/crosstalk.bash" || failures=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
touch run.h5 campaign.yaml

# offers EXPECTED WORD... CURRENT: what is offered for the last word, each of EXPECTED among it; "=": exactly
offers() {
    local expected=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _crosstalk
    local got=" ${COMPREPLY[*]} " word
    if [[ $expected == =* ]]; then
        [[ $got == " ${expected#=} " ]] && return
    else
        for word in $expected; do
            [[ $got == *" $word "* ]] || break
            word=''
        done
        [[ -z $word ]] && return
    fi
    echo "after '$*': offered '$got', expected '$expected'"
    failures=1
}

offers 'campaign lab predict utilization' crosstalk ''
offers '=lab' crosstalk la
offers '=up' crosstalk lab u
offers '=--queue --queue-limit --quiet' crosstalk lab up --q
offers '=round-robin fifo' crosstalk lab up --queue ''
offers '=' crosstalk lab up --rate ''
offers '=json' crosstalk predict --format j
offers '=adjacent rotate random links' impactb --pairing ''
offers 'run.h5 campaign.yaml' crosstalk predict ''
offers '=campaign.yaml' crosstalk campaign run c
offers '=run.h5' workload --output r
offers '--help --version --partners' compressionb --
exit "$failures"
