#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of docs/names.md: what profilers show for programs whose names are hard to find.

    scripts/names_table.py HARDMETER [--hotspot-parser FILE] [--only WORD] [--write docs/names.md]

Each program runs twice, under `perf record` and under `hardmeter record`, with the kernel's clock. The columns are the
first rows of `perf report` and of `hardmeter report`. hotspot has a window, but its names come from a program without
one, hotspot-perfparser; that column shows whether its output for perf's recording has the name. A program that lacks
its compiler or its rights here is left out, with a line on standard error.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

LOOP = r"""
#include <stdlib.h>
#ifndef HOT
#define HOT hot_loop
#endif
#ifndef TIMES
#define TIMES 400
#endif
#ifndef OTHER
#define OTHER 0
#endif
struct item { long price, rest[7]; };
long other_loop(const struct item *items, long n);
static SPEC long HOT(const struct item *items, long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += items[(i * 7919) % n].price;
  return sum;
}
__attribute__((noinline)) long OUTER(const struct item *items, long n) { return HOT(items, n); }
#ifndef LIBRARY
int main(void) {
  long n = 1 << 16, sum = 0;
  struct item *items = calloc(n, sizeof *items);
  for (int i = 0; i < TIMES; ++i) { sum += OUTER(items, n) + OTHER; __asm__ volatile("" ::: "memory"); }
  return (int)(sum & 1);
}
#endif
"""
KEPT, INLINED = "__attribute__((noinline))", "inline __attribute__((always_inline))"
SCRIPT = """
function hotLoop(items) { let sum = 0; for (let i = 0; i < items.length; ++i) sum += items[(i * 7919) % items.length]; return sum; }
const items = Array.from({length: 100000}, (_, i) => i); let sum = 0;
for (let i = 0; i < 400; ++i) sum += hotLoop(items);
console.log(sum);
"""
JAVA = """
public class Hot {
  static long hotLoop(long[] items) { long sum = 0; for (int i = 0; i < items.length; ++i) sum += items[(int) ((i * 7919L) % items.length)]; return sum; }
  public static void main(String[] words) { long[] items = new long[100000]; long sum = 0; for (int i = 0; i < 10000; ++i) sum += hotLoop(items); System.out.println(sum); }
}
"""
REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
GO = """package main
import "os"
//go:noinline
func hotLoop(items []int) int { sum := 0; for i := range items { sum += items[(i*7919)%len(items)] }; return sum }
func main() { items := make([]int, 100000); sum := 0; for i := 0; i < 400; i++ { sum += hotLoop(items) }; if sum == 1 { os.Exit(1) } }
"""
# Without a C library, so that it can be built for another processor.
BARE_TEXT = """
long items[1 << 15];
__attribute__((noinline)) long hot_loop(long n) { long sum = 0; for (long i = 0; i < n; ++i) sum += items[(i * 7919) % n]; return sum; }
void _start(void) {
  for (int i = 0; i < 400; ++i) { items[0] += hot_loop(1 << 15); __asm__ volatile("" ::: "memory"); }
#ifdef __x86_64__
  __asm__ volatile("syscall" ::"a"(60), "D"(0));
#endif
}
"""
RUST = """
#[inline(never)]
fn hot_loop<T: Copy + std::ops::AddAssign + Default>(items: &[T]) -> T {
    let mut sum = T::default();
    for i in 0..40_000_000 { sum += items[i * 7919 % items.len()]; }
    sum
}
fn main() { println!("{} {}", hot_loop(&vec![1u64; 1 << 16]), hot_loop(&vec![1u32; 1 << 16])); }
"""
HASKELL = """import Data.Bits (xor)
hotLoop :: Int -> Int -> Int
hotLoop sum 0 = sum
hotLoop sum n = hotLoop (sum + (n * 7919) `xor` sum) (n - 1)
{-# NOINLINE hotLoop #-}
main :: IO ()
main = print (hotLoop 0 500000000)
"""
MEMFD = """import os, sys
file = os.memfd_create("service")
os.write(file, open("p", "rb").read())
os.execve(file, ["service"], {})
"""


@dataclass
class Situation:
    title: str
    wanted: str  # regular expression of the name
    run: list  # the command
    name: str = ""  # regular expression of the function's name in hotspot's data; empty: `wanted`
    build: str = ""  # shell commands before it
    after: str = ""  # shell commands between the run and the reports
    rows: int = 1
    perf_sort: str = "symbol,dso"
    sort: str = "function,dso"
    annotate: bool = False  # the source line of the function is wanted
    fix: str = ""  # shell commands that edit a recording, "$1"
    needs: list = field(default_factory=list)  # programs


def compiled(flags="", spec=KEPT, name="p"):
    return f"gcc -O2 -g '-DSPEC={spec}' -DOUTER=main_loop {flags} -o {name} p.c"


def two_of_one_name():
    return (compiled("-DLIBRARY -c", name="other.o").replace("main_loop", "other_loop").replace("p.c", "other.c") + " && " +
            compiled("'-DOTHER=other_loop(items, n)' -c", name="one.o").replace("p.c", "one.c") + " && gcc -o p one.o other.o")


