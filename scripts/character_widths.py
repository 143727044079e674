#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/base/character_widths.h from the Unicode Character Database (Debian's package unicode-data).

    scripts/character_widths.py [/usr/share/unicode] >src/base/character_widths.h
"""
import pathlib
import re
import sys

NO_COLUMN = {"Mn", "Me", "Cf"}  # UAX 44: marks on the character before, and formats
SOFT_HYPHEN = 0xAD  # terminals show it
HANGUL_VOWELS_AND_FINALS = [(0x1160, 0x11FF), (0xD7B0, 0xD7FF)]  # drawn in the columns of the consonant before


def entries(path):
    """Yields (first, last, value) of a file whose lines are "FIRST..LAST;VALUE # comment"."""
    for line in path.read_text(encoding="utf-8").splitlines():
        found = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", line)
        if found:
            yield int(found[1], 16), int(found[2] or found[1], 16), found[3]


def categories(path):
    """Yields (first, last, category) of UnicodeData.txt, where "<..., First>" and "<..., Last>" stand for a range."""
    first = None
    for line in path.read_text(encoding="utf-8").splitlines():
        point, name, category = line.split(";")[:3]
        if name.endswith(", First>"):
            first = int(point, 16)
        else:
            yield (int(point, 16) if first is None else first), int(point, 16), category
            first = None


def joined(ranges):
    """Returns the sorted ranges, neighbours joined."""
    out = []
    for first, last in sorted(ranges):
        if out and first <= out[-1][1] + 1:
            out[-1][1] = max(out[-1][1], last)
        else:
            out.append([first, last])
    return out


def array(name, comment, ranges):
    cells = [f"{{0x{first:x}, 0x{last:x}}}," for first, last in ranges]
    lines, line = [], " "
    for cell in cells:
        if len(line) + 1 + len(cell) > 110:
            lines.append(line)
            line = " "
        line += " " + cell
    return "\n".join([f"// {comment}", f"inline constexpr CharacterRange {name}[] = {{", *lines, line, "};"])


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    version = re.search(r"EastAsianWidth-([\d.]+)\.txt", (folder / "EastAsianWidth.txt").read_text("utf-8"))[1]
    none = [(first, last) for first, last, category in categories(folder / "UnicodeData.txt")
            if category in NO_COLUMN and first != SOFT_HYPHEN]
    none = joined(none + HANGUL_VOWELS_AND_FINALS)
    narrow = {point for first, last in none for point in range(first, last + 1)}
    wide = joined((point, point) for first, last, width in entries(folder / "EastAsianWidth.txt") if width in "WF"
                  for point in range(first, last + 1) if point not in narrow)
    print("// SPDX-License-Identifier: MIT")
    print(f"// Written by scripts/character_widths.py from Unicode {version}.")
    print("#pragma once\n\n// clang-format off\nnamespace hm {\n")
    print("struct CharacterRange {\n  char32_t first, last;\n};\n")
    print(array("kTwoColumns", "East_Asian_Width W and F (UAX 11).", wide) + "\n")
    print(array("kNoColumn", "General_Category Mn, Me and Cf (UAX 44), without the soft hyphen.", none) + "\n")
    print("}  // namespace hm")


if __name__ == "__main__":
    main()
