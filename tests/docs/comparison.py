# SPDX-License-Identifier: MIT
"""Compares the output that a document shows with the output of a run.

What differs between hosts and runs is masked: numbers with their units, intervals, addresses, process IDs, folders. The
words, their order and the first row of each table have to match. A line or word `...` or `[...]` stands for any words.
"""
import dataclasses
import re

ROW = re.compile(r"^\s*\d+\.\d% ±")
ANY = {"...", "[...]"}
SHORTEST_BROKEN = 60  # a line that its terminal has broken is not much shorter than the terminal is wide
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# The line of `record`'s progress, which it clears at the end: meanwhile the program's output goes on behind it.
PROGRESS = re.compile(
    r"\r\x1b\[K[\d.]+ s(?: \([^)\r\n]*\))?(?:, (?:about \d+ s left|Ctrl-C shows the result so far|\d+ process(?:es)?"
    r"|[\d.,]+ (?:samples?|MB|L\d misses per [\d,]+ instructions|instructions)))*")
NUMBER = r"(?<![A-Za-z_\d.])[-+]?\d+(?:,\d{3})*(?:\.\d+)*"

# (what is masked, pattern, replacement), in this order, for a line without its breaks.
MASKS = [
    ("the bar of the waits", re.compile(r"\|[^|\s]{20,}\|"), "BAR"),
    ("a log's process and time", re.compile(r"\b\d+:[CMS] \d+ \w{3} \d{4} [\d:.]+"), "LOG"),
    ("the folder of a file", re.compile(r"(?<![\w.~])/(?:[^\s/]+/)+"), "/"),
    ("the C library's choice by processor", re.compile(r"_(?:avx|evex|sse)\w*"), "_CPU"),
    ("an instruction's operands", re.compile(r"\S*(?:%[a-z]\w+|\$-?0x)\S*"), "OPERANDS"),
    ("an address", re.compile(r"\b0x[0-9a-f]+|\b(?=[0-9a-f]*\d)[0-9a-f]{4,16}\b(?![-.])"), "0"),
    ("an instruction's address", re.compile(r"^( *code +)[0-9a-f]+:"), r"\g<1>0:"),
    ("an interval", re.compile(r" ?± ?\d+(?:,\d{3})*(?:\.\d+)?%?"), ""),
    ("a number with its unit",
     re.compile(NUMBER + r"(?: ?(?:[KMGT]i?B|[mµun]?s|B|seconds?|minutes?|K|M)\b| ?%)?"), "0"),
    ("all but the first cause, data or callers", re.compile(r"^( +(?:why|what|callers) .*? \(?0\)?)[,;] .*"), r"\1"),
    ("the kernel's share, which only some runs mention", re.compile(r" These are of user mode alone: .*? in the kernel\."), ""),
    ("the command that shows the kernel, if its share is large", re.compile(r"; `hardmeter [^`]*` (?:counts its misses|shows it)"), ""),
    ("which periods grew", re.compile(r"grew with the samples, .*?;"), "grew;"),
    ("the parts of the waits, the longest first", re.compile(r"BAR .*?no wait 0"), "BAR"),
    ("a core's frequency, which is absent if it varies", re.compile(r"( on CPU 0) at 0 GHz"), r"\1"),
    ("a bound", re.compile(r"\bat least 0"), "0"),
    ("all but the first of shares", re.compile(r"(\w 0)(?:, [\w. ]{1,16}? 0)+\b"), r"\1"),
    ("a plural", re.compile(r"\b(place|line|page|sample|row|episode|core|thread|cycle|level)s?\b"), r"\1"),
]


@dataclasses.dataclass
class Word:
    text: str
    line: int
    starts_line: bool