# Without a build ID: the recording belongs to whichever program is at the path.
BARE = "clang -O1 -g -static -nostdlib -Wl,--build-id=none -Wl,-Ttext=0x411000 "
IN_ROOT = "mkdir -p root && mount -t tmpfs none root 2>/dev/null; cp p root/service && exec "
SITUATIONS = [
    Situation("a function that is inlined", "hot_loop", ["./p"], build=compiled(spec=INLINED)),
    Situation("two functions of one name", r"one\.c.*other\.c|other\.c.*one\.c", ["./p"], name="hot_loop", build=two_of_one_name(), rows=2),
    Situation("a stripped program: one row for the function", r"p\+0x|hot_loop", ["./p"], build=compiled("-s")),
    Situation("a program deleted while it runs", "hot_loop", ["sh", "-c", "cp p q; ./q & sleep 0.2; rm q; wait"], build=compiled("-DTIMES=1500")),
    Situation("a program in a memory file (memfd_create)", "hot_loop", [sys.executable, "memfd.py"], build=compiled("-DTIMES=1500")),
    Situation("JavaScript, node --perf-basic-prof", "hotLoop", ["node", "--perf-basic-prof", "hot.js"], needs=["node"]),
    Situation("Java, -XX:+DumpPerfMapAtExit", r"Hot[.:]+hotLoop", ["java", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit", "Hot"], build="javac Hot.java", needs=["java", "javac"]),
    Situation("node --use-largepages=on", r"Builtins|v8::|node::", ["node", "--use-largepages=on", "--jitless", "hot.js"], needs=["node"]),
    Situation("a container: its own mounts and process numbers", "hot_loop",
              ["unshare", "--mount", "--pid", "--fork", "sh", "-c", IN_ROOT + "chroot root /service"], build=compiled("-static -DTIMES=1500"), needs=["unshare"]),
    Situation("another root (chroot)", "hot_loop", ["sh", "-c", "mkdir -p root; cp p root/service; exec chroot root /service"], build=compiled("-static -DTIMES=1500")),
    Situation("a page of code copied to a memory file", "hot_loop", ["timeout", "2", "./moved", "memfd", "endlessly"],
              build=f"gcc -O1 -g -o moved '{REPOSITORY}/tests/programs/copied_text.c'"),
    Situation("two instances of a generic function of Rust", r"(u32.*\n?.*u64|u64.*\n?.*u32)", ["./p"], name="hot_loop", rows=2,
              build="rustc -O -g -o p hot.rs", needs=["rustc"]),
    Situation("Haskell", r"(Main\.)?\$?w?hotLoop", ["./p"], build="ghc -O1 -v0 -o p hot.hs", needs=["ghc"]),
    Situation("Go, linked with -s -w", r"main\.hotLoop", ["./p"], build="cp hot.go.txt hot.go && go build -ldflags='-s -w' -o p hot.go", needs=["go"]),
    Situation("lines, debug sections compressed with zstd", r"p\.c:1[0-9]", ["./p"],
              build=compiled() + " && objcopy --compress-debug-sections=zstd p", perf_sort="srcline", sort="line"),
    Situation("a recording of an arm64 machine: its instructions", r"\bldr +x[0-9]+, \[[^]]*\]|\bmadd +x[0-9]+[^\n]*?(?=  )", ["./p"],
              build=BARE + "-o p bare.c", annotate=True, fix="sed -i 's/x86_64\\x00/aarch64/' \"$1\"", needs=["clang", "ld.lld"],
              after=BARE + "--target=aarch64-linux-gnu -fuse-ld=lld -Wl,-z,max-page-size=4096 -Wl,-z,separate-code -o p bare.c && touch -d @1 p"),
    Situation("wide characters", "価格の合計", ["./p"], build=compiled("-DHOT=価格の合計")),
    Situation("source files that have moved", r"items\[\(i \* 7919\) % n\]", ["moved/p"],
              build="mkdir -p built moved && cp p.c built/ && cd built && " + compiled() + " && cd .. && mv built/p moved/ && rm -r built && mkdir -p moved/src && mv p.c moved/src/",
              annotate=True),
]


def shell(command, folder, **options):
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, errors="replace", timeout=300, **options)


def quiet(command, folder, environment):
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=300)


def prepare(folder):
    (folder / "p.c").write_text(LOOP, encoding="utf-8")
    for name in ("one.c", "other.c"):
        (folder / name).write_text(LOOP, encoding="utf-8")
    (folder / "bare.c").write_text(BARE_TEXT)
    (folder / "hot.js").write_text(SCRIPT)
    (folder / "Hot.java").write_text(JAVA)
    (folder / "hot.go.txt").write_text(GO)
    (folder / "hot.rs").write_text(RUST)
    (folder / "hot.hs").write_text(HASKELL)
    (folder / "memfd.py").write_text(MEMFD)


