#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The terminal before, inside and after each view that takes the keyboard, in an interactive shell on a pseudo-terminal:
q, Ctrl-C, Ctrl-Z and fg, another window size, signals: full_screens.py HARDMETER VIEW RECORDING PID

VIEW is a name below. Waits for conditions, never for a time."""
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time

PATIENCE_S = 120  # timeout of a condition
PROMPT = "ready%"


class Shell:
    """An interactive bash, which leaves the terminal's modes to the kernel (--noediting) and has job control."""

    def __init__(self, folder):
        self.output = ""
        environment = dict(os.environ, TERM="xterm", LC_ALL="C.UTF-8", PS1=PROMPT, INPUTRC="/dev/null")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGHUP, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            os.chdir(folder)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"], environment)
        self.resize(30, 100)
        self.name = os.readlink(f"/proc/{self.pid}/fd/0") if self.wait_for_fd() else ""
        self.sees(re.escape(PROMPT), "the shell's prompt")
        self.run("bind 'set enable-bracketed-paste off' 2>/dev/null; ulimit -c 0; stty -echoctl")

    def wait_for_fd(self):
        self.holds(lambda: os.readlink(f"/proc/{self.pid}/exe").endswith("bash"), "the shell begins")
        return True

    def resize(self, rows, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def take(self):
        while select.select([self.terminal], [], [], 0.02)[0]:
            try:
                new = os.read(self.terminal, 65536)
            except OSError:
                return
            self.output += new.decode(errors="replace")

    def holds(self, condition, what):
        """Until the condition holds."""
        end = time.monotonic() + PATIENCE_S
        while True:
            self.take()
            try:
                if condition():
                    return
            except (OSError, subprocess.CalledProcessError):
                pass
            if time.monotonic() > end:
                raise SystemExit(f"FAILED: waiting for {what}; the terminal shows {self.output[-2000:]!r}")
            time.sleep(0.02)

    def sees(self, regex, what):
        """Until the terminal has shown it, since the last time; that is forgotten then."""
        found = []

        def condition():
            match = re.search(regex, self.output)
            if match:
                found.append(match)
            return match

        self.holds(condition, what)
        self.output = self.output[found[0].end():]
        return found[0]

    def press(self, keys):
        os.write(self.terminal, keys.encode())

    def run(self, command):
        """Returns its status, once it has ended or stopped. What it printed is forgotten."""
        self.start(command)
        return self.status()

    def start(self, command):
        self.take()
        self.output = ""
        self.press(command + "\n")

    def status(self):
        self.sees(re.escape(PROMPT), "the prompt")
        self.press("echo status=$?=\n")
        status = int(self.sees(r"status=(\d+)=", "the status")[1])
        self.sees(re.escape(PROMPT), "the prompt")
        return status

    def modes(self):
        """As stty -a has them, without the size, which a test changes."""
        said = subprocess.run(["stty", "-a", "-F", self.name], check=True, capture_output=True, text=True).stdout
        return re.sub(r"rows \d+; columns \d+; ", "", said)

    def job(self, program):
        """The process of the program that the shell has started; 0: none."""
        for pid in subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.pid)], capture_output=True,
                                  text=True).stdout.split():
            try:
                if os.path.samefile(f"/proc/{pid}/exe", program):
                    return int(pid)
            except OSError:
                pass
        return 0

    def end(self):
        """What runs in the shell's session, too: a program that outlives who measured it."""
        session = subprocess.run(["ps", "-o", "pid=", "-s", str(self.pid)], capture_output=True, text=True).stdout
        for pid in [*session.split(), str(self.pid)]:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


