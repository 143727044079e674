#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of a document in an empty folder, and compares their outputs with those that the document shows:
  check_document.py --build BUILD [--update] [--folder FOLDER] DOCUMENT...
README.md describes the marks in a document. Ends with status 77 if nothing could be run."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from comparison import difference, plain
from document import parse
from renewal import renewed
from session import Ended, Session

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 900  # for one command, on a loaded machine
TWO_CPUS = "two-cpus"  # in place of a program
SHOWN = 60  # lines of the output of a failed command
MACHINE = pathlib.Path(__file__).with_name("machine.txt")  # the modelled caches of the documents' outputs


def make_home(home, build):
    """Makes the reader's home: ~/hardmeter is the source with its build, ~/.local an installation."""
    tree = home / "hardmeter"
    tree.mkdir(parents=True)
    for each in SOURCE.iterdir():
        if each.name != "build":
            (tree / each.name).symlink_to(each)
    (tree / "build").symlink_to(build)
    if (build / "cmake_install.cmake").exists():
        subprocess.run(["cmake", "--install", build, "--prefix", home / ".local"], check=True, stdout=subprocess.DEVNULL)


def environment(home):
    """Returns the environment of the commands. Compilers find their caches; no setting of this user counts."""
    local, real = home / ".local", pathlib.Path.home()
    found = {"HOME": home, "PATH": f"{local}/bin:{os.environ['PATH']}:/usr/sbin:/sbin", "LANG": "C.UTF-8", "TERM": "xterm",
             "NO_COLOR": "1", "PKG_CONFIG_PATH": local / "lib/pkgconfig", "XDG_CONFIG_HOME": home / ".config", "USER": "reader"}
    for name, folder in (("GOCACHE", ".cache/go-build"), ("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")):
        found[name] = os.environ.get(name, real / folder)
    return {name: str(value) for name, value in found.items()}


def missing(command, path):
    """Returns why a command cannot run here, "" if it can."""
    if command.not_run:
        return command.not_run
    lacking = [name for name in command.needs if name != TWO_CPUS and shutil.which(name, path=path) is None]
    if lacking:
        return f"there is no {', no '.join(lacking)}"
    return "there is one CPU only" if TWO_CPUS in command.needs and len(os.sched_getaffinity(0)) < 2 else ""


def software_pmu_measures(build):
    """True unless this processor's counters would measure: the documents show outputs of the software PMU."""
    tool = build / "bin/hardmeter"
    if not tool.exists():
        return True
    said = subprocess.run([tool, "stat", "-e", "l1_cache_miss", "true"], capture_output=True, text=True, check=False)
    return said.returncode != 0 or "software PMU" in said.stdout + said.stderr


def modelled_caches(build):
    """Returns the line with the caches that the software PMU models here, those of this machine; "" without a build."""
    tool = build / "bin/hardmeter"
    if not tool.exists():
        return ""
    said = subprocess.run([tool, "stat", "--pmu=soft", "true"], capture_output=True, text=True, check=False)
    return next((line for line in (said.stdout + said.stderr).splitlines() if line.startswith("L1I ")), "")


def shown_status(command, following):
    """True if the next command of the document prints this one's status, so that a failure is meant."""
    return following is not None and following.text == "echo $?"


