#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""comparison.py accepts what differs between hosts and runs, and finds every other difference."""
import sys

from comparison import difference, plain

REPORT = """# memory waits: 25.1% of the modelled cycles, by stated latencies: an
#   instruction takes a cycle. These are of user mode alone: 21.3% of the CPU
#   time, hardmeter's own included, was in the kernel.
#   |3333333333MMMMMMM2T...............................................|
#   3 L3 13.4%, M memory 9.2%, . no wait 73.8%
#   misses of loads per 1000 instructions: 9.21 L1, 4.88 L2
#
# event l1_cache_miss: 4,681 samples, 4,678,291 events counted
     share  samples   events  function           dso
21.3% ±1.2      998  996,377  find               words
20.9% ±1.1      668  666,818  insert             words
 1.0% ±0.1       43   42,346  [words+0x10bff0]   words
# 145 more rows
"""

# Another host: other numbers, other breaks of lines, the first two rows in the other order.
OTHER_HOST = """# memory waits: 5% of the modelled cycles, by stated latencies: an instruction
#   takes a cycle.
#   |M.................................................................|
#   3 L3 3.4%, 2 L2 1.1%, M memory 9.2%, i instructions 7.7%, . no wait 73.8%
#   misses of loads per 1000 instructions: 19.21 L1, 14.88 L2
#
# event l1_cache_miss: 81 samples, 1,678,291 events counted
     share  samples     events  function          dso
 22.3% ±1.2      998  1,996,377  insert           words
 21.9% ±1.1      668    666,818  find             words
  1.0% ±0.1       43     42,346  [words+0xffff]   words
# 1 more row
"""

EXPLAIN = """ 1. 48.6% ±3.4  main  basic_string.h:3691  (words)
    callers  std::less::operator() (inlined) stl_function.h:408, main words.cc:12 (99.7%)
    why      capacity 89.1% ±3.1, conflict 10.9% ±3.1
    what     heap block of main (words.cc:12), std::string 99.7%, heap block of
             main (words.cc:14), std::string 0.3%
    reuse    after 1,336 other lines, 83 KiB, in the median
    code     12b9: mov    0x28(%r15),%r14
    pattern  pointer_chase: keep the nodes in an array
"""


def replaced(text, *pairs):
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


SAME = [
    ("the same", REPORT, REPORT, None),
    ("another host", REPORT, OTHER_HOST, None),
    ("left-out head", "...\n" + "\n".join(REPORT.splitlines()[8:]), OTHER_HOST, None),
    ("left-out lines in between", "# memory waits: 1% of\n...\n# event l1_cache_miss: 4 samples, 5 events counted\n...\n", REPORT, None),
    ("other rows below the first", REPORT, replaced(REPORT, ("[words+0x10bff0]", "erase")), 2),
    ("another cause below the first", EXPLAIN, replaced(EXPLAIN, (", conflict 10.9% ±3.1", ""), ("1,336", "at least 9"),
                                                        (" of\n             main (words.cc:14), std::string 0.3%", " 0.3%")), None),
    ("another instruction's operands", EXPLAIN, replaced(EXPLAIN, ("0x28(%r15),%r14", "0x8(%rax),%rbx"), ("12b9", "abcd")), None),
    ("other breaks of a message",
     "hardmeter: limit l1_cache_miss:5% exceeded: 16,551 before, 262,310 after,\n    +245,759 (+1484.86%), 95 % interval [1 .. 2]\nend",
     "hardmeter: limit l1_cache_miss:5% exceeded: 16,551 before, 262,310 after, +245,759 (+1484.86%), 95 % interval\n    [1 .. 2]\nend",
     None),
    ("the number of a process", "main (1234) perf-99.map /tmp/a/b.js:7", "main (7) perf-123456.map /home/you/b.js:17", None),
]

DIFFERENT = [
    ("another name heads the table", REPORT, replaced(REPORT, ("find  ", "other ")), 1),
    ("another title", REPORT, replaced(REPORT, ("samples   events", "count   events")), None),
    ("an order that no interval allows", REPORT,
     replaced(REPORT, ("find  ", "XXXX  "), ("[words+0x10bff0]   ", "find   "), ("XXXX", "[words+0x10bff0]")), 2),
    ("another pattern", EXPLAIN, replaced(EXPLAIN, ("pointer_chase", "random_table")), None),
    ("another cause first", EXPLAIN, replaced(EXPLAIN, ("capacity", "compulsory")), None),
    ("another mnemonic", EXPLAIN, replaced(EXPLAIN, ("mov ", "add ")), None),
    ("a word less", REPORT, replaced(REPORT, (" counted", "")), None),
    ("a line less", REPORT, replaced(REPORT, ("# 145 more rows\n", "")), None),
    ("a line more", REPORT, REPORT + "hardmeter: warning: something\n", None),
    ("a word instead of a number", "7 events", "no events", None),
    ("no output", REPORT, "", None),
    ("left-out lines, and another end", "...\n# 145 more rows\n", REPORT + "more\n", None),
    ("left-out lines, and a line that is nowhere", "# memory waits: 1% of\n...\n# event other: 4 samples\n...\n", REPORT, None),
    ("left-out lines, and the middle of a line", "...\nsamples events function dso\n...\n", REPORT, None),
    ("another gain of words", "misses per 1000 instructions: 1.0 L1", "misses per 1000 cycles: 1.0 L1", None),
]


FAR_APART = replaced(REPORT, ("20.9%", "10.9%"))
ORDERS = [  # the first two rows change places, although their intervals do not overlap
    (0, False),
    (2, True),
]


def main():
    failures = 0
    for same, cases in ((True, SAME), (False, DIFFERENT)):
        for name, shown, run, rows in cases:
            found = difference(shown.splitlines(), run.splitlines(), rows)
            if (found is None) != same:
                failures += 1
                print(f"FAILED: {name}: {found or 'no difference found'}")
    swapped = FAR_APART.splitlines()
    swapped[9], swapped[10] = FAR_APART.splitlines()[10].replace("10.9", "31.3"), FAR_APART.splitlines()[9]
    for any_order, same in ORDERS:
        if (difference(REPORT.splitlines(), swapped, 2, any_order) is None) != same:
            failures += 1
            print(f"FAILED: rows in another order, of {any_order} rows any is right")
    if plain("\r\x1b[K5 samples\r\x1b[Kdone \x1b[1mnow\x1b[0m\r\n\r\n") != ["done now"]:
        failures += 1
        print("FAILED: a terminal's line", plain("\r\x1b[K5 samples\r\x1b[Kdone \x1b[1mnow\x1b[0m\r\n\r\n"))
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
