#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Comments and documentation use plain English: words that stand for a noun, or that let code talk, are rare.

Counts these words per 1,000 words of comments in each room of src/, and of prose in the documentation. LevelDB's
comments have about 2; three times that is allowed.
"""
import pathlib
import re
import sys

MOST_PER_THOUSAND = 6
FEWEST_WORDS = 300  # fewer words give no meaningful rate

# "what" clauses instead of nouns, "where" instead of "if", code that talks, references outside the sentence.
FLAGGED = re.compile(
    r"\b(?:what (?:is|it|was|were|they|the|a|an|has|have)|where (?:there|it|one|none|nothing|they|no)|"
    r"tells?|told|says?|said|asks|asked|likewise|somebody|nobody|so (?:many|long|much|far) (?:as|that)|of which|"
    r"whose|such(?! as))\b", re.I)
COMMENT = re.compile(r"//+\s(.*)$|/\*(.*?)\*/|^\s*\*\s(.*)$")


def comments(text):
    """Returns the words of a C++ file's comments."""
    found = (COMMENT.search(line) for line in text.splitlines())
    return " ".join(next(filter(None, match.groups()), "") for match in found if match)


def prose(text):
    """Returns the words of a Markdown file without code."""
    without_blocks = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", without_blocks)


def rate(text):
    """Returns the flagged words per 1,000 words, 0 if there are too few words."""
    words = len(text.split())
    return 0 if words < FEWEST_WORDS else 1000 * len(FLAGGED.findall(text)) / words


def texts(root):
    """Returns the text to check by its name: each room of src/, the documentation, the README."""
    found = {}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in {".h", ".cc", ".c", ".S"} and "testdata" not in path.parts:
            room = str(path.parent.relative_to(root))
            found[room] = found.get(room, "") + comments(path.read_text(errors="replace")) + " "
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        found[str(path.relative_to(root))] = prose(path.read_text(errors="replace"))
    return found


def main():
    failed = False
    for name, text in texts(pathlib.Path.cwd()).items():
        if rate(text) > MOST_PER_THOUSAND:
            words = ", ".join(sorted({word.lower() for word in FLAGGED.findall(text)}))
            print(f"{name}: {rate(text):.1f} flagged words in 1,000, at most {MOST_PER_THOUSAND} are allowed: {words}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
