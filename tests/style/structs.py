#!/usr/bin/env python3
"""Structs of more than 20 members whose comment gives no reason.

usage: structs.py [SOURCE]

A struct that large is usually several. Where it reads better as one, the comment in front of it says why, in a
sentence with the words "one struct". A struct inside another one is one member of it.
"""
import os
import pathlib
import re
import sys

MEMBERS_MAX = 20
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
STRUCT = re.compile(r'^[ \t]*(?:typedef )?struct (\w+)?\s*\{', re.MULTILINE)


def body_of(code, begin):
    depth, at = 1, begin
    while depth and at < len(code):
        depth += {'{': 1, '}': -1}.get(code[at], 0)
        at += 1
    return code[begin:at - 1]


def count_members(body):
    depth = n = 0
    is_empty = True
    for letter in body:
        depth += {'{': 1, '(': 1, '[': 1, '}': -1, ')': -1, ']': -1}.get(letter, 0)
        if depth == 0 and letter in ',;' and not is_empty:
            n += 1
        if depth == 0:
            is_empty = letter == ';' or (is_empty and letter.isspace())
    return n


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get('CROSSTALK_SOURCE', pathlib.Path(__file__).parents[2]))
    failed = False
    for path in sorted(source.glob('*/**/*.[ch]')):
        name = path.relative_to(source)
        if name.parts[0] in ('tests', 'examples', 'build'):
            continue
        text = path.read_text(encoding='utf-8', errors='replace')
        code = COMMENT.sub(lambda match: re.sub(r'[^\n]', ' ', match.group()), text)
        for match in STRUCT.finditer(code):
            n = count_members(body_of(code, match.end()))
            before = text[:match.start()].rstrip()
            reason = before[before.rfind('/*'):] if before.endswith('*/') else ''
            if n > MEMBERS_MAX and 'one struct' not in ' '.join(reason.lower().replace('*', ' ').split()):
                print(f'{name}:{code.count(chr(10), 0, match.start()) + 1}: struct {match.group(1)} has {n} members')
                failed = True
    if failed:
        print(f'^ more than {MEMBERS_MAX}: split it, or say why it is one struct in the comment in front of it')
    sys.exit(failed)


main()
