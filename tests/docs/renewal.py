# SPDX-License-Identifier: MIT
"""Puts the lines of a new output in place of those that a document shows. Lines with `...` stay, and stand for what the
output has between the lines above and below them."""
import difflib

from comparison import ANY, masked

LEAST_SIMILAR = 0.6


def similar(a, b):
    return difflib.SequenceMatcher(None, masked(a).split(), masked(b).split(), autojunk=False).ratio()


def most_similar(line, output, start):
    """Returns the index of the line from start on that is most like a line, None if none is like it."""
    best, at = LEAST_SIMILAR, None
    for i in range(start, len(output)):
        ratio = similar(line, output[i])
        if ratio > best or (at is None and ratio >= best):
            best, at = ratio, i
    return at


def renewed_segment(segment, output, start, anchored, open_end):
    """Returns (first, last) of the output's lines for a segment; None if its first line has no counterpart."""
    first = start if anchored else most_similar(segment[0], output, start)
    if first is None:
        return None
    if not open_end:
        return first, len(output)
    last = first if len(segment) == 1 else most_similar(segment[-1], output, first + 1)
    return first, (first + len(segment) - 1 if last is None else last) + 1


def items(lines):
    """Splits lines into runs: a list of lines, or a line that stands for any."""
    found = []
    for line in lines:
        if line.strip() in ANY:
            found.append(line)
        elif found and isinstance(found[-1], list):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def renewed(parts, output):
    """Returns new lines for each part, and the lines without a counterpart (their segments stay as they are)."""
    results, lost, at = [], [], 0
    for number, part in enumerate(parts):
        result, those = [], items(part)
        anchored = number == 0 and (not those or isinstance(those[0], list))
        if number == 0 and not those:
            result, at = list(output), len(output)
        for i, item in enumerate(those):
            if not isinstance(item, list):
                result.append(item)
                anchored = False
                continue
            open_end = i + 1 < len(those) or number + 1 < len(parts)
            place = renewed_segment(item, output, at, anchored, open_end)
            if place is None:
                lost.append(item[0])
                result += item
            else:
                result += output[place[0]:place[1]]
                at = place[1]
            anchored = False
        results.append(result)
    return results, lost
