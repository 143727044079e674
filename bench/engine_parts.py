# SPDX-License-Identifier: MIT
"""Where the time of a program under the copying engine goes, by perf's samples of the CPU clock.

The engine lies at a fixed address, so its functions are found in its own file; what runs elsewhere in the target is
copied code.
"""
import bisect
import collections
import os
import subprocess
import tempfile

SAMPLES_A_SECOND = 2000
KERNEL = 1 << 63
PARTS = ("copies", "data", "code", "translation", "records", "kernel", "recorder", "other")

# Parts of the engine's functions, by words in their names; the first match counts.
WORDS = (
    ("code", ("hm_on_fetch", "hm_call_fetch", "fetch_line", "translate_code", "CodePlace", "fetch_class")),
    ("records", ("sample", "record", "ring", "class_of", "walk_frames", "registers_of", "find_heap_block")),
    ("data", ("hm_on_data", "hm_call_data", "hm_end_of_thunk", "hm::model::", "Accounting", "whole_access", "string",
              "elements", "heap")),
    ("translation", ("ranslator", "decode", "superblock", "read_head", "block", "exit", "hm_next_code", "hm_leave", "copy",
                     "flags_live", "arena", "emit", "FlagReader", "is_entry", "is_allocator")),
)


def functions_of(engine):
    """Addresses and names, sorted."""
    lines = subprocess.run(["nm", "-C", "--defined-only", engine], check=True, capture_output=True, text=True).stdout
    found = [line.split(" ", 2) for line in lines.splitlines()]
    return sorted((int(address, 16), name) for address, kind, name in found if kind in "tTwW")


def part_of(name):
    for part, words in WORDS:
        if any(word in name for word in words):
            return part
    return "other"


def parts_of(hardmeter, command):
    """Shares of the samples by part, for `command`, which is one of hardmeter's that runs a program."""
    engine = os.path.join(os.path.dirname(hardmeter), "../libexec/hardmeter/hardmeter-direct")
    functions = functions_of(engine)
    addresses = [address for address, _ in functions]
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(SAMPLES_A_SECOND), "-o", file.name, "--",
                        *command], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        samples = subprocess.run(["perf", "script", "-i", file.name, "-F", "comm,ip"], check=True, capture_output=True,
                                 text=True).stdout
    counts = collections.Counter()
    for line in samples.splitlines():
        words = line.split()
        if len(words) < 2:
            continue
        name, ip = words[0], int(words[-1], 16)
        if name.startswith("hardmeter"):
            counts["recorder"] += 1
        elif ip >= KERNEL:
            counts["kernel"] += 1
        elif addresses[0] <= ip < addresses[-1] + 4096:
            counts[part_of(functions[bisect.bisect(addresses, ip) - 1][1])] += 1
        else:
            counts["copies"] += 1
    total = max(1, counts.total())
    return {part: counts[part] / total for part in PARTS}
