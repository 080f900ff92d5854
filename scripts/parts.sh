# shellcheck shell=bash
# The rows of tests/parts.txt: to be sourced by ./check, whose build_preset() and die() they use.

parts_file=tests/parts.txt

# read_row: the next row of standard input, as variables: name minutes passed preset paths
read_row() {
    local line
    while IFS= read -r line; do
        [[ $line == '' || $line == '#'* ]] && continue
        IFS='|' read -r name minutes passed preset paths <<<"$line"
        read -r name <<<"$name"
        read -r minutes <<<"$minutes"
        read -r passed <<<"$passed"
        read -r preset <<<"$preset"
        read -ra paths <<<"$paths"
        return 0
    done
    return 1
}

# Whether what a row depends on differs from COMMIT; a commit that is not known here is one, too.
changed_since() { # COMMIT PATH...
    git rev-parse -q --verify "$1^{commit}" >/dev/null || return 0
    ! git diff --quiet "$1" -- "${@:2}" || [ -n "$(git ls-files --others --exclude-standard -- "${@:2}")" ]
}

# Of the row that was read. ThreadSanitizer does not run where addresses are as random as some kernels make them.
run_row() {
    local same_addresses=()
    [ "$preset" != tsan ] || ! setarch -R true 2>/dev/null || same_addresses=(setarch -R)
    (build_preset "$preset") || return
    "${same_addresses[@]}" ctest --test-dir "build/$preset" --no-tests=error --output-on-failure -L "^in_$name\$" |
        tee "build/row_$name.log"
    return "${PIPESTATUS[0]}"
}

# Of the row that was run: what skipped a test has not passed, and is not recorded.
has_skipped() {
    grep -qE '\*\*\*(Skipped|Not Run)' "build/row_$name.log"
}

record_row() { # NAME: it passes at the present commit
    local head
    head=$(git rev-parse --short=8 HEAD)
    sed -i -E "s/^($1 +\\|[^|]*\\|) *[^|]*\\|/\\1 $head |/" "$parts_file"
}

# run_rows record|once [NAME...]: those of these names, or all. record: those that pass get the commit.
run_rows() {
    local record=$1 failed=() known=' ' name minutes passed preset paths begin
    shift
    while read_row <&3; do
        known+="$name "
        [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
        step "row $name, $minutes minutes"
        begin=$SECONDS
        if ! run_row; then
            failed+=("$name")
            continue
        fi
        if has_skipped; then
            echo "row $name: some of its tests were skipped; not recorded"
            continue
        fi
        echo "row $name passes, after $((SECONDS - begin)) s"
        [ "$record" != record ] || changed_since HEAD "${paths[@]}" || record_row "$name"
    done 3< <(cat "$parts_file")
    for name; do
        [[ $known == *" $name "* ]] || failed+=("$name (there is no such row)")
    done
    [ "${#failed[@]}" -eq 0 ] || { echo "rows that failed: ${failed[*]}"; return 1; }
}

# run_due_rows MINUTES: the shortest first, and no row that would take more than is left.
run_due_rows() {
    local end_s=$((SECONDS + 60 * $1)) due=() left=() bad=0 name minutes passed preset paths
    while read_row <&3; do
        changed_since "$passed" "${paths[@]}" && due+=("$minutes $name")
    done 3< <(cat "$parts_file")
    while read -r minutes name; do
        [ -n "$name" ] || continue
        if ((SECONDS + 60 * minutes > end_s)); then
            left+=("$name ($minutes minutes)")
        else
            run_rows once "$name" || bad=1
        fi
    done < <(printf '%s\n' "${due[@]}" | sort -n)
    echo "rows that changed: ${#due[@]}"
    [ "${#left[@]}" -eq 0 ] || printf 'not run, for want of time: %s\n' "${left[@]}"
    return "$bad"
}
