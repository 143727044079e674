#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every file and folder that these documents name in backticks exists.

A name may omit the folders in front (`access.cc`); it must then be the end of the path of a file in the repository.
"""
import pathlib
import re
import subprocess
import sys

DOCUMENTS = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/copying-engine.md", "docs/elsewhere.md", "docs/engine-locks.md"]
NAMED = re.compile(r"`([\w./-]+(?:/|\.(?:cc|h|ts|py|md|sh|cmake|S)))`")
BUILT = {"build/", "build-dev/", "build-sanitized/", "build-tsan/"}


def tracked(root):
    """Returns the paths of all files in the repository, or of all files below the folder if it is no repository."""
    found = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=False)
    if found.returncode == 0 and found.stdout:
        return found.stdout.splitlines()
    return [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]


def missing(text, files):
    """Returns the named paths that no file has, in their order."""
    ends = ["/" + path for path in files]
    folders = {"/" + path[:at + 1] for path in files for at, letter in enumerate(path) if letter == "/"}

    def exists(name):
        if name in BUILT:
            return True
        if name.endswith("/"):
            return any(folder.endswith("/" + name) for folder in folders)
        return any(end.endswith("/" + name) for end in ends)
    return [name for name in dict.fromkeys(NAMED.findall(text)) if not exists(name)]


def main():
    root = pathlib.Path.cwd()
    files = tracked(root)
    failed = False
    for document in DOCUMENTS:
        for name in missing((root / document).read_text(encoding="utf-8"), files):
            print(f"{document}: {name} does not exist")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
