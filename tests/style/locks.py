#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every lock of the copying engine is taken around fork(2) (src/pmu/soft/direct/process/locks.cc): a class that has one
visits it in a for_each_lock() of its own, and every such function has a caller. A forked child would wait for ever for a
lock that is missing there."""
import pathlib
import re
import sys

ROOMS = ["src/model", "src/pmu/soft/sampling", "src/pmu/soft/direct"]
MEMBER = re.compile(r"^\s+(?:alignas\(\d+\) )?(?:Lock|SpinLock\*?|PaddedLock<Lock>) (\w+)(?:\[\w+\])?(?: = \w+)?;", re.M)
VISITOR = re.compile(r"\bvoid (for_each(?:_outer|_inner)?_lock)\(Visit&&")
# A lock passed as an argument, and a lock of tests.
EXEMPT = {"src/model/lock_guard.h", "src/pmu/soft/sampling/test_platform.h"}


def visited(name, text):
    """Whether a for_each_lock() of the file visits the member."""
    for start in VISITOR.finditer(text):
        body = text[start.end():text.find("\n  }\n", start.end())]
        if re.search(rf"visit\({name}(?:\[\w+\])?\)|: {name}\) visit\(", body):
            return True
    return False


def find_faults(root):
    faults, visitors, calls = [], [], ""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in (".h", ".cc") or path.name.endswith("_test.cc"):
                continue
            text = path.read_text()
            name = str(path.relative_to(root))
            calls += text
            if name in EXEMPT:
                continue
            for member in MEMBER.findall(text):
                if not visited(member, text):
                    faults.append(f"{name}: the lock {member} is visited by no for_each_lock() of its class")
            for found in VISITOR.finditer(text):
                kind = re.findall(r"^(?:class|struct) (\w+) (?:final )?[:{]", text[:found.start()], re.M)[-1]
                visitors.append((kind, found[1]))
    for kind, function in visitors:
        # Members of the class, or pointers to its objects.
        kinds = "|".join([kind] + re.findall(rf"using (\w+) = {kind}<", calls))
        members = re.findall(rf"\b(?:{kinds})(?:<\w+>)?&?\*? (\w+)(?:\[\w+\])?(?: ?[={{][^;\n]*)?;", calls)
        if kind == "PrivateCaches":  # those that a directory points to
            members = ["cores_\\[i\\]"]
        if not any(re.search(rf"\b{member}(?:\.|->){function}\(", calls) for member in members):
            faults.append(f"{kind}: nobody calls {function}()")
    return faults


if __name__ == "__main__":
    found = find_faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)
