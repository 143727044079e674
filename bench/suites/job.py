# SPDX-License-Identifier: MIT
"""Runs one test of a suite in namespaces of its own, natively or under hardmeter, and returns what each of its cases came to."""
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field

PASSED, FAILED, SKIPPED, TIMEOUT = "passed", "failed", "skipped", "timeout"

# A test sees only its own processes and network, its files end with it, and it cannot change /proc/sys or /sys.
# Capabilities that reach beyond namespaces are dropped. $1: the suite's folder, $2: the job's.
PRISON = r"""
suite=$1 job=$2
shift 2
mount -t overlay overlay -o "lowerdir=$suite,upperdir=$job/changes,workdir=$job/overlay" "$suite" &&
  mount -o bind,ro /proc/sys /proc/sys && mount -o bind,ro /sys /sys && cd "$PWD" || exit 125
ip link set lo up 2>/dev/null
setpriv --bounding-set "-sys_admin,-sys_time,-sys_boot,-sys_module,-sys_rawio,-sys_nice" --inh-caps -all env --default-signal "$@" &
exec 2>/dev/null  # the shell would report a signal that ends the test
wait $!
"""
NAMESPACES = ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc", "--ipc", "--uts", "--net"]


running = set()  # the processes of tests that have not ended


@dataclass
class Job:
    """A test: a command whose output and status say what its cases came to."""
    name: str
    command: list
    folder: str = ""  # working folder; a new empty folder by default
    environment: dict = field(default_factory=dict)
    whole_environment: bool = False  # only `environment`, instead of the script's own and `environment`


@dataclass
class Ended:
    """How a job ended. `status` is None if it ran out of time."""
    status: int
    output: str
    seconds: float  # elapsed time
    cpu: float  # CPU time of all waited-for processes
    folder: str


def base_environment(job, own):
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "USER", "LOGNAME")}
    environment = dict(job.environment) if job.whole_environment else kept | {"LC_ALL": "C.UTF-8"} | job.environment
    return environment | {"TMPDIR": own, "HOME": own}


def run(job, suite_folder, prefix, limit, scratch):
    """Runs the job behind `prefix`, a command's first words, for at most `limit` seconds. `scratch`: a folder that is free."""
    own = f"{scratch}/own"
    for folder in (own, f"{scratch}/changes", f"{scratch}/overlay"):
        os.makedirs(folder)
    output = f"{scratch}/output"
    command = [*NAMESPACES, "sh", "-c", PRISON, "prison", suite_folder, scratch, *prefix, *job.command]
    begin = time.monotonic()
    with open(output, "wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=job.folder or own,
                                   env=base_environment(job, own), start_new_session=True)
        running.add(process)
        status, used = wait(process, begin + limit)
        running.discard(process)
    with open(output, encoding="utf-8", errors="replace") as file:
        return Ended(status, file.read(), time.monotonic() - begin, used.ru_utime + used.ru_stime, own)


def wait(process, end):
    """Waits for the process, at most until `end`; returns its status (None: it was killed then) and what it used."""
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, used
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            _, process.returncode, used = os.wait4(process.pid, 0)
            return None, used
        time.sleep(0.02)


def end_all(*_):
    """Ends all tests and this process, as a handler of signals."""
    for process in list(running):
        os.killpg(process.pid, signal.SIGKILL)
    os._exit(130)


def remove(scratch):
    """Removes a job's folder, also what the test made unreadable."""
    shutil.rmtree(scratch, ignore_errors=True)
