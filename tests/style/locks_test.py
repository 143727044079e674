#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""locks.py finds what it is there to find."""
import pathlib
import shutil
import sys
import tempfile

from locks import ROOMS, find_faults

DIRECT = "src/pmu/soft/direct/"
CASES = [
    (DIRECT + "process/locks.cc", "", 0),
    (DIRECT + "process/locks.cc", "  process.code_pages.for_each_lock(visit);\n", 1),
    (DIRECT + "process/locks.cc", "  process.heap.for_each_inner_lock(visit);\n", 1),
    (DIRECT + "schedule/code_pages.h", "    visit(lock_);\n", 1),
    (DIRECT + "runtime/runtime.h", "    visit(memory_lock);\n", 1),
    ("src/pmu/soft/sampling/heap_layer.h", "    visit(structure_);\n", 1),
]

failures = 0
with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for room in ROOMS:
        shutil.copytree(room, root / room)
    for name, left_out, expected in CASES:
        path = root / name
        text = path.read_text()
        if left_out not in text:
            print(f"{name} has no line {left_out!r}")
            failures += 1
        path.write_text(text.replace(left_out, "") if left_out else text)
        found = find_faults(root)
        path.write_text(text)
        if len(found) != expected:
            print(f"{name} without {left_out!r}: {found}")
            failures += 1
sys.exit(1 if failures else 0)
