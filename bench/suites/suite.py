# SPDX-License-Identifier: MIT
"""What a suite is, and how its sources are obtained and built."""
import fcntl
import hashlib
import os
import subprocess
import sys

from suites import job as jobs

DEBIAN = """Types: deb-src
URIs: http://deb.debian.org/debian
Suites: {release}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""

# Omits the rest of the caller's environment: some suites store the environment for their tests.
BUILD_ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C.UTF-8", "FORCE_UNSAFE_CONFIGURE": "1"}


class Problem(Exception):
    """Why a suite cannot run here, in one sentence."""


class Suite:
    """A suite of tests. Subclasses have a name, `build`, `jobs` and `outcomes`."""
    name = ""

    def __init__(self, work, given=""):
        self.work, self.given = work, given  # `given`: a folder with its sources
        self.folder = f"{work}/{self.name}"  # sources and build results
        self.source = f"{self.folder}/source"

    def prepare(self):
        """Obtains and builds it, unless that has been done. One process at a time does this in a work folder."""
        stamp = f"{self.folder}/built"
        os.makedirs(self.folder, exist_ok=True)
        with open(f"{self.work}/lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(stamp):
                self.build()
                open(stamp, "w", encoding="ascii").close()

    def build(self):
        raise NotImplementedError

    def jobs(self):
        """All its tests, in order."""
        raise NotImplementedError

    def left_out(self):
        """Tests that are not run, by name, each with its reason."""
        return {}

    def outcomes(self, ended):
        """What the cases of an ended job came to, by name."""
        return {"": by_status(ended.status)}

    def command(self, line, folder=None):
        """Runs a shell command of the build; its output goes to the suite's log."""
        log = f"{self.folder}/log"
        with open(log, "ab") as file:
            done = subprocess.run(["sh", "-ec", line], cwd=folder or self.source, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                  env=BUILD_ENVIRONMENT)
        if done.returncode != 0:
            raise Problem(f"building it failed with status {done.returncode}; {log} has the reason")

    def debian_source(self, package):
        """Unpacks a source package of Debian into the suite's source folder; the system's list of sources stays as it is."""
        if os.path.exists(self.source):
            return
        if self.given:
            self.command(f"cp -a --no-preserve=ownership '{self.given}' '{self.source}'", self.folder)
            return
        print(f"{self.name}: source package {package}", file=sys.stderr)
        apt = f"{self.work}/apt"
        os.makedirs(f"{apt}/lists/partial", exist_ok=True)
        os.makedirs(f"{apt}/cache/archives/partial", exist_ok=True)
        with open(f"{apt}/list.sources", "w", encoding="ascii") as file:
            file.write(DEBIAN.format(release=debian_release()))
        options = (f"-o Dir::Etc::sourcelist={apt}/list.sources -o Dir::Etc::sourceparts=- -o Dir::State::lists={apt}/lists "
                   f"-o Dir::Cache={apt}/cache -o APT::Sandbox::User=root -o Acquire::Retries=1 -o Acquire::http::Timeout=20")
        if not os.path.exists(f"{apt}/updated"):
            self.command(f"apt-get {options} update && touch {apt}/updated", apt)
        unpacked = f"{self.folder}/unpacked"
        os.makedirs(unpacked, exist_ok=True)
        self.command(f"apt-get {options} source --only-source {package} && mv {package}-*/ ../source && rm -rf {unpacked}", unpacked)
        # All files get one time stamp, so that no makefile regenerates packaged files with tools that may be missing
        # here.
        self.command("find . -type f -exec touch -d 2020-01-01 {} +")


def debian_release():
    with open("/etc/os-release", encoding="utf-8") as file:
        for line in file:
            if line.startswith("VERSION_CODENAME="):
                return line.split("=")[1].strip()
    raise Problem("it comes from Debian's source packages, and this is no Debian")


def by_status(status):
    """What automake's conventions say of an exit status."""
    return {None: jobs.TIMEOUT, 0: jobs.PASSED, 77: jobs.SKIPPED}.get(status, jobs.FAILED)


def status_and_output(ended):
    """Two cases: the status, and the output's lines in any order. A program that prints times or addresses is unstable
    in the latter alone."""
    lines = sorted(ended.output.splitlines())
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
    return {"": f"{by_status(ended.status)}: status {ended.status}", "output": digest}


def is_program(path):
    """True for an executable ELF file."""
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"
