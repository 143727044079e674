#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows the first screen of `hardmeter run` for ten kinds of programs, and checks it.

    scripts/first_screens.py build/bin/hardmeter > docs/first-screens.md

Each program runs once with `run` and once with `stat`, at 80 columns. The checks, whose results are in the output:
a function that the program's author wrote is in the table, `stat` gives the same share of memory waits within both
intervals, and no line is longer than 80 columns. Programs whose tools are missing are named and left out. Exits with
status 1 if a check fails."""

import datetime
import fcntl
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
FIRST_HOUR = EXAMPLES / "first-hour"
COLUMNS = 80

REDIS_LOAD = """for i in $(seq 600); do redis-cli -s redis.sock ping >/dev/null 2>&1 && break; sleep 0.1; done
redis-cli -s redis.sock eval "for i = 1, 300000 do
  redis.call('hset', 'user:' .. i, 'name', 'name' .. i) end
  local sum = 0
  for i = 1, 300000 do sum = sum + #redis.call('hget', 'user:' .. (i * 7919 % 300000 + 1), 'name') end
  return sum" 0 >/dev/null
redis-cli -s redis.sock shutdown nosave
"""
NGINX_LOAD = """for i in $(seq 600); do [ -S nginx.sock ] && break; sleep 0.1; done
for i in $(seq 2000); do curl -s --unix-socket nginx.sock http://localhost/text >copy; done
kill -QUIT $(cat nginx.pid)
"""
NGINX_CONF = """daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
events {}
http { access_log off; server { listen unix:nginx.sock; root .; location / { } } }
"""
MAKEFILE = """all: one.o two.o
%.o: words.cc
\tg++ -O2 -c -o $@ $<
"""


class Program:
    """What to build, what to run, and names in the first screen of which one must be there. `load` is a script that
    runs beside a server, unmeasured, and stops it."""

    def __init__(self, title, tools, build, command, names, files=None, load=None):
        self.title, self.tools, self.build, self.command, self.names = title, tools, build, command, names
        self.files, self.load = files or {}, load


PROGRAMS = [
    Program("C++ with templates", ["g++"], "g++ -O2 -g -o words words.cc", ["sh", "-c", "exec ./words <texts"],
            ["main", "std::map", "operator"]),
    Program("Rust", ["rustc"], "rustc -O -g -o table table.rs", ["./table"], ["table::main", "hashbrown"]),
    Program("Go", ["go"], "go build -o tree tree.go", ["./tree"], ["main.insert", "main.find", "main.main"]),
    Program("Python 3.13", ["python3.13"], None, ["--jit-names", "--", "PYTHON", "records.py"],
            ["JSONDecoder", "<module>", "json/", "records.py"]),
    Program("Node.js", ["node"], None, ["--jit-names", "--", "node", "objects.js"], ["total", "build"]),
    Program("Java", ["java", "javac"], "javac Lists.java", ["--jit-names", "--", "java", "Lists"],
            ["HashMap", "Lists"]),
    Program("PostgreSQL", ["postgres", "pgbench"], None, [str(EXAMPLES / "postgresql" / "run.sh")],
            ["heap_", "hash_search", "_bt_", "ReadBuffer", "AllocSet", "SearchCatCache"]),
    Program("Redis", ["redis-server", "redis-cli"], None,
            ["redis-server", "--port", "0", "--unixsocket", "redis.sock", "--save", "", "--logfile", "log"],
            ["dict", "sds", "luaV_", "siphash", "lookupKey"], load=REDIS_LOAD),
    Program("nginx", ["nginx", "curl"], None, ["nginx", "-p", ".", "-c", "nginx.conf", "-e", "error.log"], ["ngx_"],
            {"nginx.conf": NGINX_CONF, "text": "word\n" * 2000}, NGINX_LOAD),
    Program("A build with make", ["make", "g++"], None, ["make", "-s", "-j2"], ["cpp_", "ggc_", "_cpp", "c_lex"],
            {"Makefile": MAKEFILE}),
]


def environment(folder):
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    return {**kept, "XDG_CONFIG_HOME": str(folder), "USER": "user", "GOCACHE": str(folder / "go"), "NO_COLOR": "1",
            "TERM": "xterm"}


def prepare(program, folder):
    for each in FIRST_HOUR.iterdir():
        shutil.copy(each, folder)
    texts = [text for text in pathlib.Path("/usr/share/common-licenses").iterdir() if text.is_file()]
    (folder / "texts").write_text("".join(text.read_text(errors="replace") for text in sorted(texts)))
    for name, text in program.files.items():
        (folder / name).write_text(text)
    if program.build:
        subprocess.run(program.build, shell=True, cwd=folder, env=environment(folder), check=True,
                       stdout=subprocess.DEVNULL)


def python_of(command):
    """A measured program is the interpreter itself, not a shell script that starts it."""
    return subprocess.run([command, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True,
                          check=True).stdout.strip()


def words_of(program):
    words = [python_of("python3.13") if word == "PYTHON" else word for word in program.command]
    return words if "--" in words else ["--", *words]


def measure(hardmeter, command, words, folder, load=None):
    """Runs hardmeter on a terminal of 80 columns, and returns what it shows."""
    driver = subprocess.Popen(["sh", "-c", load], cwd=folder) if load else None
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    with subprocess.Popen([hardmeter, command, *words], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
                          stdout=its, stderr=its):
        os.close(its)
        shown = b""
        while part := read_terminal(ours):
            shown += part
    os.close(ours)
    if driver:
        driver.wait()
    return shown.decode(errors="replace").replace("\r\n", "\n")


def read_terminal(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:  # the last program has closed it
        return b""


def verdict_of(text):
    """The share of memory waits in percent, and half of its interval."""
    found = re.search(r"memory waits: ([\d.]+)%(?: ±([\d.]+))?", text)
    return (float(found[1]), float(found[2] or 0)) if found else None


def screen_of(text):
    """The lines up to the end of the first table."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if "memory waits" in line), 0)
    end = next((i for i, line in enumerate(lines) if i > begin and re.match(r"# [\d,]+ more rows?|where accesses", line)),
               len(lines))
    return lines[begin:end + 1]


