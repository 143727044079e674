#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows the first screen of `hardmeter run` for ten kinds of programs, and checks it.

    scripts/first_screens.py build/bin/hardmeter > docs/first-screens.md

    scripts/first_screens.py build/bin/hardmeter Rust Redis    # only these

Each program runs once with `run` and once with `stat`, at 80 columns. The checks, whose results are in the output:
a function that the program's author wrote is in the table, `stat` gives the same share of memory waits within both
intervals, no line is longer than 80 columns, and a name that is cut has a mark. Programs whose tools are missing are
named and left out. Exits with status 1 if a check fails, and with 77 if no program was run."""

import datetime
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "tests" / "docs"))
from check_document import software_pmu_measures  # noqa: E402
from session import Session  # noqa: E402

EXAMPLES = SOURCE / "examples"
FIRST_HOUR = EXAMPLES / "first-hour"
COLUMNS = 80
SECONDS = 600  # at most, for one command

REDIS_LOAD = """for i in $(seq 600); do redis-cli -s redis.sock ping >/dev/null 2>&1 && break; sleep 0.1; done
redis-cli -s redis.sock eval "for i = 1, 300000 do
  redis.call('hset', 'user:' .. i, 'name', 'name' .. i) end
  local sum = 0
  for i = 1, 300000 do sum = sum + #redis.call('hget', 'user:' .. (i * 7919 % 300000 + 1), 'name') end
  return sum" 0 >/dev/null
redis-cli -s redis.sock shutdown nosave
"""
NGINX_LOAD = """for i in $(seq 600); do [ -S nginx.sock ] && break; sleep 0.1; done
for i in $(seq 5); do
  curl -s --unix-socket nginx.sock 'http://localhost/[1-4000].html' 'http://localhost/none/[1-2000]' >copy
done
[ $(grep -c 'page 4000' copy) = 1 ] || echo 'nginx served nothing' >&2
kill -QUIT $(cat nginx.pid)
"""
NGINX_FILES = "for i in $(seq 4000); do echo \"<p>page $i of many</p>\" >$i.html; done"
NGINX_CONF = """daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
events {}
http {
  access_log off;
  keepalive_requests 1000000;
  open_file_cache max=10000;
  server { listen unix:nginx.sock; root .; location / { } }
}
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
    Program("Python 3.13", ["python3.13"], None, ["--jit-names", "--", "python3.13", "records.py"],
            ["JSONDecoder", "<module>", "json/", "records.py"]),
    Program("Node.js", ["node"], None, ["--jit-names", "--", "node", "objects.js"], ["total", "build"]),
    Program("Java", ["java", "javac"], "javac Lists.java", ["--jit-names", "--", "java", "Lists"],
            ["Lists."]),
    # The cluster exists before the measurement: initdb is another program.
    Program("PostgreSQL", ["postgres", "pgbench"], "PGBENCH_TRANSACTIONS=1 ./run.sh cluster",
            ["env", "PGBENCH_TRANSACTIONS=2000", "./run.sh", "cluster"],
            ["heap_", "hash_search", "_bt_", "ReadBuffer", "AllocSet", "SearchCatCache"]),
    Program("Redis", ["redis-server", "redis-cli"], None,
            ["redis-server", "--port", "0", "--unixsocket", "redis.sock", "--save", "", "--logfile", "log"],
            ["dict", "sds", "luaV_", "siphash", "lookupKey"], load=REDIS_LOAD),
    Program("nginx", ["nginx", "curl"], NGINX_FILES, ["nginx", "-p", ".", "-c", "nginx.conf", "-e", "error.log"],
            ["ngx_"], {"nginx.conf": NGINX_CONF}, NGINX_LOAD),
    Program("A build with make", ["make", "g++"], None, ["make", "-s", "-j2"], ["cpp_", "ggc_", "_cpp", "c_lex"],
            {"Makefile": MAKEFILE}),
]


