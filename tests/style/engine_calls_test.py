#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""engine_calls.py finds what it is there to find."""
import pathlib
import shutil
import sys
import tempfile

from engine_calls import LIST, ROOMS, find_faults, numbers_of_kernel

kernel = numbers_of_kernel()
if kernel is None:
    print("SKIPPED: the kernel's header asm/unistd_64.h is not installed")
    sys.exit(77)
failures = 0
with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for room in ROOMS + [str(pathlib.Path(LIST).parent)]:
        shutil.copytree(room, root / room)
    for left_out, expected in (("", 0), ('    {SYS_mincore, "mincore"},\n', 1), ('    {SYS_rt_sigqueueinfo, "rt_sigqueueinfo"},\n', 1)):
        path = root / LIST
        text = path.read_text()
        path.write_text(text.replace(left_out, "") if left_out else text)
        found = set(find_faults(root, kernel))
        path.write_text(text)
        if left_out not in text or len(found) != expected:
            print(f"without {left_out!r}: {found}")
            failures += 1
sys.exit(1 if failures else 0)
