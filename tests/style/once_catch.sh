#!/usr/bin/env bash
# tests/style/once.sh must catch what it is there for: each line below is refused, the others are not.
set -u
source_dir=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/cli" "$tree/core"
failures=0
while IFS='|' read -r wanted file line; do
    printf '%s\n' "$line" >"$tree/$file"
    bash "$source_dir/tests/style/once.sh" "$tree" >/dev/null
    code=$?
    rm "$tree/$file"
    if [ "$code" -ne "$wanted" ]; then
        echo "exit code $code, not $wanted: $file with $line"
        failures=$((failures + 1))
    fi
done <<'LIST'
1|cli/a.c|items = realloc(items, n * sizeof *items);
1|cli/a.c|clock_gettime(CLOCK_MONOTONIC, &now);
1|cli/a.c|nanosleep(&wait, NULL);
1|cli/a.c|z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
1|cli/a.c|fsync(fileno(out));
1|cli/a.c|fd = mkostemp(name, O_CLOEXEC);
1|cli/a.c|if (rename(draft, path) != 0)
1|cli/a.c|value |= (uint64_t)from[i] << 8 * i;
0|cli/a.c|ct_clock_sleep(1); H5Arename(file, "a", "b"); ct_array_resize(a, n, 1);
0|core/array.h|return realloc(array, n * item_bytes);
LIST
[ "$failures" -eq 0 ] && echo "all is caught"
exit "$((failures > 0))"
