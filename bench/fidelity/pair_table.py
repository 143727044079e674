# SPDX-License-Identifier: MIT
"""Pairs of programs: the time that an optimization saves against the modelled cycles that it saves."""
import contextlib
import statistics

from fidelity import kernel_table, measurement, pairs, profiles
from fidelity.agreement_measures import median_error, spearman
from fidelity.measurement import progress
from fidelity.tables import number, percent, print_table

TIMES = {"CPU time": "", "user time": "user_"}  # prefixes of a row's keys
SAMPLED_TURNS = 4  # native turns that also sample the clock
GROUPS = {"all": (pairs.JOBS, pairs.EXAMPLES), "jobs": (pairs.JOBS,), "examples": (pairs.EXAMPLES,)}


class Side:
    """Native runs of one program of a pair: CPU times in seconds, and profiles by samples of the clock."""

    def __init__(self, pair, after):
        self.command, self.environment, _ = pair.side(after)
        self.seconds, self.profiles = [], []

    def measure(self, hardmeter, sampled):
        self.seconds.append(measurement.cpu_seconds(self.command, self.environment))
        if sampled:
            self.profiles.append(profiles.native(hardmeter, self.command, self.environment))

    def median(self):
        return statistics.median(self.seconds)

    def sampled_user_seconds(self):
        """Returns the time in user mode of a run with samples, which slow the run down."""
        return statistics.fmean(profile.user_total() for profile in self.profiles) / 1e9

    def sampled_seconds(self):
        return self.sampled_user_seconds() + statistics.fmean(profile.kernel for profile in self.profiles) / 1e9


class NativeRuns:
    """Native runs of both sides of a pair, measured in turns."""

    def __init__(self, pair):
        self.pair = pair
        self.before, self.after = Side(pair, False), Side(pair, True)

    def measure(self, hardmeter, turn):
        sides = (self.before, self.after) if turn % 2 else (self.after, self.before)
        with contextlib.nullcontext() if self.pair.threads else measurement.pinned(turn // 2):
            for side in sides:
                side.measure(hardmeter, turn < SAMPLED_TURNS)

    def saved(self):
        """Returns the seconds saved in each turn."""
        return [before - after for before, after in zip(self.before.seconds, self.after.seconds)]


def slowdown_by_sampling(runs):
    """Returns the median ratio of CPU time with samples and without. The share of user mode times the CPU time would not be the
    user time: a virtual machine takes no samples while the host provides memory, which counts as time in the kernel."""
    return statistics.median(side.sampled_seconds() / side.median() for each in runs for side in (each.before, each.after))


def measure_natively(chosen, options):
    runs = [NativeRuns(pair) for pair in chosen]
    for turn in range(options.rounds or (2 if options.quick else 20)):
        for each in runs:
            each.measure(options.hardmeter, turn)
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


def row_of(runs, cycles, options, rate, slowdown):
    """Returns the results of a pair as a dictionary; `rate` is the clock rate in GHz."""
    saved, before = runs.saved(), runs.before.median()
    user_before, user_after = (side.sampled_user_seconds() / slowdown for side in (runs.before, runs.after))
    row = {"pair": runs.pair.name, "kind": runs.pair.kind, "before_s": before, "after_s": runs.after.median(),
           "saved_s": statistics.median(saved), "saved_error_s": median_error(saved), "user_before_s": user_before,
           "user_saved_s": user_before - user_after, "modelled": {}}
    for costs in options.costs:
        modelled_before, modelled_after = (cycles[runs.pair.name, costs.name, after] for after in (False, True))
        row["modelled"][costs.name] = {"before": modelled_before, "after": modelled_after, "saved": modelled_before - modelled_after,
                                       "ratio_before": modelled_before / (user_before * rate * 1e9)}
    return row


def correlations(rows, name):
    """Returns Spearman's correlations of saved time and saved cycles, absolute and as fractions of the time before."""
    cycles = [row["modelled"][name] for row in rows]
    found = {"pairs": len(rows)}
    for time, prefix in TIMES.items():
        saved = [row[f"{prefix}saved_s"] for row in rows]
        fractions = [row[f"{prefix}saved_s"] / row[f"{prefix}before_s"] for row in rows]
        found[time] = {"absolute": spearman(saved, [each["saved"] for each in cycles]),
                       "relative": spearman(fractions, [each["saved"] / each["before"] for each in cycles])}
    return found


def summary_of(rows, options):
    """Returns the correlations by costs and group of pairs."""
    return {costs.name: {group: correlations([row for row in rows if row["kind"] in kinds], costs.name)
                         for group, kinds in GROUPS.items()} for costs in options.costs}


def print_rows(rows, options):
    titles = ["pair", "ms before", "ms after", "time saved", "±", "user ms before", "user time saved"]
    for costs in options.costs:
        titles += [f"{costs.name}: Mcycles before", "after", "saved", "modelled / real before"]
    lines = []
    for row in rows:
        line = [row["pair"], number(1000 * row["before_s"]), number(1000 * row["after_s"]), percent(row["saved_s"] / row["before_s"], 1),
                percent(row["saved_error_s"] / row["before_s"], 1), number(1000 * row["user_before_s"]),
                percent(row["user_saved_s"] / row["user_before_s"], 1)]
        for each in row["modelled"].values():
            line += [number(each["before"] / 1e6), number(each["after"] / 1e6), percent(each["saved"] / each["before"], 1),
                     number(each["ratio_before"])]
        lines.append(line)
    print_table(titles, lines)


def print_summary(summary):
    titles = ["costs", "pairs", "count", *(f"{kind} saved: {time}" for time in TIMES for kind in ("amounts", "fractions"))]
    lines = []
    for name, groups in summary.items():
        for group, each in groups.items():
            values = (each[time][kind] for time in TIMES for kind in ("absolute", "relative"))
            lines.append([name, group, each["pairs"], *("" if value is None else f"{value:.2f}" for value in values)])
    print("Spearman's rank correlation of saved time and saved modelled cycles:")
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
    slowdown = slowdown_by_sampling(runs)
    rows = [row_of(each, cycles, options, rate, slowdown) for each in runs]
    summary = summary_of(rows, options)
    print("### Pairs\n\nCPU time of the whole programs, user and kernel mode. ±: half the 95 % interval of the median saving.\n"
          "User time: by samples of the clock in user mode. The model has user mode only.")
    print_rows(rows, options)
    print_summary(summary)
    return {"clock_ghz": rate, "slowdown_by_sampling": slowdown, "rows": rows, "summary": summary}
