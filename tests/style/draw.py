#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws comments, names and messages at random for a reader who has seen nothing else of the source:
  draw.py [--seed N] [--comments 60] [--names 30] [--messages 30]
Each should be understood at first reading. The same seed draws the same lines from the same source.
"""
import argparse
import pathlib
import random
import re

NOT_OURS = {"testdata"}
COMMENT = re.compile(r"((?:^[ \t]*//[^\n]*\n)+)([^\n]*)", re.M)
# Declarations of functions in headers: after a qualifier, or with typed parameters.
NAME = re.compile(r"^\s*\[\[nodiscard\]\] (?:static |inline |constexpr |virtual )*([\w:]+(?:<[^;{}()]*>)?[ &*]+\w+\([^;{}]*?\)(?: const)?)", re.M)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def sources(root):
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".cc", ".h") and not NOT_OURS & set(path.parts) and not path.name.endswith("_test.cc"):
            yield str(path.relative_to(root)), path.read_text(encoding="utf-8")


def comments_of(text):
    """Yields each comment with the line of code behind it."""
    for found in COMMENT.finditer(text):
        if "SPDX" not in found.group(1):
            yield found.group(1).rstrip() + "\n" + found.group(2)


def names_of(text):
    return [re.sub(r"\s+", " ", found.group(1)) for found in NAME.finditer(text)]


def messages_of(text):
    return [found for found in LITERAL.findall(text) if len(found.split()) >= 5 and not re.search(r"\b(SELECT|INSERT|CREATE)\b|%\[", found)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=1)
    for kind, count in (("comments", 60), ("names", 30), ("messages", 30)):
        options.add_argument(f"--{kind}", type=int, default=count)
    given = options.parse_args()
    files = list(sources(pathlib.Path(__file__).resolve().parents[2]))
    for kind, of in (("comments", comments_of), ("names", names_of), ("messages", messages_of)):
        found = [(path, each) for path, text in files if kind != "names" or path.endswith(".h") for each in of(text)]
        print(f"# {kind}: {getattr(given, kind)} of {len(found)}\n")
        for number, (path, each) in enumerate(random.Random(given.seed).sample(found, getattr(given, kind)), 1):
            print(f"{kind[0].upper()}{number}. {path}\n{each}\n")


if __name__ == "__main__":
    main()
