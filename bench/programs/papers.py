# SPDX-License-Identifier: MIT
"""Programs of the kinds that papers measure (those of SPEC CINT2000), and what they work on."""
import json
import os
import pathlib
import random
import shutil
import subprocess

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
GROUPS = "g := SymmetricGroup(9);; Size(g); NrConjugacyClasses(g); Size(SylowSubgroup(g, 2)); quit;\n"
SENTENCES = "The quick brown fox that the dogs had chased jumps over the lazy cat.\n" * 20
COUNT_WORDS = 'my %c; while (<>) { $c{$_}++ for split; $c{lc $_}++ for /../g } print scalar(keys %c), "\\n"'
COUNT_FIELDS = "{ for (i = 1; i <= NF; ++i) c[$i]++ } END { for (w in c) n++; print n }"
JSON_ROUND = "import json; d = [{str(i): [i] * 8} for i in range(20000)]; print(len(json.dumps(json.loads(json.dumps(d)))))"


def minimum_cost_flow(nodes=2000, arcs=30000):
    """In the format of the DIMACS challenge; a chain of dear arcs makes sure that there is a solution."""
    draw = random.Random(1)
    lines = [f"p min {nodes} {arcs}"]
    lines += [f"n {i} 20" for i in range(1, 51)] + [f"n {i} -20" for i in range(nodes - 49, nodes + 1)]
    lines += [f"a {i} {i + 1} 0 2000 100" for i in range(1, nodes)]
    for _ in range(arcs - nodes + 1):
        begin, end = draw.sample(range(1, nodes + 1), 2)
        lines.append(f"a {begin} {end} 0 {draw.randint(1, 40)} {draw.randint(1, 100)}")
    return "\n".join(lines) + "\n"


def netlist(cells=300):
    """A circuit of lookup tables and flip-flops, each fed by four near ones, in the form that Yosys writes."""
    draw = random.Random(1)
    inputs = [f"I{k}" for k in range(4)]
    table = {"type": "SB_LUT4", "port_directions": {**dict.fromkeys(inputs, "input"), "O": "output"},
             "parameters": {"LUT_INIT": "0110100110010110"}, "attributes": {}}
    flop = {"type": "SB_DFF", "port_directions": {"C": "input", "D": "input", "Q": "output"}, "parameters": {}, "attributes": {}}
    clock, first = 2, 10
    design = {}
    for i in range(cells):
        near = {name: [first + (i + draw.randrange(16)) % cells] for name in inputs}
        between = first + cells + i
        design[f"table{i}"] = {**table, "connections": {**near, "O": [between]}}
        design[f"flop{i}"] = {**flop, "connections": {"C": [clock], "D": [between], "Q": [first + i]}}
    ports = {"clock": {"direction": "input", "bits": [clock]}, "out": {"direction": "output", "bits": [first]}}
    top = {"attributes": {"top": "1"}, "ports": ports, "cells": design, "netnames": {}}
    return json.dumps({"creator": "hardmeter", "modules": {"top": top}})


def make_inputs(folder):
    subprocess.run(["sh", pathlib.Path(__file__).with_name("make_inputs.sh"), folder], check=True)
    for name, text in {"query.sql": QUERY, "scene.pov": SCENE, "flow.min": minimum_cost_flow(), "net.json": netlist()}.items():
        (folder / name).write_text(text)


def find(name):
    beside = [path for path in (f"/usr/bin/{name}", f"/usr/games/{name}") if os.path.exists(path)]
    return beside[0] if beside else shutil.which(name)


def find_cc1():
    found = subprocess.run(["gcc", "-print-prog-name=cc1"], capture_output=True, text=True, check=False).stdout.strip()
    return found if os.path.isabs(found) else None


def programs(folder):
    """By name: the kind of program of the paper that it is, its file (None where it is not installed), its arguments, and what
    it reads on standard input."""
    text = folder / "text"
    return {
        "gzip": ("gzip", find("gzip"), ["-9", "-c", text], ""),
        "bzip2": ("bzip2", find("bzip2"), ["-c", text], ""),
        "cc1": ("gcc", find_cc1(), ["-quiet", "-O2", folder / "program.c", "-o", "/dev/null"], ""),
        "perl": ("perlbmk", find("perl"), ["-e", COUNT_WORDS, text], ""),
        "gap": ("gap", find("gap"), ["-q"], GROUPS),
        "link-parser": ("parser", find("link-parser"), ["en"], SENTENCES),
        "povray": ("eon", find("povray"), ["+I" + str(folder / "scene.pov"), "+W160", "+H120", "-D", "-GA", "+O/dev/null"], ""),
        "glpsol": ("mcf", find("glpsol"), ["--mincost", folder / "flow.min"], ""),
        "nextpnr": ("vpr, twolf", find("nextpnr-ice40"), ["--hx1k", "--seed", "1", "--json", folder / "net.json"], ""),
        "sqlite3": ("vortex", find("sqlite3"), [":memory:", ".read " + str(folder / "query.sql")], ""),
        "stockfish": ("crafty", find("stockfish"), ["bench", "16", "1", "10"], ""),
        "python3": ("-", find("python3"), ["-c", JSON_ROUND], ""),
        "xz": ("-", find("xz"), ["-6", "-T1", "-c", text], ""),
        "gawk": ("-", find("gawk"), [COUNT_FIELDS, text], ""),
    }
