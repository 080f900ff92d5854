#!/usr/bin/env bash
# What core/ has is not written again: each expression stands in the files named with it, and nowhere
# else outside of tests/. Takes the tree to check as $1.
set -u
cd "${1:-${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}}" || exit 1

# extended regular expression | files that may have it | what to use instead
rules='
\<(realloc|reallocarray)\(         | core/array.h                                     | core/array.h
\<(clock_gettime|gettimeofday)\(   | core/clock.h                                     | core/clock.h
\<(nano|u)?sleep\(                 |                                                  | core/clock.h
[bB][fF]58476[dD]1[cC][eE]4        | core/random.h                                    | core/random.h
\<(fsync|fdatasync)\(              | core/file.c trace/stream.c             | core/file.h
\<mko?stemp\(                      | core/file.c                                      | core/file.h
\<rename\(                         | core/file.c campaign/attempt.c campaign/scan_round.c campaign/traces.c | core/file.h
^#ifndef [A-Z0-9_]+_H$             | libcrosstalk/crosstalk.h                         | #pragma once
<< 8 \* |>> 8 \*                   | core/endian.h lp-bridge/goal/binary.c            | core/endian.h
'
violations=0
while IFS= read -r line; do
    [ -n "$line" ] || continue
    instead=${line##*| } rest=${line% |*}
    files=" ${rest##*|} " expression=${rest%|*}
    expression=${expression%"${expression##*[! ]}"}
    while IFS=: read -r file number _; do
        [[ $files == *" ${file#./} "* ]] && continue
        echo "${file#./}:$number: $expression; use $instead"
        violations=$((violations + 1))
    done < <(find . \( -path ./build -o -path ./tests -o -path ./.git \) -prune -o -name '*.[ch]' \
        -exec grep -nHE -e "$expression" {} +)
done <<<"$rules"
[ "$violations" -eq 0 ] && echo "nothing of core/ is written again"
exit "$((violations > 0))"
