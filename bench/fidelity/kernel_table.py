# SPDX-License-Identifier: MIT
"""Loops of known behaviour: real cycles of an access against modelled cycles."""
import glob
import os
import shutil
import statistics
from dataclasses import dataclass

from cpu_time import geometric_mean
from fidelity import measurement
from fidelity.agreement_measures import FACTORS, geometric_deviation, share_within
from fidelity.measurement import Failure, progress
from fidelity.tables import number, percent, print_table

SOURCES = os.path.dirname(os.path.abspath(__file__))
# The loops must stay as written: neither vectorized nor replaced by memset and memcpy.
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-fno-tree-vectorize", "-fno-tree-slp-vectorize",
         "-fno-tree-loop-distribute-patterns", "-ffp-contract=off"]
RATE_KERNEL = "add, dependent chain"
MODEL_ROUNDS = (1, 3)  # their difference has no set-up, and no first round with cold caches
TRIAL_ROUNDS, MIN_ROUNDS, MAX_ROUNDS = 3, 6, 300


@dataclass(frozen=True)
class Kernel:
    name: str
    accesses: int  # in one round
    huge_pages: bool
    threads: bool

    def model_options(self):
        return ("--page", "2M") if self.huge_pages else ()


def build(work):
    """Compiles the kernels into the work folder. Returns the program's path."""
    compiler, path = shutil.which("gcc") or shutil.which("cc"), f"{work}/kernels"
    if compiler is None:
        raise Failure("the kernels need a C compiler: install gcc")
    measurement.run([compiler, *FLAGS, *sorted(glob.glob(f"{SOURCES}/*.c")), "-o", path, "-lpthread"])
    return path


def kernels_of(program):
    """Returns the kernels that the program lists."""
    lines = measurement.run([program, "--list"], stdout=-1).stdout.decode().splitlines()
    fields = [line.split("\t") for line in lines]
    return [Kernel(name, int(accesses), bool(huge), bool(threads)) for name, accesses, huge, threads in fields]


def rounds_ns(program, name, rounds):
    """Runs a kernel. Returns the CPU time of each round in ns, and the clock rate in GHz."""
    *lines, rate = measurement.run([program, name, str(rounds)], stdout=-1).stdout.decode().splitlines()
    return [int(line) for line in lines], float(rate.split()[0])


def clock_rate(program):
    """Returns the current clock rate of a CPU in GHz: the rate of dependent additions."""
    return rounds_ns(program, RATE_KERNEL, 1)[1]


class NativeTimes:
    """The times of a kernel's accesses on the processor, one for each run of the program."""

    def __init__(self, program, kernel, seconds):
        self.program, self.kernel = program, kernel
        trial, _ = rounds_ns(program, kernel.name, TRIAL_ROUNDS)
        self.rounds = max(MIN_ROUNDS, min(MAX_ROUNDS, int(1e9 * seconds / trial[-1])))
        self.ns, self.rates = [], []

    def measure(self, turn):
        """Runs the kernel once more. The first round warms the caches, and does not count."""
        if self.kernel.threads:
            times, rate = rounds_ns(self.program, self.kernel.name, self.rounds)
        else:
            with measurement.pinned(turn):
                times, rate = rounds_ns(self.program, self.kernel.name, self.rounds)
        self.ns.append(statistics.median(times[1:]) / self.kernel.accesses)
        self.rates.append(rate)

    def cycles(self):
        return statistics.median(ns * rate for ns, rate in zip(self.ns, self.rates))

    def spread(self):
        """Returns how far the farthest run is from the median, as a fraction of the median."""
        middle = statistics.median(self.ns)
        return max(abs(ns - middle) for ns in self.ns) / middle


def native_times(program, kernels, options):
    times = [NativeTimes(program, kernel, 0.02 if options.quick else 0.15) for kernel in kernels]
    for turn in range(options.rounds or (1 if options.quick else 5)):
        for each in times:
            each.measure(turn)
        progress(f"kernels: native run {turn + 1} done")
    return times


