#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often a gate with several memory layouts finds a change of 1 %, and how often it raises a false alarm.

The program looks words up in a hash table on the heap; the changed one makes 1 % more look-ups. The baseline has the layouts 0 to 4.
Each trial compares five other layouts with it, by `hardmeter diff --fail-above`. Prints a Markdown table.
Usage: gate_trials.py HARDMETER [UNCHANGED [CHANGED]]: numbers of trials, 100 and 20 if not given
"""
import os
import subprocess
import sys
import tempfile

import five_programs

LAYOUTS = 5
LIMITS = {"l1_cache_miss": "0.5%", "dtlb_load_miss": "0.5%"}
PROGRAM = """
#include <cstdio>
#include <string>
#include <unordered_map>
__attribute__((noinline)) long look_up(const std::unordered_map<long, std::string>& words, long times) {
  long found = 0;
  for (long i = 0; i < times; ++i) found += words.find(i * 7919 % 20000)->second.size();
  return found;
}
int main() {
  std::unordered_map<long, std::string> words;
  for (long i = 0; i < 20000; ++i) words.emplace(i, std::string(i % 40, 'x'));
  std::printf("%ld\\n", look_up(words, LOOK_UPS));
}
"""


def build(folder, name, look_ups):
    source, program = os.path.join(folder, "program.cc"), os.path.join(folder, name)
    with open(source, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    subprocess.run(["g++", "-O1", f"-DLOOK_UPS={look_ups}", "-o", program, source], check=True)
    return program


def record(hardmeter, program, layout):
    """Returns the recording of the function, in this layout."""
    recording = f"{program}.{layout}"
    subprocess.run([hardmeter, "record", "-q", "--pmu=soft", "--engine=direct", "--cpu=zen4", "--reproducible", "--layout", str(layout),
                    "--function", "look_up", "-e", ",".join(LIMITS), "-c", "100000", "-o", recording, program], check=True,
                   stdout=subprocess.DEVNULL)
    return recording


def exceeded(hardmeter, before, after):
    """Returns the events that exceed their limits."""
    limits = [word for event, limit in LIMITS.items() for word in ("--fail-above", f"{event}:{limit}")]
    done = subprocess.run([hardmeter, "diff", "--format=github", *limits, ",".join(before), ",".join(after)], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    return {event for event in LIMITS if f"limit {event}:" in done.stderr and "exceeded" in done.stderr}


def alarms(hardmeter, before, program, trials):
    """Returns the number of trials that exceed a limit, by event."""
    counts = dict.fromkeys(LIMITS, 0)
    for trial in range(1, trials + 1):
        after = [record(hardmeter, program, layout) for layout in range(trial * LAYOUTS, (trial + 1) * LAYOUTS)]
        for event in exceeded(hardmeter, before, after):
            counts[event] += 1
        for each in after:
            os.remove(each)
    return counts


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    hardmeter = sys.argv[1]
    unchanged, changed = (int(word) for word in (sys.argv[2:] + ["100", "20"][len(sys.argv) - 2:])[:2])
    with tempfile.TemporaryDirectory() as folder:
        usual, more = build(folder, "usual", 200000), build(folder, "more", 202000)
        before = [record(hardmeter, usual, layout) for layout in range(LAYOUTS)]
        same = [record(hardmeter, more, layout) for layout in range(LAYOUTS)]
        paired = exceeded(hardmeter, before, same)
        false_alarms = alarms(hardmeter, before, usual, unchanged)
        found = alarms(hardmeter, before, more, changed)
    print(f"{five_programs.where_and_when()}\n")
    print("| event, limit | unchanged, other layouts: alarms | 1 % more, other layouts: found | 1 % more, equal layouts |")
    print("| --- | ---: | ---: | --- |")
    for event, limit in LIMITS.items():
        print(f"| {event}, {limit} | {false_alarms[event]} of {unchanged} | {found[event]} of {changed} |"
              f" {'found' if event in paired else 'not found'} |")


if __name__ == "__main__":
    main()
