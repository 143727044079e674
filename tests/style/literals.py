#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A string literal is not split inside a sentence, so that grep finds each message as the user sees it.

Literals may follow each other only if the first ends a line of the text (`\\n`). --join joins the others.
"""
import pathlib
import re
import sys

LITERAL = r'"(?:[^"\\\n]|\\.)*"'
SPLIT = re.compile(rf"({LITERAL})((?:\s*\n\s*{LITERAL})+)")
ONE = re.compile(LITERAL)
ENDS_LINE = re.compile(r'(?:\\n|\\r\\n)(?:\\t)*"$')
# Not sentences: SQL, HTML, shell completions, lists of names without blanks.
NOT_SENTENCES = re.compile(r"\b(?:SELECT|INSERT|CREATE|DELETE|GROUP BY)\b|^\"(?:<|complete -c|        )|^[^ ]*$")
RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)


def parts_of(found):
    """Returns the literals of a match, joined where one does not end a line of the text."""
    joined = []
    for part in ONE.findall(found):
        if joined and not ENDS_LINE.search(joined[-1]):
            joined[-1] = joined[-1][:-1] + part[1:]
        else:
            joined.append(part)
    return joined


def splits_in(text):
    """Returns the matches of literals that are split inside a sentence."""
    raw = [(found.start(), found.end()) for found in RAW.finditer(text)]
    return [found for found in SPLIT.finditer(text)
            if len(parts_of(found.group())) < len(ONE.findall(found.group()))
            and not any(NOT_SENTENCES.search(part) for part in parts_of(found.group()))
            and not any(begin <= found.start() < end for begin, end in raw)]


def joined(text):
    for found in reversed(splits_in(text)):
        indent = " " * (found.start() - text.rfind("\n", 0, found.start()) - 1)
        text = text[:found.start()] + ("\n" + indent).join(parts_of(found.group())) + text[found.end():]
    return text


def sources(root):
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".cc", ".h", ".c") and "testdata" not in path.parts and not path.name.endswith("_test.cc"):
            yield path


def main():
    root, failed = pathlib.Path.cwd(), False
    for path in sources(root):
        text = path.read_text(encoding="utf-8")
        if sys.argv[1:] == ["--join"]:
            if splits_in(text):
                path.write_text(joined(text), encoding="utf-8")
            continue
        for found in splits_in(text):
            print(f"{path.relative_to(root)}:{text.count(chr(10), 0, found.start()) + 1}: split: {found.group(1)}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