def first_rows(text, count, skip):
    """Returns the first rows without their numbers."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = [re.sub(r"\s{2,}", "  ", skip.sub("", line).strip()) for line in lines[:count]]
    return [re.sub(r"(  -)+$", "", row) for row in rows]  # perf's columns of branches


def perf_rows(situation, folder, environment):
    if situation.annotate:
        text = quiet(["perf", "annotate", "--stdio", "-i", "perf.data"], folder, environment).stdout
        found = re.search(situation.wanted, text)
        return [found[0] if found else "instructions or lines of another kind" if text.strip() else "nothing"]
    text = quiet(["perf", "report", "--stdio", "-i", "perf.data", "-s", situation.perf_sort], folder, environment).stdout
    return first_rows(text, situation.rows, re.compile(r"^\s*[\d.]+%"))


def hardmeter_rows(hardmeter, situation, folder, environment):
    if situation.annotate:
        text = quiet([hardmeter, "annotate", "-i", "hardmeter.data"], folder, environment)
        found = re.search(situation.wanted, text.stdout + text.stderr)
        return [found[0] if found else (text.stderr or text.stdout).strip().splitlines()[-1].strip()]
    text = quiet([hardmeter, "report", "-i", "hardmeter.data", "-s", situation.sort, "--limit", str(situation.rows)], folder, environment).stdout
    lines = text.splitlines()
    heads = [i for i, line in enumerate(lines) if "samples" in line and "events" in line and not line.startswith("#")]
    rows = "\n".join(lines[heads[-1] + 1:]) if heads else ""
    return first_rows(rows, situation.rows, re.compile(r"^\s*[\d.]+%( ±[\d.]+| \(too few samples\))?\s+[\d,]+\s+[\d,]+"))


def hotspot_text(parser, situation, folder, environment):
    if situation.annotate or situation.perf_sort == "srcline":
        return "-"
    quiet([parser, "--input", "perf.data", "--output", "hotspot.out"], folder, environment)
    output = folder / "hotspot.out"
    text = output.read_bytes().decode("utf-8", "replace") if output.exists() else ""
    found = re.search(situation.name or situation.wanted, text)
    return f"`{found[0]}`" if found else "✗ no name"


def cell(rows, wanted):
    text = "; ".join(f"`{row}`" for row in rows) or "nothing"
    return ("" if re.search(wanted, "; ".join(rows)) else "✗ ") + text.replace("|", "\\|")


def row_of(situation, words):
    missing = [each for each in situation.needs if shutil.which(each) is None]
    if missing:
        print(f"left out: {situation.title}: there is no {missing[0]}", file=sys.stderr)
        return None
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        toolchains = os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup"))
        environment = {**os.environ, "HOME": name, "RUSTUP_HOME": toolchains, "XDG_CONFIG_HOME": name, "LC_ALL": "C.UTF-8", "GOCACHE": f"{name}/go", "GOFLAGS": "-mod=mod", "GO111MODULE": "off"}
        built = shell(situation.build or "true", folder, env=environment)
        if built.returncode != 0:
            print(f"left out: {situation.title}: {built.stderr.strip()[-300:]}", file=sys.stderr)
            return None
        quiet(["perf", "record", "-q", "-F", "999", "-e", "cpu-clock", "-o", "perf.data", *situation.run], folder, environment)
        quiet([words.hardmeter, "record", "-q", "-e", "clock", "-c", "1ms", "-o", "hardmeter.data", *situation.run], folder, environment)
        for recording in ("perf.data", "hardmeter.data"):
            if situation.fix:
                subprocess.run(["bash", "-c", situation.fix, "fix", recording], cwd=folder, check=False)
        changed = shell(situation.after or "true", folder, env=environment)
        if changed.returncode != 0:
            print(f"left out: {situation.title}: {changed.stderr.strip()[-300:]}", file=sys.stderr)
            return None
        cells = [situation.title, cell(perf_rows(situation, folder, environment), situation.wanted)]
        if words.hotspot_parser:
            cells.append(hotspot_text(words.hotspot_parser, situation, folder, environment))
        cells.append(cell(hardmeter_rows(words.hardmeter, situation, folder, environment), situation.wanted))
    return "| " + " | ".join(cells).replace(name, "...") + " |"


def table(words):
    heads = ["situation", "perf report", *(["hotspot"] if words.hotspot_parser else []), "hardmeter report"]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    chosen = [each for each in SITUATIONS if words.only in each.title]
    return "\n".join(lines + [row for row in (row_of(each, words) for each in chosen) if row]) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("hardmeter", type=os.path.abspath)
    options.add_argument("--hotspot-parser", type=os.path.abspath)
    options.add_argument("--only", default="")
    options.add_argument("--write", type=pathlib.Path)
    words = options.parse_args()
    text = table(words)
    if words.write is None:
        print(text, end="")
        return
    document = words.write.read_text(encoding="utf-8")
    begin, end = "<!-- begin of the table -->\n", "<!-- end of the table -->"
    head, tail = document.split(begin)[0], document.split(end)[1]
    words.write.write_text(f"{head}{begin}\n{text}\n{end}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