def table_of(screen):
    begin = next((i for i, line in enumerate(screen) if re.match(r"\s*(share|self) ", line)), len(screen))
    return screen[begin + 1:]


def check(program, screen, here, there):
    """Returns the findings, and whether all are as they should be."""
    named = next((name for name in program.names if any(name in row for row in table_of(screen))), None)
    longest = max((len(line) for line in screen), default=0)
    agree = here and there and abs(here[0] - there[0]) <= max(3.0, 1.5 * (here[1] + there[1]))
    return [
        (f"a function of its author: `{named}`" if named else "NO function of its author", named is not None),
        (f"`run` {here[0]:.1f} % ±{here[1]:.1f}, `stat` {there[0]:.1f} % ±{there[1]:.1f}" if here and there
         else "no verdict", bool(agree)),
        (f"longest line: {longest} columns", longest <= COLUMNS),
    ]


def runs(tool):
    """False for a tool that is missing, also for a shim that finds no version of it."""
    return shutil.which(tool) is not None and subprocess.run([tool, "--version"], stdin=subprocess.DEVNULL,
                                                             capture_output=True, check=False).returncode != 127


def show(hardmeter, program):
    missing = [tool for tool in program.tools if not runs(tool)]
    print(f"\n## {program.title}\n")
    if missing:
        print(f"Not run: {', '.join(missing)} is not installed.")
        return True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(program, folder)
        words = words_of(program)
        out = measure(hardmeter, "run", ["-q", *words], folder, program.load)
        stat_words = [word for word in words if word != "--jit-names"]
        stat = measure(hardmeter, "stat", ["--detail=auto", "--as=typical", *stat_words], folder, program.load)
    screen = [line.replace(name, "~") for line in screen_of(out)]
    findings = check(program, screen, verdict_of(out), verdict_of(stat))
    shown = " ".join(["hardmeter run", *[word for word in words if word != "--"]])
    shown = shown.replace(str(EXAMPLES), "examples").replace(str(pathlib.Path(sys.prefix)), "")
    print("```\n$ " + shown)
    print("\n".join(screen or [out.strip()]) + "\n```\n")
    for text, good in findings:
        print(f"- {text}{'' if good else ' **(not as it should be)**'}")
    sys.stdout.flush()
    return all(good for _, good in findings)


def main():
    hardmeter = str(pathlib.Path(sys.argv[1]).resolve())
    chosen = sys.argv[2:]
    print("# First screens\n")
    print("The first screen of `hardmeter run` for ten kinds of programs at 80 columns, from the verdict to the end of "
          "the first table.\nMade by `scripts/first_screens.py` on "
          f"{datetime.date.today()}, without a hardware PMU and without calibration.\nA verdict of `stat` is that of "
          "another run. The programs are in `examples/`.")
    good = [show(hardmeter, each) for each in PROGRAMS if not chosen or each.title in chosen]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
