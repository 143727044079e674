# SPDX-License-Identifier: MIT
"""The measured programs: commands of 0.1 to 0.7 seconds in one thread."""
import os
import shutil
import subprocess

import five_programs
import real_programs
from fidelity import program_inputs
from fidelity.measurement import progress

OWN = os.path.dirname(os.path.abspath(__file__)) + "/inputs"
SHARED = f"{five_programs.HERE}/programs"
PYTHON = "/usr/bin/python3"  # python3 in PATH may be a script that chooses among versions


def c_compiler(folder):
    """Returns the command of the C compiler proper."""
    proper = subprocess.run(["gcc", "-print-prog-name=cc1"], check=True, capture_output=True, text=True).stdout.strip()
    return [proper, "-O2", "-quiet", f"{folder}/program.c", "-o", "/dev/null"]


def history(folder):
    path = f"{folder}/history.git"
    if not os.path.exists(f"{path}/HEAD"):
        program_inputs.make_history(path)
    return ["git", "-c", "safe.directory=*", "--git-dir", path, "log", "--stat", "main"]


def has_numpy():
    return subprocess.run([PYTHON, "-c", "import numpy"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def makers(folder):
    """Returns for each program: the needed executable, and a function that returns the command."""
    return {
        "gzip": ("gzip", lambda: ["gzip", "-kc", f"{folder}/text8"]),
        "zstd": ("zstd", lambda: ["zstd", "--single-thread", "-9", "-qkc", f"{folder}/text8"]),
        "git log --stat": ("git", lambda: history(folder)),
        "node json": ("node", lambda: ["node", f"{SHARED}/objects.js"]),
        "GNU sort": ("sort", lambda: ["sort", "--parallel=1", f"{folder}/records"]),
        "numpy": (PYTHON, lambda: [PYTHON, f"{OWN}/arrays.py"] if has_numpy() else None),
        "lua": ("lua5.4", lambda: ["lua5.4", f"{OWN}/trees.lua", "15", "100"]),
        "luajit": ("luajit", lambda: ["luajit", f"{OWN}/trees.lua", "15", "200"]),
        "cc1 C": ("gcc", lambda: c_compiler(folder)),
        "bzip2": ("bzip2", lambda: ["bzip2", "-kc", f"{folder}/text4"]),
        "xz": ("xz", lambda: ["xz", "-T1", "-6", "-kc", f"{folder}/text1"]),
        "perl hash": ("perl", lambda: ["perl", f"{OWN}/hash.pl", "300000", "600000"]),
        "perl words": ("perl", lambda: ["perl", f"{OWN}/words.pl", f"{folder}/text6"]),
        "python json": (PYTHON, lambda: [PYTHON, f"{SHARED}/objects.py"]),
        "sqlite3": ("sqlite3", lambda: ["sqlite3", ":memory:", f".read {SHARED}/query.sql"]),
        "cc1plus": ("g++", lambda: real_programs.compiler(folder)),
        "gawk": ("gawk", lambda: ["gawk", "-f", f"{OWN}/words.awk", f"{folder}/text6"]),
    }


def commands(folder, is_chosen):
    """Makes the inputs in `folder`. Returns the commands by name, without those that are not installed."""
    program_inputs.make(folder)
    found = {}
    for name, (needed, make) in makers(folder).items():
        if not is_chosen(name):
            continue
        command = make() if shutil.which(needed) else None
        if command:
            found[name] = command
        else:
            progress(f"programs: SKIPPED {name}: {'numpy for ' if shutil.which(needed) else ''}{needed} is not installed")
    return found
