#!/usr/bin/env python3
"""Static functions whose names are one word.

usage: names.py [SOURCE]

A name such as add or step stands in dozens of files and cannot be found: it takes a verb and a noun.
"""
import collections
import os
import pathlib
import re
import sys

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.DOTALL)
# "static TYPE NAME(" at the beginning of a line, with attributes and on two lines too, up to a body.
FUNCTION = re.compile(r'^static\s[^;{}()=]*?(?:__attribute__\(\([^()]*(?:\([^()]*\))?\)\)[^;{}()=]*?)?'
                      r'\b([A-Za-z0-9]+)\((?:[^;{}]*)\)\s*\{', re.MULTILINE)


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get('CROSSTALK_SOURCE', pathlib.Path(__file__).parents[2]))
    found = collections.defaultdict(list)
    for path in sorted(source.glob('*/**/*.[ch]')):
        name = path.relative_to(source)
        if name.parts[0] in ('tests', 'examples', 'build'):
            continue
        for match in FUNCTION.finditer(COMMENT.sub(' ', path.read_text(encoding='utf-8', errors='replace'))):
            if match.group(1) != 'main':
                found[name.parts[0]].append(f'{name}: {match.group(1)}()')
    for room, names in sorted(found.items()):
        print('\n'.join(names))
        print(f'^ {room}: {len(names)} static functions of one word: verb and noun')
    sys.exit(1 if found else 0)


main()
