#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests paths.py."""
import unittest

from paths import missing

FILES = ["src/web/access.cc", "src/web/access.h", "docs/glossary.md", "Makefile"]


class Missing(unittest.TestCase):
    def test_paths_and_their_ends_exist(self):
        self.assertEqual(missing("`src/web/access.cc`, `access.h`, `web/`, `src/web/` and `glossary.md`", FILES), [])

    def test_a_name_is_not_the_end_of_a_word(self):
        self.assertEqual(missing("`cess.cc` and `eb/`", FILES), ["cess.cc", "eb/"])

    def test_each_missing_path_is_reported_once(self):
        self.assertEqual(missing("`web/gone.cc`, then `web/gone.cc` again, and `gone/`", FILES), ["web/gone.cc", "gone/"])

    def test_other_words_in_backticks_are_not_paths(self):
        self.assertEqual(missing("`Result<T>`, `hm_on_data()`, `make check`, `build/`", FILES), [])


if __name__ == "__main__":
    unittest.main()
