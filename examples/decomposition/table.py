#!/usr/bin/env python3
"""Where the time of four mini-apps goes on several networks: the table, and the bars as SVG.

    table.py FOLDER

FOLDER has NAME-NETWORK.json as run.sh makes them; the picture is FOLDER/decomposition.svg.
"""
import glob
import json
import os
import sys

PARTS = ("compute", "stack", "sync", "network")
TITLES = ("compute", "stack", "synchronization", "network")
COLOURS = ("#999999", "#E69F00", "#0072B2", "#D55E00")
NETWORKS = ("packet", "alpha-beta", "none")
NAMES = ("multigrid", "nekbone", "gtc", "dft", "multigrid-512", "nekbone-512", "gtc-512", "dft-128")
LEFT, WIDTH, TOP, ROW, GAP = 170, 560, 46, 18, 10


def read(folder):
    """(name, network) -> answer"""
    answers = {}
    for path in glob.glob(os.path.join(folder, "*.json")):
        name, network = next(((name, network) for name in NAMES for network in NETWORKS
                              if os.path.basename(path) == f"{name}-{network}.json"), (None, None))
        if name:
            with open(path, encoding="utf-8") as file:
                answers[name, network] = json.load(file)
    return answers


def percent(value):
    return f"{100 * value:.1f}"


def print_table(answers):
    print("| program | ranks | network | run time [ms] | compute [%] | stack | synchronization | network | verdict "
          "| critical path: compute [%] | stack | network |")
    print("|" + "---|" * 12)
    for name in NAMES:
        for network in NETWORKS:
            answer = answers.get((name, network))
            if not answer:
                continue
            program, parts, path = answer["programs"][0], answer["breakdown"][0], answer["path"][0]
            cells = [name, f"{program['ranks']:.0f}", network, f"{1e3 * program['alone_s']:.3f}"]
            cells += [percent(parts[f"{part}_frac"]) for part in PARTS] + [parts["bound"]]
            cells += [percent(path[f"{part}_frac"]) for part in PARTS if part != "sync"]
            print("| " + " | ".join(cells) + " |")


def print_findings(answers):
    print("\n| program | network / (stack + synchronization) | alpha-beta against packet | none against packet "
          "| network of its largest call, packet / alpha-beta | synchronization [ms]: packet, none |")
    print("|" + "---|" * 6)
    for name in NAMES:
        found = [answers.get((name, network)) for network in ("packet", "alpha-beta", "none")]
        if not all(found):
            continue
        parts = found[0]["breakdown"][0]
        times = [answer["programs"][0]["alone_s"] for answer in found]
        call = max(found[0]["calls"], key=lambda row: row["network_s"])
        other = next(row for row in found[1]["calls"] if row["call"] == call["call"])
        sync = [1e3 * answer["breakdown"][0]["sync_s"] for answer in (found[0], found[2])]
        hidden = parts["stack_frac"] + parts["sync_frac"]
        print(f"| {name} | {percent(parts['network_frac'] / hidden)} % | {percent(times[1] / times[0] - 1)} % "
              f"| {percent(times[2] / times[0] - 1)} % | {call['call']}: {call['network_s'] / other['network_s']:.1f} "
              f"| {sync[0]:.3f}, {sync[1]:.3f} |")


def share(answers, name, network, part):
    """Of a part, of the run time on packet; 0: not known."""
    answer, packet = answers.get((name, network)), answers.get((name, "packet"))
    return answer["breakdown"][0][f"{part}_s"] / packet["programs"][0]["alone_s"] if answer and packet else 0


def draw(answers, path):
    """Bars as shares of the run time on packet, a group a program."""
    bars = {(name, network): [share(answers, name, network, part) for part in PARTS]
            for name in NAMES for network in NETWORKS}
    longest = max(1, *(sum(bar) for bar in bars.values()))
    whole = WIDTH / longest
    y, lines = TOP, []
    for name in NAMES:
        for network in NETWORKS:
            bar, x = bars[name, network], LEFT
            if not sum(bar):
                continue
            lines.append(f'<text x="{LEFT - 6}" y="{y + 13}" text-anchor="end">{name} {network}</text>')
            for value, colour in zip(bar, COLOURS):
                width = whole * value
                lines.append(f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{ROW - 3}" fill="{colour}"/>')
                x += width
            y += ROW
        y += GAP
    ticks = [(LEFT + whole * tick / 100, tick) for tick in range(0, int(100 * longest) + 1, 20)]
    axis = [f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{y}" stroke="#DDDDDD"/>'
            f'<text x="{x:.1f}" y="{y + 14}" text-anchor="middle">{tick}</text>' for x, tick in ticks]
    keys = [f'<rect x="{LEFT + 140 * i}" y="14" width="12" height="12" fill="{colour}"/>'
            f'<text x="{LEFT + 140 * i + 17}" y="24">{title}</text>'
            for i, (title, colour) in enumerate(zip(TITLES, COLOURS))]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" height="{y + 40}" '
                   f'viewBox="0 0 {LEFT + WIDTH + 30} {y + 40}" font-family="sans-serif" font-size="11">\n'
                   '<rect width="100%" height="100%" fill="white"/>\n')
        file.write("\n".join(axis + keys + lines))
        file.write(f'\n<text x="{LEFT + WIDTH / 2}" y="{y + 32}" text-anchor="middle">mean of the ranks, share of the '
                   "run time on packet (%)</text>\n</svg>\n")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    answers = read(sys.argv[1])
    if not answers:
        sys.exit(f"{sys.argv[1]}: no results")
    print_table(answers)
    print_findings(answers)
    draw(answers, os.path.join(sys.argv[1], "decomposition.svg"))


main()
