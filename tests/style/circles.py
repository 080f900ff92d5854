#!/usr/bin/env python3
"""Sources of a room that call each other in a circle.

usage: circles.py BUILD [SOURCE]

Of each target in the build tree, an object that uses a symbol of another one depends on it. A circle of
such objects has to be read, tested and changed as one. None is allowed.
"""
import collections
import pathlib
import subprocess
import sys


def objects_of(build, source):
    """{target: [object]}, of sources that are still there, without tests."""
    targets = collections.defaultdict(list)
    for path in build.glob('**/CMakeFiles/*.dir/**/*.o'):
        parts = path.relative_to(build).parts
        at = parts.index('CMakeFiles')
        if at == 0 or parts[0] == 'tests':
            continue
        folder = source.joinpath(*parts[:at])
        below = ['..' if part == '__' else part for part in parts[at + 2:]]
        if folder.joinpath(*below).with_suffix('').is_file():
            targets[parts[at + 1][:-len('.dir')]].append(path)
    return targets


def symbols(option, objects):
    """[(object, symbol)] as nm lists them."""
    output = subprocess.run(['nm', '-A', *option, *map(str, objects)], check=True,
                            capture_output=True, text=True).stdout
    for line in output.splitlines():
        path, _, rest = line.partition(':')
        yield path, rest.split()[-1]


def uses(objects):
    """{object: {object: [symbol]}}"""
    definer = {symbol: path for path, symbol in symbols(['-g', '--defined-only'], objects)}
    graph = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, symbol in symbols(['-u'], objects):
        if definer.get(symbol, path) != path:
            graph[path][definer[symbol]].append(symbol)
    return graph


def reachable(graph, start):
    seen, rest = set(), [start]
    while rest:
        for other in graph.get(rest.pop(), {}):
            if other not in seen:
                seen.add(other)
                rest.append(other)
    return seen


def circles(graph):
    """Sets of objects each of which reaches all others of its set."""
    reach = {path: reachable(graph, path) for path in list(graph)}
    found = {frozenset(other for other in reach[path] if path in reach.get(other, ()))
             for path in reach if path in reach[path]}
    return sorted(found, key=sorted)


def name_of(path):
    return pathlib.Path(path).name[:-len('.o')]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    source = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[2])
    targets = objects_of(build, source.resolve())
    if not targets:
        sys.exit(f'{build}: no objects; build first')
    faults = 0
    for target, objects in sorted(targets.items()):
        graph = uses(objects)
        for circle in circles(graph):
            names = tuple(sorted(map(name_of, circle)))
            faults += 1
            print(f'{target}: a circle of {" ".join(names)}')
            for path in sorted(circle):
                for other in sorted(set(graph[path]) & circle):
                    print(f'    {name_of(path)} uses {" ".join(sorted(set(graph[path][other])))} of {name_of(other)}')
    if faults:
        sys.exit(f'{faults} faults')
    print(f'no circles in {len(targets)} targets')


main()
