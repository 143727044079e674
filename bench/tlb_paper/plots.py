# SPDX-License-Identifier: MIT
"""The paper's figures from the figures of the programs: as data (CSV), as plots (SVG, drawn by gnuplot), and as tables."""
import csv
import dataclasses
import shutil
import statistics
import subprocess
import sys

ENTRIES = (8, 16, 32, 64, 128)
USUAL = {"sets": 1024, "page": 8192, "entries": 128, "ways": 16, "tlb": "unified"}


@dataclasses.dataclass(frozen=True)
class Figure:
    number: int
    title: str
    what: str  # name in tlb_paper's output
    columns: tuple  # (title, differences from USUAL)
    scale: int = 1
    digits: int = 2


def by_cache(**others):
    return tuple((f"{sets} sets; {page >> 10} KiB", {"sets": sets, "page": page, **others})
                 for page in (8192, 16384) for sets in (512, 1024, 2048))


def by_entries(**others):
    return tuple((str(entries), {"entries": entries, **others}) for entries in ENTRIES)


FIGURES = (
    Figure(6, "Pages of the TLB that are cached, in %", "cached", by_cache(), 100, 1),
    Figure(7, "Pages of the TLB that are cached, in %, by TLB entries; 512 sets", "cached", by_entries(sets=512), 100, 1),
    Figure(8, "Hits within the required associativity, in % of the best choice; 32 TLB entries", "covered",
           by_cache(entries=32), 100, 2),
    Figure(9, "Hits within the required associativity, in % of the best choice, by TLB entries", "covered", by_entries(), 100, 2),
    Figure(11, "Deep hits where most is required, against all; 32 TLB entries", "concentration", by_cache(entries=32)),
    Figure(12, "Deep hits where most is required, against all, by TLB entries", "concentration", by_entries()),
)


def value(measured, figure, changes):
    at = {**USUAL, **changes}
    return measured.get((figure.what, *(str(at[key]) for key in ("sets", "page", "entries", "ways", "tlb"))))


def cell(number, figure, nothing):
    return nothing if number is None else f"{number * figure.scale:.{figure.digits}f}"


def table(figure, results):
    lines = [f"Figure {figure.number}. {figure.title}", "", f"| program | {' | '.join(name for name, _ in figure.columns)} |",
             f"|---|{'---:|' * len(figure.columns)}"]
    for program, measured in results.items():
        cells = [cell(value(measured, figure, changes), figure, "-") for _, changes in figure.columns]
        lines.append(f"| {program} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write_data(figure, results, path):
    """A row a program; for a figure by entries, a row a number of entries."""
    rows = [["program", *(name for name, _ in figure.columns)]]
    rows += [[program, *(cell(value(measured, figure, changes), figure, "nan") for _, changes in figure.columns)]
             for program, measured in results.items()]
    if is_by_entries(figure):
        rows = [list(column) for column in zip(*rows)]
        rows[0][0] = "entries"
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def is_by_entries(figure):
    return figure.columns[0][0].isdigit()


def plot(figure, results, data, svg):
    count = len(results) if is_by_entries(figure) else len(figure.columns)
    style = ("set style data linespoints; set logscale x 2; set xlabel 'TLB entries'; set xtics (8, 16, 32, 64, 128); set xrange [7:140]"
             if is_by_entries(figure) else
             "set style data histogram; set style fill solid; set xtics rotate by -45; set style histogram gap 1")
    x = "1" if is_by_entries(figure) else "0"
    series = f"for [i=2:{count + 1}] '{data}' using " + (f"{x}:i" if is_by_entries(figure) else "i:xtic(1)")
    span = {6: "[0:*]", 7: "[0:*]", 8: "[90:100]", 9: "[*:100]", 11: "[0:*]", 12: "[0:*]"}[figure.number]
    script = f"""set terminal svg size 900,420 font 'sans-serif,12' background 'white'
set output '{svg}'
set datafile separator ','
set datafile missing 'nan'
set key outside right autotitle columnhead
set grid ytics
set yrange {span}
set title "{figure.title}"
{style}
plot {series}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def summary(results):
    """What the paper says of its figures, of these."""
    covered = {name: value(measured, FIGURES[2], {"entries": 32}) for name, measured in results.items()}
    deep = {name: value(measured, FIGURES[4], {"entries": 32}) for name, measured in results.items()}
    known = [each for each in deep.values() if each is not None]
    least = min(covered, key=covered.get)
    return (f"covered (figure 8): mean {100 * statistics.mean(covered.values()):.2f} %, at least 98 % in "
            f"{sum(each >= 0.98 for each in covered.values())} of {len(covered)}, least {least} with {100 * covered[least]:.2f} %\n"
            f"concentration (figure 11): above 1 in {sum(each > 1 for each in known)} of {len(known)}\n")


def write_all(results, folder):
    """Data and plots of each figure, and tables.md, in the folder; returns the text of the tables."""
    for figure in FIGURES:
        data = folder / f"figure-{figure.number}.csv"
        write_data(figure, results, data)
        known = any(value(measured, figure, changes) is not None for measured in results.values() for _, changes in figure.columns)
        if known and shutil.which("gnuplot"):
            plot(figure, results, data, folder / f"figure-{figure.number}.svg")
    if not shutil.which("gnuplot"):
        print("gnuplot is not installed: there are data and tables, but no plots", file=sys.stderr)
    text = "\n".join(table(figure, results) for figure in FIGURES) + "\n" + summary(results)
    (folder / "tables.md").write_text(text)
    return text