def plain(output):
    """Returns the lines of an output as a terminal leaves them: without control sequences and overwritten text."""
    output = PROGRESS.sub("", output).replace("\r\n", "\n")
    lines = [CONTROL.sub("", line) for line in output.split("\n")]
    lines = [line.rstrip("\r").rsplit("\r", 1)[-1].rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def joined(lines):
    """Joins the lines of one wrapped sentence. Yields (number of the first line, text)."""
    number, text, hanging = 0, None, ""
    for i, line in enumerate(lines):
        if text is not None and hanging and line.startswith(hanging) and not line[len(hanging):].startswith((" ", "|")):
            text += " " + line[len(hanging):]
            continue
        if text is not None:
            yield number, text
        number, text, hanging = i, line, hanging_indent(line, hanging)
    if text is not None:
        yield number, text


def hanging_indent(line, previous):
    """Returns the indent with which a wrapped sentence that starts in this line goes on, "" if it does not wrap."""
    if line.startswith(("# ", "#   |")):
        return "#   "
    if line.startswith("memory waits: ") or (previous == "  " and line.startswith("  ")):
        return "  "
    if re.match(r"^    [a-z]+( if)? {2,}\S", line):
        return " " * 13
    # A message, which a terminal's width breaks. A numbered place has lines of its own below it.
    is_message = len(line) > SHORTEST_BROKEN and not line.startswith("    ") and not re.match(r" *\d+\. ", line) and not ROW.match(line)
    return "    " if is_message else ""


def cut_names(line):
    """Shortens the names that the terminal's width cut, to the part in front that any width leaves."""
    return re.sub(r"(\S(?: ?\S){0,11}) ?(?:\S ?)*…(?: ?\S)*", r"\1", line) if "…" in line else line


def masked(line):
    """Returns one line with the differences between hosts and runs replaced."""
    line = cut_names(re.sub(r"^#( |$)", "", line))
    for _, pattern, replacement in MASKS:
        line = pattern.sub(replacement, line)
    return line


def kept_rows(lines, most):
    """Leaves out the rows of each table beyond the first ones."""
    kept, rows = [], 0
    for line in lines:
        rows = rows + 1 if ROW.match(line) else rows if line.startswith("    ") else 0
        if most is None or rows <= most:
            kept.append(line)
    return kept


def share_of(row):
    """Returns (share, half of its interval) of a table's row."""
    share, _, interval = re.match(r"\s*([\d.]+)%( ±([\d.]+))", row).groups()
    return float(share), float(interval)


def tables(lines):
    """Yields (title, first, last) of each run of rows that have no lines below them, and of the title above."""
    first = None
    for i, line in enumerate([*lines, ""]):
        if ROW.match(line):
            first = i if first is None else first
        elif first is not None:
            yield masked(lines[first - 1]).split() if first else [], first, i
            first = None


def in_shown_order(expected, found, any_order=0):
    """Returns the found lines with near-equal rows in the document's order: a row may stand in front of another if their
    intervals overlap, or if both are among the first rows of which any order is right."""
    found, at = list(found), 0
    theirs = list(tables(found))
    for title, first, last in tables(expected):
        table = next((i for i in range(at, len(theirs)) if theirs[i][0] == title), None)
        if table is None:
            continue
        at = table + 1
        _, begin, end = theirs[table]
        for row, line in zip(range(begin, end), expected[first:last]):
            share, interval = share_of(found[row])
            for other in range(row + 1, end):
                less, its_interval = share_of(found[other])
                near = less + its_interval >= share - interval or other - begin < any_order
                if near and masked(found[other]).split() == masked(line).split():
                    found[row], found[other] = found[other], found[row]
                    break
    return found


def words(lines, rows):
    """Returns the Words of an output."""
    found = []
    for number, text in joined(kept_rows(lines, rows)):
        for i, word in enumerate(masked(text).split()):
            found.append(Word(word, number, i == 0))
    return found


def segments(expected):
    """Splits the words at those that stand for any words."""
    parts = [[]]
    for word in expected:
        if word.text in ANY:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def length_of_match(segment, found, at):
    same = 0
    while same < len(segment) and at + same < len(found) and segment[same].text == found[at + same].text:
        same += 1
    return same


def place(segment, found, at, last):
    """Returns where a segment matches at or behind a position: (position, number of words that match there)."""
    candidates = range(at, len(found) + 1)
    end = len(found) - len(segment)
    if last and segment and end >= at and length_of_match(segment, found, end) == len(segment):
        return end, len(segment)
    best = (at, -1)
    for i in candidates:
        if segment and segment[0].starts_line and i < len(found) and not found[i].starts_line:
            continue
        same = length_of_match(segment, found, i)
        if same == len(segment) and not (last and segment):
            return i, same
        if same > best[1]:
            best = (i, same)
    return best


def difference(expected_lines, found_lines, rows=None, any_order=0):
    """Returns what differs in a line or two, None if the outputs match."""
    expected, found = words(expected_lines, rows), words(in_shown_order(expected_lines, found_lines, any_order), rows)
    parts, at = segments(expected), 0
    for number, segment in enumerate(parts):
        last = number == len(parts) - 1
        if number == 0:
            position, same = 0, length_of_match(segment, found, 0)
        else:
            position, same = place(segment, found, at, last)
        if same < len(segment):
            return explained(segment, same, found, position)
        at = position + same
    if at < len(found) and (parts[-1] or len(parts) == 1):
        return f"more than the document shows: '{' '.join(word.text for word in found[at:at + 12])}'"
    return None


def explained(segment, same, found, position):
    def around(those, at):
        return " ".join(word.text for word in those[max(0, at - 4):at + 8])
    behind = f"'{around(found, position + same)}'" if position + same < len(found) else "the end of the output"
    return f"the document shows '{around(segment, same)}', the run {behind}"
