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


def symbols(objects):
    """{object: ([symbol that it defines], [symbol that it uses])}"""
    output = subprocess.run(['nm', '-A', '-g', *map(str, objects)], check=True,
                            capture_output=True, text=True).stdout
    found = collections.defaultdict(lambda: ([], []))
    for line in output.splitlines():
        path, _, rest = line.partition(':')
        *_, kind, symbol = rest.split()
        found[path][kind in 'Uwv'].append(symbol)
    return found


def uses(objects, symbols_of):
    """{object: {object: [symbol]}}"""
    paths = list(map(str, objects))
    definer = {symbol: path for path in paths for symbol in symbols_of[path][0]}
    graph = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in paths:
        for symbol in symbols_of[path][1]:
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
    symbols_of = symbols(sum(targets.values(), []))
    for target, objects in sorted(targets.items()):
        graph = uses(objects, symbols_of)
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
