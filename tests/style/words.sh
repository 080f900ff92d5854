#!/usr/bin/env bash
# Words that docs/glossary.md has better ones for are not in the tree: text, messages, comments.
set -u
cd "${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}" || exit 1
found=0
while IFS=: read -r pattern better; do
    if grep -rnIiE "\\b($pattern)\\b" --exclude-dir=build --exclude-dir=.git --exclude="$(basename "$0")" .; then
        echo "^ write: $better"
        found=1
    fi
done <<'LIST'
foretell(s|ing)?|foretold:predict
whoever:the rank, message or program that
bears (latency|interference):tolerates
standing lab|labs? (stands|stood):a lab exists
speaks for (all|the others):prints on behalf of all ranks
LIST
# Of these, in the sources of rooms.
mapfile -t sources < <(find . -name '*.[ch]' -not -path './build/*' -not -path './tests/*' -not -path './examples/*')
if grep -nwE 'told|is through|is ahead|in its turn|in their turn' "${sources[@]}"; then
    echo "^ write what happens: reported, known, distinguished, has been sent, is later, next"
    found=1
fi
# Rows of tables, too: Debian's lintian takes longer lines for what is no source.
if find . -name '*.md' -not -path './build/*' -exec awk 'length($0) > 512 { print FILENAME ":" FNR }' {} + | grep .; then
    echo "^ break it: at most 512 characters"
    found=1
fi
[ "$found" -eq 0 ] && echo "none of these words is there"
exit "$found"
