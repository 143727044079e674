#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks with clang's -Wthread-safety that what a lock protects is accessed with the lock held, and that locks are
released on each path (src/base/thread_safety.h). Arguments: clang++, the build folder. Checks the rooms that have locks;
without the Valgrind engine, whose flags clang does not accept. Run it in the root of the sources."""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

USES = re.compile(r'#include "(base/mutex\.h|base/thread_safety\.h|model/lock_guard\.h|[\w/]*/lock\.h)"')
WARNINGS = ["-fsyntax-only", "-Wno-everything", "-Wthread-safety"]


def rooms_with_locks(root):
    return {path.parent for path in (root / "src").rglob("*")
            if path.suffix in (".h", ".cc") and USES.search(path.read_text())}


def has_locks(entry, root, rooms):
    """Whether the compiled file is in one of the rooms, or includes a file of one, as those of the build folder do."""
    file = pathlib.Path(entry["file"])
    if "/hardmeter-direct.dir/" in entry["command"]:
        return True
    files = [file] if file.is_relative_to(root / "src") else [
        root / "src" / name for name in re.findall(r'^#include "(.*\.cc)"', file.read_text(), re.M)]
    return any(each.parent in rooms and not each.name.endswith("_test.cc") for each in files)


def check(clang, entry):
    """The warnings and errors about one entry of compile_commands.json."""
    words = [word for word in shlex.split(entry["command"])
             if not re.match(r"-mmemset-strategy=|-ffixed-|-fno-threadsafe-statics", word)]
    output = words.index("-o")
    words = [clang] + words[1:output] + words[output + 2:] + WARNINGS
    ran = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True)
    found = {line for line in ran.stderr.splitlines() if "-Wthread-safety" in line or "error:" in line}
    return found if found or ran.returncode == 0 else {f"{entry['file']}: clang ended with status {ran.returncode}"}


def main(clang, build):
    root = pathlib.Path.cwd()
    rooms = rooms_with_locks(root)
    entries = [entry for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
               if entry["file"].endswith(".cc") and "/hardmeter-amd64-linux.dir/" not in entry["command"]
               and "/valgrind/" not in entry["file"] and has_locks(entry, root, rooms)]
    if not entries:
        print(f"{build}/compile_commands.json compiles no file with locks")
        return 1
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        found = set().union(*threads.map(lambda entry: check(clang, entry), entries))
    for line in sorted(found):
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
