#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The evaluation of Ogawa and Hiraki, "An Estimation for CPU cache usage condition with TLB Information", on real programs.

run.py BUILD [--instructions N] [--interval N] [--results FOLDER] [--only NAME,...]: runs each program that is installed for
so many instructions (100 million, measured every 5 million), keeps a file of figures for each in the folder, and prints the
tables of the figures. A program whose file is there is not run again.
"""
import argparse
import csv
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def cc1():
    found = subprocess.run(["gcc", "-print-prog-name=cc1"], capture_output=True, text=True, check=False).stdout.strip()
    return found if os.path.isabs(found) else None


def need(name):
    return shutil.which(name) or (f"/usr/games/{name}" if os.path.exists(f"/usr/games/{name}") else None)


def programs(folder):
    """By name: the program, its arguments, and what it reads on standard input; None where it is not installed."""
    text, source = folder / "text", folder / "source.c"
    query = ".read " + str(folder / "query.sql")
    words = "my %c; while (<>) { $c{$_}++ for split; $c{lc $_}++ for /../g } print scalar(keys %c), \"\\n\""
    python = "import json; d = [{str(i): [i] * 8} for i in range(20000)]; print(len(json.dumps(json.loads(json.dumps(d)))))"
    return {
        "gzip": (need("gzip"), ["-9", "-c", text], None),
        "bzip2": (need("bzip2"), ["-c", text], None),
        "cc1": (cc1(), ["-quiet", "-O2", source, "-o", "/dev/null"], None),
        "perl": (need("perl"), ["-e", words, text], None),
        "gap": (need("gap"), ["-q"], "g := SymmetricGroup(9);; Size(g); NrConjugacyClasses(g); Size(SylowSubgroup(g, 2)); quit;\n"),
        "link-parser": (need("link-parser"), ["en"], "The quick brown fox that the dogs had chased jumps over the lazy cat.\n" * 20),
        "povray": (need("povray"), ["+I" + str(folder / "scene.pov"), "+W160", "+H120", "-D", "-GA", "+O/dev/null"], None),
        "sqlite3": (need("sqlite3"), [":memory:", query], None),
        "python3": ("/usr/bin/python3" if os.path.exists("/usr/bin/python3") else None, ["-c", python], None),
        "gnuchess": (need("gnuchess"), ["-x"], "depth 7\ngo\nquit\n"),
        "xz": (need("xz"), ["-6", "-T1", "-c", text], None),
        "gawk": (need("gawk") or need("awk"), ["{ for (i = 1; i <= NF; ++i) c[$i]++ } END { for (w in c) n++; print n }", text], None),
    }


QUERY = """create table t(a integer primary key, b text, c integer);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)
insert into t select i, 'name ' || i, (i * 7919) % 60000 from n;
create index t_c on t(c);
select sum(x.a * y.c) from t x join t y on x.c = y.a;
"""
SCENE = """camera { location <0, 2, -6> look_at <0, 0.5, 0> } light_source { <4, 6, -4> color rgb 1 }
plane { y, 0 pigment { checker color rgb 0.2 color rgb 0.9 } finish { reflection 0.2 } }
#declare i = 0; #while (i < 200) sphere { <4 * sin(i), 0.3 + mod(i, 7) / 4, 4 * cos(i * 1.3)>, 0.25
  pigment { color rgb <mod(i, 3) / 2, mod(i, 5) / 4, 0.5> } finish { reflection 0.3 } } #declare i = i + 1; #end
