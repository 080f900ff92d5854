#!/usr/bin/env bash
# tests/style/tidy.py must find what it is there for, in a tree of two rooms: what the analyzer alone finds, what
# the other checks find in files that there is no time to analyze, what is in a header, and what has
# changed since it was found clean.
set -u
source_dir=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/core" "$tree/cli" "$tree/build"
touch "$tree/build/CMakeCache.txt" # its files are of no room
cp "$source_dir/.clang-tidy" "$tree"
failures=0

put() { # FILE LINE...
    printf '%s\n' "${@:2}" >"$tree/$1"
}

compile() { # FILE...
    local separator='[' file
    for file; do
        printf '%s{"directory": "%s", "command": "cc -I%s -o x.o -c %s", "file": "%s"}' "$separator" "$tree/build" \
            "$tree" "$tree/$file" "$tree/$file"
        separator=,
    done >"$tree/build/compile_commands.json"
    echo ']' >>"$tree/build/compile_commands.json"
}

expect() { # EXIT-CODE TEXT WHAT [ARGUMENT...]
    CROSSTALK_SOURCE=$tree CROSSTALK_BUILD=$tree/build CROSSTALK_TIDY_S=0 \
        python3 "$source_dir/tests/style/tidy.py" "${@:4}" >"$tree/out" 2>&1
    local code=$?
    [ "$code" -eq 77 ] && cat "$tree/out" && exit 77
    if [ "$code" -ne "$1" ] || ! grep -q -e "$2" "$tree/out"; then
        echo "$3: exit code $code, not $1, or no '$2' in:"
        cat "$tree/out"
        failures=$((failures + 1))
    fi
}

null=('int of(const int *x);' 'int of(const int *x)' '{' '    if (!x)' '        return *x;' '    return 0;' '}')
put core/clean.c 'int one(void);' 'int one(void)' '{' '    return 1;' '}'
put cli/null.c "${null[@]}"
compile core/clean.c cli/null.c
expect 1 'null.c.*NullDereference' 'the first file of a room is analyzed, whatever the time'

put cli/null.c 'int two(void);' 'int two(void)' '{' '    return 2;' '}'
expect 0 '2 of 2 files analyzed (1 remembered)' 'nothing is found in what is clean'
expect 0 '2 of 2 files analyzed (2 remembered)' 'what was clean is remembered'
put cli/null.c "${null[@]}"
expect 1 'null.c.*NullDereference' 'what is remembered is remembered by its content'

put cli/null.c '#include "cli/bad.h"' 'int two(void);' 'int two(void)' '{' '    return TWICE(1);' '}'
put cli/bad.h '#define TWICE(x) (2 * x)'
expect 1 'bad.h.*macro-parentheses' 'what is in a header'

put cli/null.c 'int two(void);' 'int two(void)' '{' '    return 2;' '}'
for file in a b c; do
    put cli/$file.c 'char *copy(const char *x);' 'void *malloc(unsigned long);' 'unsigned long strlen(const char *);' \
        'char *copy(const char *x)' '{' '    return malloc(strlen(x + 1));' '}'
done
compile core/clean.c cli/null.c cli/a.c cli/b.c cli/c.c
expect 1 '2 of 5 files analyzed.* 3 with findings' 'the other checks are made of files that are not analyzed'
expect 1 '5 of 5 files analyzed.* 3 with findings' 'there is no bound' --all
expect 1 'a.c.*misplaced-operator-in-strlen' 'a file that is named' "$tree/cli/a.c"

put build/made.c "${null[@]}"
rm "$tree"/cli/[abc].c
expect 0 '1 of   1  core' 'files are counted by room, without those of a build'

[ "$failures" -eq 0 ] && echo "all is caught"
exit "$((failures > 0))"
