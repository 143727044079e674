#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how much the tests notice: changes one operator or constant at a time, and runs the tests of the rooms that
use the changed file. A change that no test notices is a survivor: code that nobody would miss, or a missing test.

  mutate.py --summary                       # 40 changes, drawn with a fixed seed
  mutate.py --rooms record,profile --count 100 --seed 7

Works on a copy of the sources with a build folder of its own, which is kept for the next run (--work). Needs about half a
minute for a change, so it is run by hand or at night. Ends with status 1 if more than --max-survivors per cent survive.
"""
import argparse
import dataclasses
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[1]
SECONDS = 300  # for the tests of one change; a change that makes them hang is noticed

# Rooms, and the test programs that use them: those of the room first, because they are fast and usually notice.
PROGRAMS = {
    "model": ["model_test", "pmu_soft_sampling_test", "blocks_test"],
    "pmu/soft/sampling": ["pmu_soft_sampling_test", "pmu_soft_direct_translate_test", "blocks_test"],
    "record": ["record_test", "profile_test", "dump_test"],
    "profile": ["profile_test", "analysis_hotspots_test", "analysis_cause_test", "analysis_timeline_test", "app_query_test"],
}
# Tests of whole programs, for changes that the programs above do not notice.
WHOLE = {"model": "soft_pmu", "pmu/soft/sampling": "soft_pmu"}
NOT_TESTED = re.compile(r"_test\.cc$|^test_|^example_|^reference_|^slow_")

# (pattern, replacements), for text without comments and literals.
CHANGES = [
    # The opposite. To change < to <= would often change nothing: `if (bytes > 0) sum += bytes`.
    (re.compile(r"(?<=\s)<=(?=\s)"), [">"]),
    (re.compile(r"(?<=\s)>=(?=\s)"), ["<"]),
    (re.compile(r"(?<=\s)<(?=\s)"), [">="]),
    (re.compile(r"(?<=\s)>(?=\s)"), ["<="]),
    (re.compile(r"(?<=\s)==(?=\s)"), ["!="]),
    (re.compile(r"(?<=\s)!=(?=\s)"), ["=="]),
    (re.compile(r"(?<=\s)&&(?=\s)"), ["||"]),
    (re.compile(r"(?<=\s)\|\|(?=\s)"), ["&&"]),
    (re.compile(r"(?<=[\w)\]] )\+(?= [\w(])"), ["-"]),
    (re.compile(r"(?<=[\w)\]] )-(?= [\w(])"), ["+"]),
    (re.compile(r"(?<=[\w)\]] )\*(?= [\w(])"), ["+"]),
    (re.compile(r"(?<=[\w)\]] )/(?= [\w(])"), ["*"]),
    (re.compile(r"(?<=[\w)\]] )%(?= [\w(])"), ["+"]),
    (re.compile(r"\+="), ["-="]),
    (re.compile(r"-="), ["+="]),
    (re.compile(r"(?<=return )true(?=;)"), ["false"]),
    (re.compile(r"(?<=return )false(?=;)"), ["true"]),
    (re.compile(r"(?<=[\s(])!(?=[a-z_(])"), [""]),
    (re.compile(r"\bstd::min\b"), ["std::max"]),
    (re.compile(r"\bstd::max\b"), ["std::min"]),
]
# Not code that runs: compile-time checks, includes, templates' brackets, operators' declarations, defaulted comparisons.
SKIPPED_LINE = re.compile(r"static_assert|^\s*#|\btemplate\b|operator|= default|\bassert\(|GTEST")
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str  # relative to the source
    room: str
    offset: int
    length: int
    replacement: str

    def described(self, text):
        line = text.count("\n", 0, self.offset) + 1
        shown = text.splitlines()[line - 1].strip()
        return f"{self.path}:{line}: {text[self.offset:self.offset + self.length]!r} -> {self.replacement!r}: {shown}"

    def applied(self, text):
        return text[:self.offset] + self.replacement + text[self.offset + self.length:]


def mutants_of(path, room, text):
    """Returns every Mutant of a file."""
    visible = HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    found, start = [], 0
    for line in visible.split("\n"):
        if not SKIPPED_LINE.search(line):
            for pattern, replacements in CHANGES:
                for match in pattern.finditer(line):
                    found += [Mutant(path, room, start + match.start(), len(match.group()), new) for new in replacements]
        start += len(line) + 1
    return found


def all_mutants(rooms):
    found = []
    for room in rooms:
        for path in sorted((SOURCE / "src" / room).rglob("*")):
            if path.suffix in (".cc", ".h") and not NOT_TESTED.search(path.name):
                found += mutants_of(str(path.relative_to(SOURCE)), room, path.read_text(encoding="utf-8"))
    return found


def sources():
    """Yields the paths of the files to copy, relative to the source."""
    for folder, folders, files in os.walk(SOURCE):
        here = pathlib.Path(folder).relative_to(SOURCE)
        folders[:] = [name for name in folders if name not in (".git", "node_modules") and not name.startswith("build")]
        yield from (here / name for name in files)


def copy_changed(folder):
    """Makes the files below the folder equal to the sources, and leaves equal files as they are, so that nothing is
    built twice. Restores a file that an interrupted run left changed."""
    for path in sources():
        to, content = folder / path, (SOURCE / path).read_bytes()
        if not to.exists() or to.read_bytes() != content:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(content)
            shutil.copymode(SOURCE / path, to)


class Copy:
    """A copy of the sources, with its build."""

    def __init__(self, folder):
        self.folder = folder
        copy_changed(folder)
        self.run(["cmake", "--preset", "tests"], check=True)

    def run(self, command, check=False, seconds=None):
        return subprocess.run(command, cwd=self.folder, check=check, timeout=seconds, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")

    def build(self, targets):
        return self.run(["ninja", "-C", "build", *targets])

    def passes(self, program):
        try:
            return self.run([f"build/bin/{program}", "--gtest_brief=1", "--gtest_fail_fast"], seconds=SECONDS).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def passes_whole(self, label):
        if self.build([]).returncode != 0:
            return False
        try:
            return self.run(["ctest", "--test-dir", "build", "-L", label, "--stop-on-failure", "-j", str(os.cpu_count())],
                            seconds=10 * SECONDS).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def notices(copy, mutant, whole):
    """Returns the test that notices, "" if none does, None if the change does not compile."""
    for program in PROGRAMS[mutant.room]:
        built = copy.build([program])
        if built.returncode != 0:
            return None if "error:" in built.stdout or "FAILED" in built.stdout else program
        if not copy.passes(program):
            return program
    if whole and mutant.room in WHOLE and not copy.passes_whole(WHOLE[mutant.room]):
        return WHOLE[mutant.room]
    return ""


def measure(copy, mutants, count, whole, report):
    """Tries changes until `count` of them compile. Returns (noticed, survivors, not compiled)."""
    noticed, survivors, refused = [], [], []
    for mutant in mutants:
        if len(noticed) + len(survivors) == count:
            break
        path = copy.folder / mutant.path
        text = path.read_text(encoding="utf-8")
        path.write_text(mutant.applied(text), encoding="utf-8")
        try:
            by = notices(copy, mutant, whole)
        finally:
            path.write_text(text, encoding="utf-8")
        {None: refused, "": survivors}.get(by, noticed).append(mutant)
        report({None: "not compiled", "": "SURVIVES"}.get(by, f"noticed by {by}"), mutant.described(text))
    return noticed, survivors, refused


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rooms", default=",".join(PROGRAMS), help="of src/, separated by commas")
    options.add_argument("--count", type=int, default=40, help="changes that compile")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--whole", action="store_true", help="run the tests of whole programs, too, before a change survives")
    options.add_argument("--summary", action="store_true", help="print the survivors and the share only")
    options.add_argument("--max-survivors", type=float, default=5, help="in per cent")
    options.add_argument("--work", type=pathlib.Path, default=SOURCE / "build" / "mutants", help="folder of the copy")
    given = options.parse_args()
    rooms = given.rooms.split(",")
    unknown = [room for room in rooms if room not in PROGRAMS]
    if unknown:
        options.error(f"unknown room {', '.join(unknown)}; the rooms are {', '.join(PROGRAMS)}")
    mutants = all_mutants(rooms)
    print(f"{len(mutants)} possible changes in {', '.join(rooms)}", flush=True)
    random.Random(given.seed).shuffle(mutants)
    copy = Copy(given.work)
    programs = list(dict.fromkeys(program for room in rooms for program in PROGRAMS[room]))
    if copy.build(programs).returncode != 0 or not all(copy.passes(program) for program in programs):
        sys.exit("mutate: the tests fail without a change")
    noticed, survivors, refused = measure(
        copy, mutants, given.count, given.whole,
        lambda result, text: given.summary and result != "SURVIVES" or print(f"{result}: {text}", flush=True))
    tried = len(noticed) + len(survivors)
    share = 100 * len(survivors) / tried if tried else 0
    print(f"{tried} changes: {len(noticed)} noticed, {len(survivors)} survive ({share:.0f} %); {len(refused)} did not compile")
    sys.exit(1 if share > given.max_survivors else 0)


if __name__ == "__main__":
    main()
