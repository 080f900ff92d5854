#!/usr/bin/env bash
# tests/style/circles.py must catch what it is there for: a circle of two sources, one of three, none.
set -u
source_dir=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
python=${PYTHON3:-/usr/bin/python3}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
objects=$tree/build/core/CMakeFiles/room.dir
mkdir -p "$tree/core" "$objects"
failures=0
compile() { # source, text
    printf '%s\n' "$2" >"$tree/core/$1.c"
    cc -c -o "$objects/$1.c.o" "$tree/core/$1.c" || exit 1
}
check() { # expected exit code, text expected
    local answer code
    answer=$("$python" "$source_dir/tests/style/circles.py" "$tree/build" "$tree" 2>&1)
    code=$?
    [ "$code" -eq "$1" ] && [[ $answer == *"$2"* ]] && return
    printf 'exit code %s, not %s with "%s":\n%s\n' "$code" "$1" "$2" "$answer"
    failures=$((failures + 1))
}
compile a 'int b(void); int a(void) { return b(); }'
compile b 'int c(void); int b(void) { return c(); }'
compile c 'int c(void) { return 0; }'
check 0 'no circles'
compile c 'int a(void); int c(void) { return a(); }'
check 1 'room: a circle of a.c b.c c.c'
compile c 'int b(void); int c(void) { return b(); }'
check 1 'room: a circle of b.c c.c'
rm "$tree/core/c.c" # its object is of an earlier build
check 0 'no circles'
rm -r "$objects"
check 1 'no objects'
[ "$failures" -eq 0 ] && echo "all circles are caught"
exit "$((failures > 0))"
