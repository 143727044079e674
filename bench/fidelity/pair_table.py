# SPDX-License-Identifier: MIT
"""Pairs of programs: the time that an optimization saves against the modelled cycles that it saves."""
import statistics

from fidelity import kernel_table, measurement, pairs
from fidelity.agreement_measures import median_error, spearman
from fidelity.measurement import progress
from fidelity.tables import number, percent, print_table

GROUPS = {"all": (pairs.JOBS, pairs.EXAMPLES), "jobs": (pairs.JOBS,), "examples": (pairs.EXAMPLES,)}


class NativeRuns:
    """CPU times of both sides of a pair in seconds, measured in turns."""

    def __init__(self, pair):
        self.pair = pair
        self.before, self.after = [], []

    def measure(self, turn):
        for after in (turn % 2 == 0, turn % 2 != 0):  # the order alternates
            command, environment, _ = self.pair.side(after)
            if self.pair.threads:
                seconds = measurement.cpu_seconds(command, environment)
            else:
                with measurement.pinned(turn // 2):
                    seconds = measurement.cpu_seconds(command, environment)
            (self.after if after else self.before).append(seconds)

    def saved(self):
        """Returns the seconds saved in each turn."""
        return [before - after for before, after in zip(self.before, self.after)]


def measure_natively(chosen, options):
    runs = [NativeRuns(pair) for pair in chosen]
    for turn in range(options.rounds or (2 if options.quick else 12)):
        for each in runs:
            each.measure(turn)
        progress(f"pairs: native run {turn + 1} done")
    return runs


def modelled_cycles(options, pair, costs, after):
    command, environment, machine = pair.side(after)
    counts = measurement.counts(options.hardmeter, costs, command, machine, environment)
    progress(f"pairs: {pair.name}: {'after' if after else 'before'}: modelled with costs {costs.name}")
    return counts["clock"]


def model(chosen, options):
    """Returns the modelled cycles by pair, costs and side."""
    jobs = [(options, pair, costs, after) for pair in chosen for costs in options.costs for after in (False, True)]
    found = measurement.in_parallel(modelled_cycles, jobs, options.parallel)
    return {(pair.name, costs.name, after): cycles for (_, pair, costs, after), cycles in zip(jobs, found)}


def row_of(runs, cycles, options, rate):
    """Returns the results of a pair as a dictionary; `rate` is the clock rate in GHz."""
    saved, before = runs.saved(), statistics.median(runs.before)
    row = {"pair": runs.pair.name, "kind": runs.pair.kind, "before_s": before, "after_s": statistics.median(runs.after),
           "saved_s": statistics.median(saved), "saved_error_s": median_error(saved), "modelled": {}}
    for costs in options.costs:
        modelled_before, modelled_after = (cycles[runs.pair.name, costs.name, after] for after in (False, True))
        row["modelled"][costs.name] = {"before": modelled_before, "after": modelled_after, "saved": modelled_before - modelled_after,
                                       "ratio_before": modelled_before / (before * rate * 1e9)}
    return row


def correlations(rows, name):
    """Returns Spearman's correlation of time saved and cycles saved, absolute and as fractions of the time before."""
    seconds, cycles = [row["saved_s"] for row in rows], [row["modelled"][name] for row in rows]
    fractions = [row["saved_s"] / row["before_s"] for row in rows]
    return {"pairs": len(rows), "absolute": spearman(seconds, [each["saved"] for each in cycles]),
            "relative": spearman(fractions, [each["saved"] / each["before"] for each in cycles])}


def summary_of(rows, options):
    """Returns the correlations by costs and group of pairs."""
    return {costs.name: {group: correlations([row for row in rows if row["kind"] in kinds], costs.name)
                         for group, kinds in GROUPS.items()} for costs in options.costs}


def print_rows(rows, options):
    titles = ["pair", "ms before", "ms after", "time saved", "±"]
    for costs in options.costs:
        titles += [f"{costs.name}: Mcycles before", "after", "saved", "modelled / real before"]
    lines = []
    for row in rows:
        line = [row["pair"], number(1000 * row["before_s"]), number(1000 * row["after_s"]), percent(row["saved_s"] / row["before_s"], 1),
                percent(row["saved_error_s"] / row["before_s"], 1)]
        for each in row["modelled"].values():
            line += [number(each["before"] / 1e6), number(each["after"] / 1e6), percent(each["saved"] / each["before"], 1),
                     number(each["ratio_before"])]
        lines.append(line)
    print_table(titles, lines)


def print_summary(summary):
    titles = ["costs", "pairs", "count", "correlation of saved cycles and time", "of saved fractions"]
    lines = []
    for name, groups in summary.items():
        for group, each in groups.items():
            values = (each["absolute"], each["relative"])
            lines.append([name, group, each["pairs"], *("" if value is None else f"{value:.2f}" for value in values)])
    print_table(titles, lines, left=2)


def measure(options):
    """Measures all pairs, prints their tables, and returns the results for JSON."""
    kernels = kernel_table.build(options.work)
    chosen = pairs.all_pairs(f"{options.work}/pairs", options.is_chosen)
    if not chosen:
        return {}
    runs = measure_natively(chosen, options)
    rate = kernel_table.clock_rate(kernels)
    cycles = model(chosen, options)
    rows = [row_of(each, cycles, options, rate) for each in runs]
    summary = summary_of(rows, options)
    print("### Pairs\n\nCPU time of the whole programs, user and kernel mode. ±: half the 95 % interval of the median saving.\n"
          "Correlation: Spearman's, of ranks.")
    print_rows(rows, options)
    print_summary(summary)
    return {"clock_ghz": rate, "rows": rows, "summary": summary}
