#!/usr/bin/env bash
# An option row whose member has another type than the row writes does not compile.
# usage: option_rows.sh COMPILER
set -euo pipefail
compiler=$1
root=$(cd "$(dirname "$0")/../.." && pwd)

compiles() { # KIND TYPE
    "$compiler" -std=gnu11 -fsyntax-only -I "$root" -x c - 2>/dev/null <<END
#include "core/option.h"
struct values { $2 member; };
const struct ct_option row = {.name = "row", CT_OPTION_AT($1, struct values, member)};
const struct ct_option given = {.given = CT_OFFSET_OF($2, struct values, member)};
END
}

while read -r kind type other; do
    compiles "$kind" "$type" || { echo "$kind over $type does not compile"; exit 1; }
    if compiles "$kind" "$other"; then
        echo "$kind over $other compiles"
        exit 1
    fi
done <<'END'
DURATION double int
FLAG bool int
U64 uint64_t int
CHOICE int bool
SIZE size_t double
SEED uint64_t double
RATE double float
END
compiles STRING 'const char *' || { echo "STRING over a string does not compile"; exit 1; }
! compiles STRING 'char' || { echo "STRING over a char compiles"; exit 1; }
compiles CUSTOM 'int'
