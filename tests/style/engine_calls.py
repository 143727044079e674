#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The copying engine makes no system call for itself that src/pmu/soft/inject/engine_calls.h lacks. Processes whose filters
of system calls permit those of the list are attached to; the kernel would end them at another one."""
import pathlib
import re
import sys

LIST = "src/pmu/soft/inject/engine_calls.h"
ROOMS = ["src/pmu/soft/direct", "src/pmu/soft/sampling", "src/pmu/soft/ring", "src/model"]
CALL = re.compile(r"\bsystem_call\(\s*(?:static_cast<int64_t>\()?(k\w+)")
NUMBER = re.compile(r"\b(k\w+) = (\d+)[,;]")
ALIAS = re.compile(r"\bconstexpr auto (k\w+) = static_cast<int64_t>\((k\w+)\)")
# Calls of tests.
EXEMPT = {"src/pmu/soft/sampling/test_platform.h"}


def listed_numbers(text, numbers_of_kernel):
    return {numbers_of_kernel[name] for name in re.findall(r"\{SYS_(\w+), \"\w+\"\}", text) if name in numbers_of_kernel}


def numbers_of_kernel():
    """The numbers of the calls of x86-64, by name."""
    for header in ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"):
        if pathlib.Path(header).exists():
            return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", pathlib.Path(header).read_text())}
    return None


def numbers_in(text, known):
    numbers = known | {name: int(number) for name, number in NUMBER.findall(text)}
    return numbers | {alias: numbers[name] for alias, name in ALIAS.findall(text) if name in numbers}


def find_faults(root, kernel):
    sources = {path: path.read_text() for room in ROOMS for path in sorted((root / room).rglob("*"))
               if path.suffix in (".h", ".cc") and not path.name.endswith("_test.cc")}
    of_headers = numbers_in("\n".join(text for path, text in sources.items() if path.suffix == ".h"), {})
    listed = listed_numbers((root / LIST).read_text(), kernel)
    names = {number: name for name, number in kernel.items()}
    faults = []
    for path, text in sources.items():
        name = str(path.relative_to(root))
        if name in EXEMPT:
            continue
        numbers = numbers_in(text, of_headers)
        for constant in CALL.findall(text):
            if constant not in numbers:
                faults.append(f"{name}: {constant} is no known number of a system call")
            elif numbers[constant] not in listed:
                faults.append(f"{name}: {names.get(numbers[constant])} is missing in {LIST}")
    return faults


def main():
    kernel = numbers_of_kernel()
    if kernel is None:
        print("SKIPPED: the kernel's header asm/unistd_64.h is not installed")
        sys.exit(77)
    faults = find_faults(pathlib.Path(__file__).resolve().parents[2], kernel)
    print("\n".join(sorted(set(faults))))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
