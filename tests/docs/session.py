# SPDX-License-Identifier: MIT
"""One bash on a terminal of a given width, which runs the commands of a document one after the other."""
import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import time

DRIVER = """
status_=0
while IFS= read -r file_ <&3; do
  (exit "$status_")
  . "$file_" </dev/null
  status_=$?
  echo "$status_" >&4
done
"""


class Ended(Exception):
    """The shell ended, or a command took too long."""


class Session:
    def __init__(self, folder, scratch, environment, columns):
        self.scratch, self.number = scratch, 0
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        commands, self.commands = os.pipe()
        self.statuses, statuses = os.pipe()
        # The driver's descriptors 3 and 4 are the pipes; what it starts inherits neither.
        self.shell = subprocess.Popen(
            ["bash", "-c", f"exec {commands}<&{commands} 3<&{commands} {commands}<&- 4>&{statuses} {statuses}>&-\n{DRIVER}"],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
            pass_fds=(commands, statuses), start_new_session=True)
        os.close(commands)
        os.close(statuses)
        self.slave = slave  # open until the end: else the terminal fails to read between commands

    def run(self, text, seconds):
        """Runs a command. Returns (output, status)."""
        self.number += 1
        path = os.path.join(self.scratch, str(self.number))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        os.write(self.commands, (path + "\n").encode())
        output, end = b"", time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.master, self.statuses], [], [], max(0, end - time.monotonic()))
            if self.master in ready:
                output += os.read(self.master, 65536)
            elif self.statuses in ready:
                status = os.read(self.statuses, 64)
                if not status:
                    raise Ended(output.decode(errors="replace") + "\nthe shell ended")
                return output.decode(errors="replace"), int(status)
            elif not ready:
                raise Ended(output.decode(errors="replace") + f"\nno end after {seconds} s")

    def close(self):
        try:
            os.killpg(self.shell.pid, signal.SIGKILL)  # with what it left in the background
        except ProcessLookupError:
            pass
        self.shell.wait()
        for each in (self.master, self.slave, self.commands, self.statuses):
            os.close(each)
