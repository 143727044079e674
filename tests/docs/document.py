# SPDX-License-Identifier: MIT
"""The commands of a Markdown document, and the lines that show their outputs. README.md describes the marks."""
import dataclasses
import re

FENCE = re.compile(r"^```(\S*)$")
MARK = re.compile(r"^<!-- ([a-z ]+?)(?:: (.*?))? -->$")
MARKS = {"not run", "needs", "rows", "columns", "starts in", "more of the output", "skips the rest", "first lines"}
HEADING = re.compile(r"^(#+) (.+)$")
COMMANDS_WITHOUT_OUTPUT = "sh"


@dataclasses.dataclass
class Command:
    text: str
    line: int  # of the document, from 1
    section: str
    needs: list  # programs without which the section is skipped
    not_run: str  # the reason, "" if the command runs
    rows: int | None  # rows of a table that are compared, None: all
    any_order: int  # of these rows, any order is right
    first_lines: int | None  # lines of the output that are compared, None: all
    compared: bool
    skips_rest: str  # an output with these words skips the rest of the document
    parts: list = dataclasses.field(default_factory=list)  # [first, last) of the document's lines with the output


@dataclasses.dataclass
class Document:
    lines: list
    commands: list
    columns: int
    folder: str
    errors: list


def commands_in(block, first):
    """Yields (text, line, first, last) of each command in a console block: `$ ` starts one, `> ` goes on with it."""
    starts = [i for i, line in enumerate(block) if line.startswith("$ ")] + [len(block)]
    for start, end in zip(starts, starts[1:]):
        text, i = [block[start][2:]], start + 1
        while i < end and block[i].startswith("> "):
            text.append(block[i][2:])
            i += 1
        yield "\n".join(text), first + start + 1, first + i, first + end


def end_of_fence(lines, start):
    return next((i for i in range(start + 1, len(lines)) if lines[i] == "```"), len(lines))


def parse(text):
    """Returns the Document. Its errors are the blocks that are neither commands nor marked."""
    lines = text.splitlines()
    document = Document(lines, [], 100, ".", [])
    section, needs, needs_depth, depth, marks, i = "", [], 0, 0, {}, 0
    while i < len(lines):
        fence, mark, heading = FENCE.match(lines[i]), MARK.match(lines[i]), HEADING.match(lines[i])
        if heading:
            depth, section = len(heading[1]), heading[2]
            if depth <= needs_depth:
                needs, needs_depth = [], 0
        elif mark and mark[1] not in MARKS:
            document.errors.append(f"line {i + 1}: unknown mark '{mark[1]}'")
        elif mark and mark[1] == "needs":
            needs, needs_depth = mark[2].split(), depth
        elif mark and mark[1] == "columns":
            document.columns = int(mark[2])
        elif mark and mark[1] == "starts in":
            document.folder = mark[2]
        elif mark:
            marks[mark[1]] = mark[2]
        elif fence:
            first, end = i + 1, end_of_fence(lines, i)
            add_block(document, lines[first:end], first, fence[1], marks, section, needs)
            marks, i = {}, end
        elif lines[i].startswith("    ") and (i == 0 or not lines[i - 1].strip()) and not in_list(lines, i):
            document.errors.append(f"line {i + 1}: an indented block; fences tell commands from other text")
        i += 1
    return document


def in_list(lines, i):
    """True if the nearest line above that is neither blank nor indented begins a list's item."""
    above = next((line for line in reversed(lines[:i]) if line.strip() and not line.startswith(" ")), "")
    return re.match(r"^([-*]|\d+\.) ", above) is not None


def add_block(document, block, first, language, marks, section, needs):
    if "more of the output" in marks:
        if document.commands:
            document.commands[-1].parts.append((first, first + len(block)))
        else:
            document.errors.append(f"line {first}: no command is above whose output goes on here")
        return
    common = dict(section=section, needs=needs, not_run=marks.get("not run", ""), skips_rest=marks.get("skips the rest", ""),
                  rows=int(marks["rows"].split()[0]) if "rows" in marks else None,
                  any_order=int(marks["rows"].split()[0]) if marks.get("rows", "").endswith(" in any order") else 0,
                  first_lines=int(marks["first lines"]) if "first lines" in marks else None)
    if language == COMMANDS_WITHOUT_OUTPUT:
        document.commands.append(Command("\n".join(block), first + 1, compared=False, **common))
    elif language == "" and block and block[0].startswith("$ "):
        for text, line, begin, end in commands_in(block, first):
            document.commands.append(Command(text, line, compared=True, parts=[(begin, end)], **common))
    elif language == "" and not common["not_run"]:
        document.errors.append(f"line {first}: a block without commands; name its language, or mark the command's output")
