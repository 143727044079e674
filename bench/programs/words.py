# SPDX-License-Identifier: MIT
"""Counts the words of a text (argument: a file), sorts them, and makes JSON of them and back, a few times."""
import collections
import json
import sys

with open(sys.argv[1]) as file:
    text = file.read()
for _ in range(2):
    counts = collections.Counter(text.split())
    rows = [{"word": word, "count": count, "reverse": word[::-1]} for word, count in sorted(counts.items())]
    again = json.loads(json.dumps(rows))
    letters = sum(ord(letter) for letter in text[::3])
print(len(again), letters)
