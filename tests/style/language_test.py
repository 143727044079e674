#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of language.py."""
import unittest

import language


class Language(unittest.TestCase):
    def test_only_comments_of_code_are_read(self):
        self.assertEqual(language.comments('int told = 1;  // a count\n"says"; /* as is */\n').split(), ["a", "count", "as", "is"])

    def test_code_in_documentation_is_not_read(self):
        self.assertEqual(language.prose("a `told` b\n```\nsays\n```\nc").split(), ["a", "b", "c"])

    def test_rates_are_per_thousand_words(self):
        self.assertEqual(language.rate("word " * 999 + "told"), 1)
        self.assertEqual(language.rate("told " * 10), 0)

    def test_examples_are_not_references(self):
        self.assertFalse(language.FLAGGED.search("files such as libraries"))
        self.assertTrue(language.FLAGGED.search("such files"))
        self.assertTrue(language.FLAGGED.search("What is missed for its size"))


if __name__ == "__main__":
    unittest.main()
