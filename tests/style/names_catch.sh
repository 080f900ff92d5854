#!/usr/bin/env bash
# tests/style/names.py must catch what it is there for: each line below is refused, the others are not.
set -u
source_dir=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
python=${PYTHON3:-/usr/bin/python3}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/core"
failures=0
while IFS='|' read -r wanted line; do
    printf '%b\n' "$line" >"$tree/core/a.c"
    "$python" "$source_dir/tests/style/names.py" "$tree" >/dev/null
    code=$?
    if [ "$code" -ne "$wanted" ]; then
        echo "exit code $code, not $wanted: $line"
        failures=$((failures + 1))
    fi
done <<'LIST'
1|static void step(struct a *a)\n{\n}
1|static struct a *next(void) {
1|static inline __attribute__((always_inline)) void improve(struct a *a,\n    int b)\n{
1|static __attribute__((format(printf, 1, 2)))\nvoid say(const char *format, ...)\n{
0|static void take_step(struct a *a)\n{\n}
0|/* static void step(struct a *a) { } */
0|static void step(struct a *a);
0|void step(struct a *a)\n{
0|static int (*const table[])(int) = {one, two};
LIST
[ "$failures" -eq 0 ] && echo "all is caught"
exit "$((failures > 0))"
