#!/usr/bin/env bash
# tests/style/structs.py must catch what it is there for: each line below is refused, the others are not.
set -u
source_dir=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
python=${PYTHON3:-/usr/bin/python3}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/core"
ten='int a, b, c, d, e, f(int, int), *g; struct x h[2], i; enum y (*j)(int, char);'
failures=0
while IFS='|' read -r wanted line; do
    printf '%b\n' "${line//TEN/$ten}" >"$tree/core/a.h"
    "$python" "$source_dir/tests/style/structs.py" "$tree" >/dev/null
    code=$?
    if [ "$code" -ne "$wanted" ]; then
        echo "exit code $code, not $wanted: $line"
        failures=$((failures + 1))
    fi
done <<'LIST'
1|struct a {\nTEN TEN int k; /* of a, b, c */\n};
1|/* All of it. */\nstruct a {\nTEN TEN int k;\n};
1|/* One struct, since it is one. */\nint b;\nstruct a {\nTEN TEN int k;\n};
0|/* All of it: one\n * struct, since it is one. */\nstruct a {\nTEN TEN int k;\n};
0|struct a {\nTEN TEN /* int k; */\n};
0|struct a {\nTEN struct { TEN int k; } l;\n};
LIST
[ "$failures" -eq 0 ] && echo "all is caught"
exit "$((failures > 0))"
