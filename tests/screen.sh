# shellcheck shell=bash
# on_screen FILE: an answer of at most 25 lines of 100 columns that ends in a sentence. Says what is wrong.
on_screen() {
    LC_ALL=C.UTF-8 awk '
        length > 100 { print length " columns: " $0; bad = 1 }
        NF { last = $0 }
        END {
            if (NR > 25 || NR == 0) { print NR " lines"; bad = 1 }
            if (last !~ /[a-z0-9%)].*\.$/) { print "does not end in a sentence: " last; bad = 1 }
            exit bad
        }' "$1"
}
