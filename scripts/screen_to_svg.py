#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A picture of a terminal's screen, for the documentation: from `tmux capture-pane -e -N -p` on standard input, SVG
on standard output. The argument, how the screen was made, becomes its description.

Knows the attributes (ECMA-48: SGR) that hardmeter's screens have: bold, inverse, the eight colours."""
import re
import sys
from xml.sax.saxutils import escape

CELL_WIDTH, CELL_HEIGHT, BASELINE, MARGIN = 8, 17, 13, 8
BACKGROUND, FOREGROUND = "#1e1e1e", "#d4d4d4"
COLORS = ["#1e1e1e", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d4d4d4"]
BRIGHT = ["#5c6370", "#ff8f98", "#b9e69b", "#ffd98f", "#8fcbff", "#e39bff", "#7fdde8", "#ffffff"]
EIGHTHS = " ▁▂▃▄▅▆▇█"  # drawn as boxes: a font's leave gaps between lines


class Attributes:
    def __init__(self):
        self.color, self.bold, self.inverse = None, False, False

    def obey(self, number):
        if number == 0:
            self.__init__()
        elif number in (1, 22):
            self.bold = number == 1
        elif number in (7, 27):
            self.inverse = number == 7
        elif 30 <= number <= 37:
            self.color = number - 30
        elif number == 39:
            self.color = None

    def colors(self):
        """Of what is written, and of what is behind it."""
        color = FOREGROUND if self.color is None else (BRIGHT if self.bold else COLORS)[self.color]
        return (BACKGROUND, color) if self.inverse else (color, BACKGROUND)


def runs_of(line, attributes):
    """Column, text, colour, background."""
    column = 0
    for part in re.split(r"(\x1b\[[0-9;]*m|\x0e|\x0f)", line):
        if part.startswith("\x1b["):
            for number in part[2:-1].split(";"):
                attributes.obey(int(number or 0))
        elif part and part not in "\x0e\x0f":
            yield (column, part, *attributes.colors())
            column += len(part)


def box(x, y, width, height, color):
    return f'<rect x="{x}" y="{y:g}" width="{width}" height="{height:g}" fill="{color}"/>'


def drawn(row, column, text, color, background):
    x, y = MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT
    if background != BACKGROUND:
        yield box(x, y, len(text) * CELL_WIDTH, CELL_HEIGHT, background)
    for match in re.finditer(r"([▁▂▃▄▅▆▇█])\1*|[^\s▁▂▃▄▅▆▇█]+( [^\s▁▂▃▄▅▆▇█]+)*", text):
        left, columns = x + match.start() * CELL_WIDTH, len(match[0])
        if match[1]:
            height = CELL_HEIGHT * EIGHTHS.index(match[1]) / 8
            yield box(left, y + CELL_HEIGHT - height, columns * CELL_WIDTH, height, color)
        else:
            yield (f'<text x="{left}" y="{y + BASELINE}" fill="{color}" textLength="{columns * CELL_WIDTH}" '
                   f'lengthAdjust="spacingAndGlyphs">{escape(match[0])}</text>')


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    attributes = Attributes()
    runs = [(row, *run) for row, line in enumerate(lines) for run in runs_of(line, attributes)]
    width = 2 * MARGIN + CELL_WIDTH * max((column + len(text) for _, column, text, _, _ in runs), default=0)
    height = 2 * MARGIN + CELL_HEIGHT * len(lines)
    said = sys.argv[1] if len(sys.argv) > 1 else ""
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
          f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" '
          f'font-size="13" xml:space="preserve">')
    print(f"<!-- SPDX-License-Identifier: MIT -->\n<desc>{escape(said)}</desc>")
    print(f'<rect width="{width}" height="{height}" rx="6" fill="{BACKGROUND}"/>')
    for run in runs:
        print(*drawn(*run), sep="\n")
    print("</svg>")


if __name__ == "__main__":
    main()