def modelled_counts(options, program, kernel, costs):
    """Returns the modelled cycles and instructions of one access."""
    few, many = (measurement.counts(options.hardmeter, costs, [program, kernel.name, str(rounds)], kernel.model_options())
                 for rounds in MODEL_ROUNDS)
    accesses = kernel.accesses * (MODEL_ROUNDS[1] - MODEL_ROUNDS[0])
    progress(f"kernels: {kernel.name}: modelled with costs {costs.name}")
    return {event: (many[event] - few[event]) / accesses for event in ("clock", "instr_retired")}


def modelled(program, kernels, options):
    """Returns the counts of one access, by costs and kernel."""
    jobs = [(options, program, kernel, costs) for kernel in kernels for costs in options.costs]
    found = measurement.in_parallel(modelled_counts, jobs, options.parallel)
    return {(costs.name, kernel.name): counts for (_, _, kernel, costs), counts in zip(jobs, found)}


def row_of(times, counts, costs):
    """Returns the results of a kernel as a dictionary."""
    kernel, cycles = times.kernel, times.cycles()
    row = {"kernel": kernel.name, "ns": statistics.median(times.ns), "cycles": cycles, "spread": times.spread(), "runs_ns": times.ns,
           "clock_ghz": statistics.median(times.rates), "instructions": counts[costs[0].name, kernel.name]["instr_retired"], "modelled": {}}
    for each in costs:
        estimate = counts[each.name, kernel.name]["clock"]
        row["modelled"][each.name] = {"cycles": estimate, "ratio": estimate / cycles}
    return row


def summary_of(rows, name):
    """Returns the agreement over all kernels, as a dictionary."""
    ratios = [row["modelled"][name]["ratio"] for row in rows]
    median = statistics.median(ratios)
    relative = [ratio / median for ratio in ratios]
    return {"median": median, "geometric_mean": geometric_mean(ratios), "geometric_deviation": geometric_deviation(ratios),
            "within": {str(factor): share_within(ratios, factor) for factor in FACTORS},
            "within_of_median": {str(factor): share_within(relative, factor) for factor in FACTORS},
            "least_of_median": min(relative), "greatest_of_median": max(relative)}


def print_rows(rows, summaries):
    titles = ["kernel", "ns", "±", "real cycles", "instructions"]
    for name in summaries:
        titles += [f"{name}: cycles", "modelled / real", "of the median ratio"]
    lines = []
    for row in rows:
        line = [row["kernel"], number(row["ns"]), percent(row["spread"]), number(row["cycles"]), number(row["instructions"])]
        for name, summary in summaries.items():
            each = row["modelled"][name]
            line += [number(each["cycles"]), number(each["ratio"]), number(each["ratio"] / summary["median"])]
        lines.append(line)
    print_table(titles, lines)


def print_summaries(summaries):
    factors = [str(factor) for factor in FACTORS]
    titles = ["costs", "median modelled / real", "geometric deviation", *(f"within {factor}" for factor in factors),
              *(f"within {factor} of the median" for factor in factors), "least, of the median", "greatest, of the median"]
    print_table(titles, [
        [name, number(each["median"]), number(each["geometric_deviation"]), *(percent(each["within"][factor]) for factor in factors),
         *(percent(each["within_of_median"][factor]) for factor in factors), number(each["least_of_median"]),
         number(each["greatest_of_median"])] for name, each in summaries.items()])


def measure(options):
    """Measures all kernels, prints their tables, and returns the results for JSON."""
    program = build(options.work)
    kernels = [kernel for kernel in kernels_of(program) if options.is_chosen(kernel.name)]
    if not kernels:
        return {}
    times = native_times(program, kernels, options)
    counts = modelled(program, kernels, options)
    rows = [row_of(each, counts, options.costs) for each in times]
    summaries = {costs.name: summary_of(rows, costs.name) for costs in options.costs}
    rate = statistics.median(rate for each in times for rate in each.rates)
    print(f"### Kernels\n\nCycles of one access, at {rate:.2f} GHz by dependent additions. ±: distance of the farthest run from the median.")
    print_rows(rows, summaries)
    print_summaries(summaries)
    return {"clock_ghz": rate, "rows": rows, "summary": summaries}
