#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every #include in src/ leads to a room above the including one, and freestanding headers stay so."""
import pathlib
import re
import sys

# From the foundation up. Rooms of one line do not know each other.
ORDER = [
    ["base"],
    ["machine"],
    ["event"],
    ["event/hardware"],
    ["record"],
    ["dump"],
    ["model"],
    ["pmu/soft/ring"],
    ["pmu/soft/events"],
    ["pmu/soft/geometry"],
    ["pmu/soft/direct/decode"],
    ["pmu/soft/direct"],
    ["pmu/soft/launcher", "pmu/soft/valgrind"],
    ["pmu/linux"],
    ["capi"],
    ["symbol/files"],
    ["symbol/unwind"],
    ["symbol/code"],
    ["symbol/types"],
    ["symbol"],
    ["profile"],
    ["analysis/annotate", "analysis/branches", "analysis/cause", "analysis/check", "analysis/diff", "analysis/hotspots", "analysis/overhead", "analysis/totals"],
    ["view/json", "view/text"],
    ["app"],
    ["cli"],
]

# Rooms that may know less than their place says.
ONLY = {
    "machine": {"base"},
    "symbol/files": {"base"},
    "symbol/unwind": {"base", "symbol/files"},
    "symbol/code": {"base", "symbol/files", "symbol/unwind"},
    "symbol/types": {"base", "symbol/files", "symbol/unwind", "symbol/code"},
    "symbol": {"base", "symbol/files", "symbol/unwind", "symbol/code", "symbol/types"},
    "pmu/linux": {"base", "event", "event/hardware", "record"},
    "capi": {"base", "event", "event/hardware", "record", "dump", "pmu/linux", "pmu/soft/ring"},
    "pmu/soft/valgrind": {"event", "record", "model", "pmu/soft/ring", "pmu/soft/events", "pmu/soft/direct/decode"},
    "pmu/soft/geometry": {"base", "machine", "model"},
    "pmu/soft/direct/decode": set(),
}

# What the engines compile without a C library or an operating system.
FREESTANDING = [
    r"event/event_id\.h",
    r"record/extension\.h",
    r"model/(?!reference_models|slow_sharing|test_machines)\w+\.h",
    r"pmu/soft/ring/(session_layout|system_call|ring_writer|process_link|doorbell|exec_request|block_record|decimal|region_call)\.h",
    r"pmu/soft/events/\w+\.(h|cc)",
    r"pmu/soft/direct/(decode/)?\w+\.h",
]
FREESTANDING_SYSTEM = r"(std\w+\.h|cstd\w+|cstddef|cstdint|cstdarg|float\.h|limits\.h|linux/.*|asm/.*|immintrin\.h|\w+intrin\.h|type_traits|limits|bit|concepts)"

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(path, rooms):
    folder = str(pathlib.PurePosixPath(path).parent)
    while folder not in rooms and "/" in folder:
        folder = folder.rsplit("/", 1)[0]
    return folder if folder in rooms else None


def is_freestanding(path):
    return any(re.fullmatch(pattern, path) for pattern in FREESTANDING)


def problems_in(path, text, order):
    """The sentences about one file; `path` begins below src/."""
    level = {room: i for i, rooms in enumerate(order) for room in rooms}
    room = room_of(path, level)
    if room is None:
        yield f"{path}: its folder is not in the list of rooms in tests/style/layers.py"
        return
    for bracket, included in INCLUDE.findall(text):
        if bracket == "<":
            if is_freestanding(path) and not re.fullmatch(FREESTANDING_SYSTEM, included):
                yield f"{path}: is freestanding and must not include <{included}>"
            continue
        target = room_of(included, level)
        if target is None:
            continue  # a header beside the file, or generated
        if target != room and level[target] >= level[room]:
            yield f"{path}: {room} must not use {target} ({included})"
        elif target != room and room in ONLY and target not in ONLY[room]:
            yield f"{path}: {room} may use only {', '.join(sorted(ONLY[room]))}, not {included}"
        if is_freestanding(path) and not is_freestanding(included):
            yield f"{path}: is freestanding and {included} is not"


def main():
    src = pathlib.Path("src")
    files = sorted(f for f in src.rglob("*") if f.suffix in (".h", ".cc") and "testdata" not in f.parts)
    if not files:
        sys.exit("there are no sources: run this in the project's folder")
    problems = []
    for file in files:
        if file.name.endswith("_test.cc"):
            continue  # a test may compare with anything
        problems += problems_in(file.relative_to(src).as_posix(), file.read_text(), ORDER)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