class Run:
    """The commands of one document, one after the other."""

    def __init__(self, document, name, renew, compares):
        self.document, self.name, self.renew, self.compares = document, name, renew, compares
        self.ran = self.failures = 0
        self.replacements = []  # ((first, last), lines)

    def fail(self, command, reason, output=()):
        self.failures += 1
        print(f"FAILED: {self.name}:{command.line}: {command.text.splitlines()[0]}\n  {reason}")
        print("".join(f"  | {line}\n" for line in list(output)[:SHOWN]), end="")

    def skip(self, command, reason):
        print(f"SKIPPED: {self.name}, {command.section or 'beginning'}: {reason}")

    def look(self, command, lines):
        """Compares a command's output, or puts it into the document."""
        parts = [self.document.lines[first:last] for first, last in command.parts]
        if self.renew:
            new, lost = renewed(parts, lines)
            self.replacements += zip(command.parts, new)
            for line in lost:
                self.fail(command, f"no line of the output is like '{line.strip()}': edit this block by hand", lines)
            return
        expected = [line for i, part in enumerate(parts) for line in ["..."] * (i > 0) + part]
        if command.first_lines is not None:
            expected = expected[:command.first_lines] + ["..."]
        reason = difference(expected, lines, command.rows, command.any_order)
        if reason and self.compares:
            self.fail(command, reason, lines)
        elif reason:
            print(f"DIFFERS, with other caches: {self.name}:{command.line}: {command.text.splitlines()[0]}\n  {reason}")

    def run(self, session, path):
        said = set()
        for command, following in zip(self.document.commands, self.document.commands[1:] + [None]):
            reason = missing(command, path)
            if reason:
                if (command.section, reason) not in said:
                    said.add((command.section, reason))
                    self.skip(command, reason)
                continue
            output, status = session.run(command.text, SECONDS)
            lines = plain(output)
            if status != 0 and command.skips_rest and any(command.skips_rest in line for line in lines):
                self.skip(command, f"{command.skips_rest}, here and below")
                return
            self.ran += 1
            if status != 0 and not shown_status(command, following):
                self.fail(command, f"status {status}", lines)
            elif command.compared:
                self.look(command, lines)

    def text(self):
        """Returns the document with the new outputs."""
        lines = list(self.document.lines)
        for (first, last), new in sorted(self.replacements, reverse=True):
            lines[first:last] = new
        return "\n".join(lines) + "\n"


def check(path, build, renew, folder, compares):
    """Returns (commands that ran, failures) of a document. The folder is made for its commands, and removed."""
    document = parse(path.read_text(encoding="utf-8"))
    for error in document.errors:
        print(f"FAILED: {path.name}: {error}")
    with tempfile.TemporaryDirectory() as scratch:
        home = pathlib.Path(scratch) / "home"
        make_home(home, build)
        start = empty = pathlib.Path(folder or f"{scratch}/empty")
        empty.mkdir()
        (home.parent / "commands").mkdir()
        variables = environment(home)
        if document.folder != ".":
            start = pathlib.Path(document.folder.replace("~", str(home)))
        session = Session(start, home.parent / "commands", variables, document.columns)
        run = Run(document, path.name, renew, compares)
        try:
            run.run(session, variables["PATH"])
        except Ended as ended:
            print(f"FAILED: {path.name}: {ended}")
            run.failures += 1
        finally:
            session.close()
            shutil.rmtree(empty, ignore_errors=True)
    if renew:
        path.write_text(run.text(), encoding="utf-8")
    return run.ran, run.failures + len(document.errors)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    options.add_argument("--update", action="store_true", help="put the outputs into the documents")
    options.add_argument("--folder", help="where the commands run; it must not exist. Default: a temporary folder, with "
                         "--update /tmp/NAME, because outputs show it")
    options.add_argument("documents", nargs="+", type=pathlib.Path)
    given = options.parse_args()
    if not software_pmu_measures(given.build):
        print("SKIPPED: hardware counters measure on this machine; the documents show outputs of the software PMU")
        sys.exit(77)
    build = given.build.resolve()
    caches = modelled_caches(build)
    if given.update and caches:
        MACHINE.write_text(caches + "\n", encoding="utf-8")
    # With other caches, other functions and patterns may come first.
    compares = caches == "" or caches == MACHINE.read_text(encoding="utf-8").strip()
    ran = failures = 0
    for path in given.documents:
        folder = given.folder or (f"/tmp/{path.stem}" if given.update else None)
        counts = check(path, build, given.update, folder, compares)
        if counts[1] != 0 and not given.update:
            print("again, because rows of live measurements may change places by chance")
            counts = check(path, build, given.update, folder, compares)
        ran, failures = ran + counts[0], failures + counts[1]
    print(f"{ran} commands ran, {failures} failures")
    sys.exit(1 if failures else 0 if ran else 77)


if __name__ == "__main__":
    main()