class Check:
    def __init__(self, hardmeter, command, shown, again, folder):
        self.hardmeter, self.command, self.shown, self.again = hardmeter, command, shown, again
        self.shell = Shell(folder)
        self.before = self.shell.modes()
        self.failures = 0

    def expect(self, what, expected, found):
        if expected != found:
            print(f"FAILED: {what}: expected {expected!r}, found {found!r}")
            self.failures += 1

    def open(self):
        self.shell.start(self.command)
        self.shell.sees(self.shown, "the view")
        inside = self.shell.modes()
        words = inside.split()
        for each in ("-icanon", "-echo", "isig"):
            self.expect(f"{each} inside, of {inside}", True, each in words)
        self.expect("the line's speed inside", self.before.split(";")[0], inside.split(";")[0])
        return inside

    def is_as_before(self, what):
        self.expect(f"stty -a after {what}", self.before, self.shell.modes())

    def quit(self, keys, what, status):
        self.shell.press(keys)
        self.expect(f"status after {what}", status, self.shell.status())
        self.is_as_before(what)

    def stops_and_goes_on(self):
        inside = self.open()
        for stop in ("Ctrl-Z", "SIGTSTP", "SIGSTOP"):
            pid = self.shell.job(self.hardmeter)
            if stop == "Ctrl-Z":
                self.shell.press("\x1a")
            else:
                os.kill(pid, getattr(signal, stop))
            status = self.shell.status()
            self.expect(f"status after {stop}", True, status in (128 + signal.SIGTSTP, 128 + signal.SIGSTOP))
            if stop != "SIGSTOP":  # the process cannot handle SIGSTOP: the shell restores the modes, or does not
                self.is_as_before(stop)
            self.shell.start("fg")
            self.shell.holds(lambda: self.shell.modes() == inside, f"the modes inside after {stop} and fg")
            self.shell.sees(self.again, f"the view after {stop} and fg")
        self.shell.resize(20, 60)
        self.shell.output = ""
        self.shell.sees(self.again, "the view in another size")
        self.quit("q", "q", 0)
        self.shell.resize(30, 100)

    # In the background hardmeter does not touch the terminal, and can be ended.
    def ends_in_the_background(self):
        self.open()
        pid = self.shell.job(self.hardmeter)
        self.shell.press("\x1a")
        self.shell.status()
        self.shell.run("bg")
        self.is_as_before("bg")
        os.kill(pid, signal.SIGTERM)
        os.kill(pid, signal.SIGCONT)
        self.shell.holds(lambda: self.shell.job(self.hardmeter) == 0, "the end in the background")
        self.shell.run("true")
        self.is_as_before("SIGTERM in the background")

    def ends_by(self, name, status):
        self.open()
        os.kill(self.shell.job(self.hardmeter), getattr(signal, name))
        ended = self.shell.status()
        self.expect(f"status {ended} after {name}", True, ended in status)
        self.is_as_before(name)

    def all(self):
        self.stops_and_goes_on()
        self.open()
        self.quit("\x03", "Ctrl-C", 130)
        self.open()
        self.quit("\x1c", "Ctrl-\\", 131)
        self.ends_by("SIGTERM", (143,))
        self.ends_by("SIGHUP", (129, 143))  # llc: the status of its program, which llc ended by SIGTERM
        self.ends_by("SIGSEGV", (139,))
        self.ends_in_the_background()
        self.shell.end()
        return self.failures


def main():
    hardmeter, view, recording, pid = sys.argv[1:]
    cache = "--l1d 16K,8,64 --l2 64K,8,64 --l3 1M,16,64"
    soft = "--pmu=soft --budget 50%"
    views = {
        "top": (f"top {soft} -p {pid}", r"per second", r"q quit"),
        "top-kernel": (f"top --pmu=linux -e clock -p {pid}", r"per second", r"q quit"),
        "map": (f"map --pmu=soft -e memory_loads -c 1000 --window 300ms --virtual -p {pid}", r"ways; window", r"q quit"),
        "map-kernel": (f"map --pmu=linux --window 300ms --virtual -p {pid}", r"ways; window", r"q quit"),
        "llc": (f"llc -d 0.2 {cache} -- sleep 1000", r"by program", r"by program"),
        "timeline": (f"timeline -i {recording}", r"by thread", r"by thread"),
        "timeline-live": (f"timeline --live -e clock -p {pid}", r"following", r"clock  "),
    }
    command, shown, again = views[view]
    failures = Check(hardmeter, f"{shlex.quote(hardmeter)} {command}", shown, again, os.getcwd()).all()
    print("all as expected" if failures == 0 else f"{failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
