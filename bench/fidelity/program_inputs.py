# SPDX-License-Identifier: MIT
"""Makes the inputs of the measured programs. The same inputs on each machine with the same Python library."""
import glob
import hashlib
import itertools
import os
import shutil
import subprocess

import five_programs

TEXT_SOURCES = "/usr/lib/python3*/**/*.py"
COMMITS, FILES, LINES = 1500, 60, 400  # of the git repository; LINES: in each file


def source_lines():
    """Yields the lines of the sources of Python's library, again and again."""
    paths = sorted(glob.glob(TEXT_SOURCES, recursive=True))
    for path in itertools.cycle(paths):
        with open(path, "rb") as file:
            yield from file


def make_text(path, size):
    """Writes `size` bytes of program sources."""
    with open(path, "wb") as file:
        written = 0
        for line in source_lines():
            written += file.write(line[:size - written])
            if written == size:
                return


def make_records(path, count):
    """Writes lines to sort, in an order without a pattern."""
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{i * 7919 % 1000003} {i * 104729 % 1000} user{i % 777}\n" for i in range(1, count + 1))


def commit(number, content):
    """Returns the command of git fast-import that writes one file in a new commit."""
    message = f"Change {number}\n".encode()
    head = f"commit refs/heads/main\ncommitter bench <bench@localhost> {1767225600 + number} +0000\ndata {len(message)}\n".encode()
    return head + message + f"M 644 inline file{number % FILES}\ndata {len(content)}\n".encode() + content + b"\n"


def make_history(path):
    """Makes a git repository in which each commit changes one line in 20 of a file."""
    lines = [line for line in itertools.islice(source_lines(), FILES * LINES)]
    subprocess.run(["git", "init", "-q", "--bare", path], check=True)
    importer = subprocess.Popen(["git", "-C", path, "fast-import", "--quiet"], stdin=subprocess.PIPE)
    for number in range(COMMITS):
        first = number % FILES * LINES
        for i in range(first + number % 20, first + LINES, 20):
            lines[i] = b"%d: %s" % (number, lines[i].split(b": ", 1)[-1])
        importer.stdin.write(commit(number, b"".join(lines[first:first + LINES])))
    importer.stdin.close()
    if importer.wait() != 0:
        raise subprocess.CalledProcessError(importer.returncode, importer.args)


def is_finished(path, digest):
    """Returns whether a run of this version of the script has made the inputs."""
    if not os.path.exists(path):
        return False
    with open(path, encoding="ascii") as file:
        return file.read() == digest


def make(folder):
    """Makes all inputs in `folder`, unless an earlier run has made them."""
    finished = f"{folder}/finished"
    with open(__file__, "rb") as script:
        digest = hashlib.sha256(script.read()).hexdigest()
    if is_finished(finished, digest):
        return
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for size in (1, 4, 6, 8):
        make_text(f"{folder}/text{size}", size * 1_000_000)
    make_records(f"{folder}/records", 900_000)
    subprocess.run([f"{five_programs.HERE}/programs/make_inputs.sh", folder], check=True)
    with open(finished, "w", encoding="ascii") as file:
        file.write(digest)
