# SPDX-License-Identifier: MIT
"""Puts the lines of a new output in place of those that a document shows. Lines with `...` stay, and stand for what the
output has between the lines above and below them."""
import difflib

from comparison import ANY, masked

LEAST_SIMILAR = 0.6
MOST_LINES_MORE = 10  # that a renewed segment may have


def similar(a, b):
    """Returns how alike the words of two lists of lines are: 1 if they are the same but for what is masked."""
    one, other = (" ".join(masked(line) for line in lines).split() for lines in (a, b))
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def most_similar(candidates, likeness):
    """Returns the first of the candidates that are most alike, None if there are none."""
    return max(candidates, key=lambda i: (likeness(i), -i), default=None)


def renewed_segment(segment, output, start, anchored, open_end):
    """Returns (first, last) of the output's lines for a segment; None if its first line has no counterpart."""
    first = start
    if not anchored:
        starts = [i for i in range(start, len(output)) if similar(segment[:1], output[i:i + 1]) >= LEAST_SIMILAR]
        first = most_similar(starts, lambda i: similar(segment, output[i:i + len(segment)]))
    if first is None:
        return None
    if not open_end:
        return first, len(output)
    ends = range(first + 1, min(len(output), first + len(segment) + MOST_LINES_MORE) + 1)
    return first, most_similar(ends, lambda i: similar(segment, output[first:i]))


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
