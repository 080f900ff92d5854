#!/usr/bin/env bash
# The test of links must catch what it is there for: each line below, put into a document, is refused.
set -u
source_dir=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
python=${PYTHON3:-/usr/bin/python3}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/docs"
# shellcheck disable=SC2016 # the ` is Markdown's
printf '%s\n' '# A heading: `--option`, twice' '## Again' '## Again' '' '    [code](nowhere.md)' '' \
    '```' '[code](nowhere.md)' '```' '<a id="term"></a>**Term**: a word' >"$tree/docs/other.md"
failures=0
check() { # expected exit code, line
    printf '%s\n' "$2" >"$tree/README.md"
    "$python" "$source_dir/tests/style/links.py" "$tree" >/dev/null
    [ $? -eq "$1" ] && return
    echo "exit code not $1: $2"
    failures=$((failures + 1))
}
while IFS= read -r line; do
    check 0 "$line"
done <<'LIST'
[file](docs/other.md), [folder](docs), [web](https://example.org/nowhere.md)
the file `docs/other.md`, another project's `maint/tuning/file.txt`
[heading](docs/other.md#a-heading---option-twice), [second](docs/other.md#again-1), [term](docs/other.md#term)
LIST
while IFS= read -r line; do
    check 1 "$line"
done <<'LIST'
[file](docs/others.md)
![picture](docs/picture.svg)
[heading](docs/other.md#another)
[third](docs/other.md#again-2)
[here](#nowhere)
a table cell | [file](other.md) |
a file in code: `docs/others.md`
LIST
[ "$failures" -eq 0 ] && echo "all broken links are caught"
exit "$((failures > 0))"
