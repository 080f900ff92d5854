# shellcheck shell=bash
# To be sourced in the source folder, by rules of style that say the same of a file that stays the same.

# since_row RULES FILE...: those of the files that differ from the commit at which the row `style` of tests/parts.txt
# last passed, which looks at all; all of them, where RULES (a path) differ, or that commit is not known here.
since_row() {
    local rules=$1 passed changed
    shift
    passed=$(awk -F '|' '$1 ~ /^style *$/ { gsub(/ /, "", $3); print $3 }' tests/parts.txt)
    # shellcheck disable=SC2086 # paths
    if ! git rev-parse -q --verify "$passed^{commit}" >/dev/null 2>&1 || ! git diff --quiet "$passed" -- $rules; then
        printf '%s\n' "$@"
        return
    fi
    changed=$(git diff --name-only "$passed"; git ls-files --others --exclude-standard)
    printf '%s\n' "$@" | sed 's|^\./||' | grep -xF -- "$changed"
}