def environment(folder, hardmeter):
    """With hardmeter, and the Python that `python3.13` starts, in the path: commands are as a user types them."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    python = str(pathlib.Path(python_of("python3.13")).parent) + ":" if runs("python3.13") else ""
    kept["PATH"] = f"{pathlib.Path(hardmeter).parent}:{python}{kept['PATH']}"
    return {**kept, "XDG_CONFIG_HOME": str(folder), "USER": "user", "GOCACHE": str(folder / "go"), "NO_COLOR": "1",
            "TERM": "xterm"}


def prepare(program, folder, variables):
    folder.chmod(0o755)  # PostgreSQL runs as another user
    for each in [*FIRST_HOUR.iterdir(), EXAMPLES / "postgresql" / "run.sh"]:
        shutil.copy(each, folder)
    texts = [text for text in pathlib.Path("/usr/share/common-licenses").iterdir() if text.is_file()]
    (folder / "texts").write_text("".join(text.read_text(errors="replace") for text in sorted(texts)))
    for name, text in program.files.items():
        (folder / name).write_text(text)
    if program.build:
        subprocess.run(program.build, shell=True, cwd=folder, env=variables, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def python_of(command):
    """A measured program is the interpreter itself, not a shell script that starts it."""
    return subprocess.run([command, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True,
                          check=True).stdout.strip()


def words_of(program):
    return program.command if "--" in program.command else ["--", *program.command]


def measure(command, words, folder, variables, load):
    """Runs hardmeter on a terminal of 80 columns, and returns what it shows. `load` runs beside it."""
    with tempfile.TemporaryDirectory() as scratch:
        session = Session(folder, scratch, variables, COLUMNS)
        try:
            beside = f"( {load} ) & " if load else ""
            line = shlex.join(["hardmeter", command, *words])
            shown, _ = session.run(f"{beside}{line}; wait", SECONDS)
        finally:
            session.close()
    return shown.replace("\r\n", "\n")


def verdict_of(text):
    """The share of memory waits in percent, and half of its interval."""
    found = re.search(r"memory waits: ([\d.]+)%(?: ±([\d.]+))?", text)
    return (float(found[1]), float(found[2] or 0)) if found else None


def screen_of(text):
    """The lines from the verdict to the end of the tables of functions."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if "memory waits" in line), 0)
    after = re.compile(r"where accesses|most expensive|# more: ")
    end = next((i for i, line in enumerate(lines) if i > begin and after.match(line)), len(lines))
    return "\n".join(lines[begin:end]).rstrip().splitlines()


def tables_of(screen):
    begin = next((i for i, line in enumerate(screen) if re.match(r"\s*(share|self) ", line)), len(screen))
    return screen[begin + 1:]


def cuts_without_mark(rows, report):
    """Names in a table that `report`, which has no width, does not have."""
    cells = [cell for row in rows if "  " in row and not row.startswith("#") for cell in re.split(r"\s{2,}", row)[-2:]]
    return [cell for cell in cells if "…" not in cell and cell not in report]


def check(program, screen, here, there, report):
    """Returns the findings, and whether all are as they should be."""
    rows = tables_of(screen)
    named = next((name for name in program.names if any(name in row for row in rows)), None)
    cuts = cuts_without_mark(rows, report)
    longest = max((len(line) for line in screen), default=0)
    agree = here and there and abs(here[0] - there[0]) <= max(3.0, 1.5 * (here[1] + there[1]))
    return [
        (f"a function of its author: `{named}`" if named else "NO function of its author", named is not None),
        (f"`run` {here[0]:.1f} % ±{here[1]:.1f}, `stat` {there[0]:.1f} % ±{there[1]:.1f}" if here and there
         else "no verdict", bool(agree)),
        (f"longest line: {longest} columns", longest <= COLUMNS),
        (f"names cut without a mark: {', '.join(cuts) or 'none'}", not cuts),
    ]


def runs(tool):
    """False for a tool that is missing, also for a shim that finds no version of it."""
    return shutil.which(tool) is not None and subprocess.run([tool, "--version"], stdin=subprocess.DEVNULL,
                                                             capture_output=True, check=False).returncode != 127


def show(hardmeter, program):
    """Returns whether the findings are as they should be; None if the program cannot run here."""
    missing = [tool for tool in program.tools if not runs(tool)]
    print(f"\n## {program.title}\n")
    if missing:
        print(f"Not run: {', '.join(missing)} is not installed.")
        return None
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        variables = environment(folder, hardmeter)
        prepare(program, folder, variables)
        words = words_of(program)
        out = measure("run", ["-q", *words], folder, variables, program.load)
        stat_words = [word for word in words if word != "--jit-names"]
        report = subprocess.run([hardmeter, "report", "--children"], cwd=folder, env=variables, text=True,
                                capture_output=True, check=False).stdout
        stat = measure("stat", ["--detail=auto", "--as=typical", *stat_words], folder, variables,
                       program.load)
    screen = [line.replace(name, "~") for line in screen_of(out)]
    findings = check(program, screen, verdict_of(out), verdict_of(stat), report)
    shown = " ".join(["hardmeter run", *[word for word in words if word != "--"]])
    print("```\n$ " + shown)
    print("\n".join(screen or [out.strip()]) + "\n```\n")
    for text, good in findings:
        print(f"- {text}{'' if good else ' **(not as it should be)**'}")
    sys.stdout.flush()
    return all(good for _, good in findings)


def main():
    hardmeter = str(pathlib.Path(sys.argv[1]).resolve())
    chosen = sys.argv[2:]
    if not software_pmu_measures(pathlib.Path(hardmeter).parent.parent):
        print("SKIPPED: hardware counters measure on this machine; the screens are those of the software PMU")
        sys.exit(77)
    print("# First screens\n")
    print("The first screen of `hardmeter run` for ten kinds of programs at 80 columns, from the verdict to the end of "
          "the tables of functions.\nMade by `scripts/first_screens.py` on "
          f"{datetime.date.today()}, without a hardware PMU and without calibration.\nA verdict of `stat` is that of "
          "another run. The programs are in `examples/`.")
    good = [show(hardmeter, each) for each in PROGRAMS if not chosen or each.title in chosen]
    sys.exit(1 if False in good else 77 if True not in good else 0)


if __name__ == "__main__":
    main()
