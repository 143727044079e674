#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests literals.py."""
import unittest

from literals import joined, splits_in


class Literals(unittest.TestCase):
    def test_a_sentence_is_split(self):
        text = 'say("cannot read {}: "\n    "it is empty");\n'
        self.assertEqual(len(splits_in(text)), 1)
        self.assertEqual(joined(text), 'say("cannot read {}: it is empty");\n')

    def test_lines_of_a_text_may_stand_below_each_other(self):
        text = 'say("first line\\n"\n    "second line\\n");\n'
        self.assertEqual(splits_in(text), [])
        self.assertEqual(joined(text), text)

    def test_only_the_split_line_is_joined(self):
        text = 'say("first line\\n"\n    "second "\n    "line\\n");\n'
        self.assertEqual(joined(text), 'say("first line\\n"\n    "second line\\n");\n')

    def test_separate_literals_are_not_split(self):
        self.assertEqual(splits_in('f("one", "two");\nf("a" + text + "b");\nf("\\"quoted\\"", "x");\n'), [])

    def test_lists_and_queries_are_no_sentences(self):
        self.assertEqual(splits_in('f("ONE:TWO:"\n  "THREE");\ng("SELECT a "\n  "FROM b");\n'), [])

    def test_raw_literals_may_hold_quotes(self):
        self.assertEqual(splits_in('R"(\n"a"\n"b"\n)"'), [])


if __name__ == "__main__":
    unittest.main()
