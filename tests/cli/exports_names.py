#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives the functions of tests/programs/hostile_names.cc names that formats may break at: exports_names.py PROGRAM COPY"""
import pathlib
import sys

NAMES = {
    b"hostile_name_with_a_line_feed___": b'line\nfeed; "quoted" (1) b\\slash',
    b"hostile_name_like_a_number": b"(2) fn=(3)\tcalls=4 +5 * -6",
    b"hostile_name_of_no_utf8": b"bad\xff\xc3 \x1b[31m;\xed\xa0\x80 utf8 7",
}

program, copy = (pathlib.Path(name) for name in sys.argv[1:])
data = program.read_bytes()
for plain, hostile in NAMES.items():
    if plain not in data:
        sys.exit(f"{program} has no {plain.decode()}")
    data = data.replace(plain, hostile[: len(plain)].ljust(len(plain), b"~"))
copy.write_bytes(data)
copy.chmod(0o755)
