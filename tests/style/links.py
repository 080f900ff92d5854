#!/usr/bin/env python3
"""Links between the Markdown files of the tree: each file and each heading that a link names is there, and
so is each file of the tree that is named in code (`folder/file.c`).

links.py [TREE]; a heading's anchor is the one that GitHub gives it, or <a id="..."></a>.
"""
import os
import re
import sys

TREE = (sys.argv[1:] or [os.environ.get("CROSSTALK_SOURCE")
                         or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")])[0]
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)")
PATH = re.compile(r"`((?:[a-z][a-z0-9_-]*/)+[a-z][a-z0-9_.-]*\.(?:c|h|py|sh|txt|yaml|md))`")
CODE = re.compile(r"(`+)(?:.(?!\1))*.?\1", re.DOTALL)


def documents():
    for folder, folders, names in os.walk(TREE):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "build")
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))


def prose_of(path):
    """The lines of a file; empty ones in place of blocks of code."""
    fenced, indented, blank, lines = False, False, True, []
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            fence = line.lstrip().startswith("```")
            indented = line.startswith("    ") and (blank or indented)
            blank = not line.strip()
            lines.append("" if fenced or fence or indented else line)
            fenced ^= fence
    return lines


def slug(heading):
    """What GitHub makes of the text of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors_of(path):
    found = {}
    for line in prose_of(path):
        heading = re.match(r"#{1,6} +(.*?)#*$", line)
        if heading:
            name = slug(heading.group(1))
            count = found[name] = found.get(name, -1) + 1
            found.setdefault(f"{name}-{count}" if count else name, 0)
        for name in re.findall(r'<a id="([^"]+)">', line):
            found[name] = 0
    return found


def problems_of(path, anchors):
    prose = prose_of(path)
    for number, line in enumerate(prose, 1):
        for name in PATH.findall(line):
            is_ours = os.path.isdir(os.path.join(TREE, name.split("/")[0]))
            if is_ours and not os.path.exists(os.path.join(TREE, name)):
                yield f"{os.path.relpath(path, TREE)}:{number}: {name}: no such file"
        for target in LINK.findall(CODE.sub("", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            where = f"{os.path.relpath(path, TREE)}:{number}"
            if not os.path.exists(file):
                yield f"{where}: {target}: no such file"
            elif anchor and file.endswith(".md"):
                if file not in anchors:
                    anchors[file] = anchors_of(file)
                if anchor not in anchors[file]:
                    yield f"{where}: {target}: no such heading"


def main():
    anchors, problems, n = {}, [], 0
    for path in documents():
        n += 1
        problems += problems_of(path, anchors)
    print("\n".join(problems) if problems else f"the links of {n} documents lead somewhere")
    sys.exit(bool(problems) or n == 0)


main()
