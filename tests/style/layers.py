#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every #include in src/ leads to a room above the including one, files of a room do not include each other in a
circle, freestanding headers stay so, and only some rooms print or know the library behind the command line."""
import pathlib
import re
import sys

# From the lowest layer to the highest. Rooms in one line must not use each other.
ORDER = [
    ["base"],
    ["host", "http", "rpc", "unpack"],
    ["host/calibration"],
    ["store"],
    ["event"],
    ["event/hardware"],
    ["record"],
    ["dump"],
    ["pmu"],
    ["pmu/rdt"],
    ["model"],
    ["pmu/soft/ring"],
    ["pmu/soft/sampling"],
    ["pmu/soft/geometry"],
    ["pmu/soft/direct/decode"],
    ["pmu/soft/direct/runtime"],
    ["pmu/soft/direct/core"],
    ["pmu/soft/direct/translate", "pmu/soft/direct/session"],
    ["pmu/soft/direct/schedule"],
    ["pmu/soft/direct/code", "pmu/soft/direct/burst"],
    ["pmu/soft/direct/program"],
    ["pmu/soft/direct/process"],
    ["pmu/soft/direct/measure"],
    ["pmu/soft/direct/emulate"],
    ["pmu/soft/direct"],
    ["pmu/soft/inject"],
    ["pmu/soft/guest"],
    ["pmu/soft/launcher", "pmu/soft/valgrind"],
    ["pmu/linux"],
    ["capi", "portable"],
    ["symbol/files"],
    ["symbol/unwind"],
    ["symbol/code"],
    ["symbol/types"],
    ["symbol"],
    ["profile"],
    ["analysis/callers"],
    ["analysis/cause"],
    ["analysis/annotate", "analysis/branches", "analysis/check", "analysis/corun", "analysis/diff", "analysis/flame", "analysis/fleet", "analysis/hotspots", "analysis/map", "analysis/occupancy", "analysis/overhead", "analysis/sizes", "analysis/timeline", "analysis/totals"],
    ["analysis/reconcile"],
    ["view/csv", "view/exports", "view/json", "view/prometheus", "view/text"],
    ["view/ci", "view/screen"],
    ["app"],
    ["app/llc"],
    ["app/measure/linux", "app/measure/soft"],
    ["app/measure", "app/query"],
    ["app/gate", "app/live", "app/answer", "agent"],
    ["web"],
    ["lsp", "mcp"],
    ["cli"],
]

# Rooms with fewer allowed dependencies than their layer permits.
ONLY = {
    "host": {"base"},
    "host/calibration": {"base", "host"},
    "http": {"base"},
    "rpc": {"base"},
    "store": {"base", "http"},
    "unpack": {"base"},
    "symbol/files": {"base", "unpack"},
    "symbol/unwind": {"base", "symbol/files"},
    "symbol/code": {"base", "symbol/files", "symbol/unwind"},
    "symbol/types": {"base", "symbol/files", "symbol/unwind", "symbol/code"},
    "symbol": {"base", "symbol/files", "symbol/unwind", "symbol/code", "symbol/types"},
    "pmu": {"base", "record"},
    "pmu/rdt": {"base"},
    "pmu/linux": {"base", "event", "event/hardware", "record", "pmu"},
    "capi": {"base", "event", "event/hardware", "record", "dump", "pmu", "pmu/rdt", "pmu/linux", "pmu/soft/ring"},
    "pmu/soft/valgrind": {"event", "record", "model", "pmu/soft/ring", "pmu/soft/sampling", "pmu/soft/direct/decode"},
    "pmu/soft/guest": {"base", "event", "record", "model", "pmu/soft/ring", "pmu/soft/sampling"},
    "pmu/soft/geometry": {"base", "host", "model"},
    "pmu/soft/direct/decode": {"pmu/soft/sampling"},
    "pmu/soft/direct/translate": {"event", "record", "model", "pmu/soft/ring", "pmu/soft/sampling", "pmu/soft/direct/decode",
                                  "pmu/soft/direct/runtime", "pmu/soft/direct/core"},
}

# Files that the engines compile without a C library or an operating system.
FREESTANDING = [
    r"base/thread_safety\.h",
    r"event/event_id\.h",
    r"record/extension\.h",
    r"model/(branch/|cost/)?(?!reference_models|slow_sharing|test_machines|test_storage)\w+\.h",
    r"pmu/soft/ring/(session_layout|system_call|ring_writer|process_link|doorbell|exec_request|block_record|decimal|region_call|magic|models|defined_machine|burst_groups|counted|spare_ring|thinning)\.h",
    r"pmu/soft/sampling/\w+\.(h|cc)",
    r"pmu/soft/direct/(\w+/)?\w+\.h",
    r"portable/image\.h",
]
FREESTANDING_SYSTEM = r"(std\w+\.h|cstd\w+|cstddef|cstdint|cstdarg|float\.h|limits\.h|elf\.h|linux/.*|asm/.*|immintrin\.h|\w+intrin\.h|type_traits|limits|bit|concepts)"

# The only file that uses CLI11, which takes long to compile.
COMMAND_LINE = "cli/command_line.cc"

# Rooms that may print; the engines, which are separate programs, print without a C library.
PRINTING = ("cli", "view/", "pmu/soft/direct", "pmu/soft/guest", "pmu/soft/valgrind")
PRINTS = re.compile(r"\bfmt::print\b|\bstd::c(?:out|err|log)\b|\b(?:v?f?d?printf|f?puts)\s*\(")

# elfutils' headers, and the rooms that may include them; no header may expose them to others.
ELFUTILS = re.compile(r"(elfutils/.*|dwarf|gelf|libelf)(\.h)?")
ELFUTILS_ROOMS = ("symbol/files", "symbol/unwind", "symbol/types")

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
            if included.startswith("CLI/") and path != COMMAND_LINE:
                yield f"{path}: only {COMMAND_LINE} may include <{included}>"
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
    printed = PRINTS.search(text)
    if printed and not room.startswith(PRINTING):
        yield f"{path}: {room} must not print ({printed.group()})"


def inclusions_in_rooms(texts, order):
    """Which files of its own room each file includes; x.h and x.cc are one file. `texts`: by path."""
    rooms = {room for rooms in order for room in rooms}
    graph = {path.rsplit(".", 1)[0]: set() for path in texts}
    for path, text in texts.items():
        file = path.rsplit(".", 1)[0]
        for _, included in INCLUDE.findall(text):
            target = included.rsplit(".", 1)[0]
            if target in graph and target != file and room_of(path, rooms) == room_of(included, rooms):
                graph[file].add(target)
    return graph


def way(graph, start, end):
    """The shortest one; None where there is none."""
    before = {start: None}
    queue = [start]
    for file in queue:
        for target in sorted(graph[file]):
            if target == end:
                found = [end, file]
                while before[found[-1]] is not None:
                    found.append(before[found[-1]])
                return found[::-1]
            if target not in before:
                before[target] = file
                queue.append(target)
    return None


def circles(graph):
    """One sentence for each group of files that include each other in a circle."""
    told = set()
    for file in sorted(graph):
        circle = None if file in told else way(graph, file, file)
        if circle is None:
            continue
        group = {other for other in graph if way(graph, file, other) and way(graph, other, file)}
        told |= group
        yield "files include each other in a circle: " + " -> ".join(circle)


def elfutils_outside(texts):
    """The sentences about files outside symbol/ that include elfutils' headers, by whatever way."""
    includes = {path: INCLUDE.findall(text) for path, text in texts.items()}
    knows = {path for path, found in includes.items() if any(b == "<" and ELFUTILS.fullmatch(f) for b, f in found)}
    for path in sorted(knows):
        if not path.startswith(ELFUTILS_ROOMS):
            yield f"{path}: only {', '.join(ELFUTILS_ROOMS)} may include elfutils' headers"
    reached = len(knows) - 1
    while reached != len(knows):
        reached = len(knows)
        knows |= {path for path, found in includes.items() if any(f in knows for _, f in found)}
    for path in sorted(knows):
        if not path.startswith("symbol/"):
            through = next((f for _, f in includes[path] if f in knows), "")
            yield f"{path}: comes by elfutils' headers through {through}"


def tests_not_built(paths, built):
    """The sentences about tests in folders without a CMakeLists.txt: nothing compiles them."""
    for path in sorted(paths):
        if path.endswith("_test.cc") and str(pathlib.PurePosixPath(path).parent) not in built:
            yield f"{path}: its folder has no CMakeLists.txt, so it is never compiled"


def main():
    src = pathlib.Path("src")
    files = sorted(f for f in src.rglob("*") if f.suffix in (".h", ".cc") and "testdata" not in f.parts)
    if not files:
        sys.exit("there are no sources: run this in the project's folder")
    # Tests may include anything.
    texts = {f.relative_to(src).as_posix(): f.read_text() for f in files if not f.name.endswith("_test.cc")}
    problems = []
    for path, text in texts.items():
        problems += problems_in(path, text, ORDER)
    problems += circles(inclusions_in_rooms(texts, ORDER))
    problems += elfutils_outside(texts)
    built = {f.parent.relative_to(src).as_posix() for f in src.rglob("CMakeLists.txt")}
    problems += tests_not_built([f.relative_to(src).as_posix() for f in files], built)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