"""


def make_inputs(folder):
    subprocess.run(["sh", HERE.parent / "programs" / "make_inputs.sh", folder], check=True)
    (folder / "query.sql").write_text(QUERY)
    (folder / "scene.pov").write_text(SCENE)


def show_progress(name, done, wanted):
    if sys.stderr.isatty():
        filled = int(30 * min(1, done / wanted))
        sys.stderr.write(f"\r\x1b[K{name:12} [{'#' * filled}{'.' * (30 - filled)}] {done / 1e6:.0f} of {wanted / 1e6:.0f} million")
        sys.stderr.flush()


def measure(build, name, row, options, path):
    program, arguments, said = row
    part = path.with_suffix(".part")
    command = [build / "bench/tlb_paper", str(options.instructions), str(options.interval), part, program, *map(str, arguments)]
    with tempfile.TemporaryFile("w+") as standard_input, tempfile.TemporaryDirectory() as cwd:
        standard_input.write(said or "")
        standard_input.seek(0)
        process = subprocess.Popen(command, stdin=standard_input, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   errors="replace", cwd=cwd, env={**os.environ, "LC_ALL": "C"})
        for line in process.stdout:  # the program's own words come between
            if line.strip().isdigit():
                show_progress(name, int(line), options.instructions)
        error = process.stderr.read()
    if process.wait() != 0 or not part.exists():
        sys.exit(f"{name}: {error.strip() or 'no result'}")
    part.rename(path)
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")


def read(path):
    with open(path, encoding="utf-8") as file:
        head = file.readline()
        return head.split()[1], {tuple(row[:6]): float(row[6]) for row in list(csv.reader(file))[1:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--instructions", type=int, default=100_000_000)
    parser.add_argument("--interval", type=int, default=5_000_000)
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("tlb_paper_results"))
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    build = options.build.resolve()
    subprocess.run(["cmake", "--build", build, "--target", "product", "tlb_paper"], check=True, stdout=subprocess.DEVNULL)
    options.results.mkdir(parents=True, exist_ok=True)
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        make_inputs(pathlib.Path(folder))
        for name, row in programs(pathlib.Path(folder)).items():
            if options.only and name not in options.only.split(","):
                continue
            path = options.results.resolve() / f"{name}.csv"
            if row[0] is None and not path.exists():
                print(f"{name}: not installed here, left out", file=sys.stderr)
                continue
            if not path.exists():
                measure(build, name, row, options, path)
            results[name] = read(path)
    print_tables(results)


def value(figures, figure, sets=1024, page=8192, entries=128, ways=16, tlb="unified"):
    return figures.get((figure, str(sets), str(page), str(entries), str(ways), tlb))


def cell(number, scale=1.0, digits=1):
    return "-" if number is None else f"{number * scale:.{digits}f}"


def print_table(title, results, columns, scale, digits):
    print(f"{title}\n\n| program | {' | '.join(name for name, _ in columns)} |\n|---|{'---|' * len(columns)}")
    for program, (_, figures) in results.items():
        print(f"| {program} | {' | '.join(cell(value(figures, **where), scale, digits) for _, where in columns)} |")
    print()


def print_tables(results):
    entries = (8, 16, 32, 64, 128)
    print_table("Pages of the TLB that are cached, in % (figure 6)", results,
                [(f"{sets} sets, {page >> 10} KiB", {"figure": "cached", "sets": sets, "page": page})
                 for sets in (512, 1024, 2048) for page in (8192, 16384)], 100, 1)
    print_table("The same by entries, 512 sets, 8 KiB (figure 7)", results,
                [(f"{n} entries", {"figure": "cached", "sets": 512, "entries": n}) for n in entries], 100, 1)
    print_table("Hits within the required associativity, in % of the best choice, 32 entries (figure 8)", results,
                [(f"{sets} sets, {page >> 10} KiB", {"figure": "covered", "sets": sets, "page": page, "entries": 32})
                 for sets in (512, 1024, 2048) for page in (8192, 16384)], 100, 2)
    print_table("The same by entries, 1024 sets, 8 KiB (figure 9)", results,
                [(f"{n} entries", {"figure": "covered", "entries": n}) for n in entries], 100, 2)
    print_table("Deep hits in the regions that require most, against all, 32 entries (figure 11)", results,
                [(f"{sets} sets, {page >> 10} KiB", {"figure": "concentration", "sets": sets, "page": page, "entries": 32})
                 for sets in (512, 1024, 2048) for page in (8192, 16384)], 1, 2)
    print_table("The same by entries, 1024 sets, 8 KiB (figure 12)", results,
                [(f"{n} entries", {"figure": "concentration", "entries": n}) for n in entries], 1, 2)
    covered = [value(figures, "covered", entries=32) for _, figures in results.values()]
    spread = [value(figures, "concentration", entries=32) for _, figures in results.values()]
    known = [each for each in spread if each is not None]
    print(f"covered, mean {100 * statistics.mean(covered):.2f} %; concentration above 1 in {sum(each > 1 for each in known)} of "
          f"{len(known)}")


if __name__ == "__main__":
    main()
