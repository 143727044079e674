# SPDX-License-Identifier: MIT
"""Programs: the functions' shares of time against their shares of modelled cycles and of instructions."""
import statistics

from fidelity import kernel_table, measurement, profiles, programs
from fidelity.agreement_measures import total_variation, variation
from fidelity.measurement import STATED, progress
from fidelity.tables import number, percent, print_table

INSTRUCTIONS = "instructions"  # a way to estimate time, as costs are
SHOWN_FUNCTIONS, SHOWN_SHARE = 6, 0.03  # functions in the JSON file's list


class NativeRuns:
    """Native runs of a program: CPU times, clock rates, and a profile of the even and of the odd runs."""

    def __init__(self, command):
        self.command = command
        self.seconds, self.rates = [], []
        self.halves = profiles.Profile(), profiles.Profile()

    def measure(self, hardmeter, kernels, turn):
        with measurement.pinned(turn // 2):  # both halves run on all CPUs
            self.halves[turn % 2].add(profiles.native(hardmeter, self.command))
            self.seconds.append(measurement.cpu_seconds(self.command))
            self.rates.append(kernel_table.clock_rate(kernels))

    def profile(self):
        whole = profiles.Profile()
        for half in self.halves:
            whole.add(half)
        return whole

    def floor(self):
        """Returns the distance between the profiles of both halves: what sampling alone causes."""
        return total_variation(*(half.events["clock"] for half in self.halves))

    def user_cycles(self):
        """Returns the real cycles in user mode."""
        return statistics.median(self.seconds) * self.profile().user_share() * statistics.median(self.rates) * 1e9


def measure_natively(commands, kernels, options):
    runs = {name: NativeRuns(command) for name, command in commands.items()}
    for turn in range(max(2, options.rounds or (2 if options.quick else 8))):
        for each in runs.values():
            each.measure(options.hardmeter, kernels, turn)
        progress(f"programs: native run {turn + 1} done")
    return runs


def modelled_profile(options, name, command, costs):
    profile = profiles.modelled(options.hardmeter, costs, command)
    progress(f"programs: {name}: modelled with costs {costs.name}")
    return profile


def model(commands, options):
    """Returns the modelled profiles by program and costs."""
    jobs = [(options, name, command, costs) for name, command in commands.items() for costs in options.costs]
    found = measurement.in_parallel(modelled_profile, jobs, options.parallel)
    return {(name, costs.name): profile for (_, name, _, costs), profile in zip(jobs, found)}


def estimates_of(name, modelled, costs):
    """Returns the modelled counts by function, for each way to estimate time."""
    ways = {each.name: modelled[name, each.name].events["clock"] for each in costs}
    ways[INSTRUCTIONS] = modelled[name, STATED.name].events["instr_retired"]
    return ways


def functions_of(real, ways):
    """Returns the largest functions with their shares of time and of each estimate."""
    total = real.total()
    sums = {way: counts.total() for way, counts in ways.items()}
    names = {name for counts in (real, *ways.values()) for name, count in counts.most_common(SHOWN_FUNCTIONS)}
    rows = [{"dso": dso, "function": function, "clock": real[dso, function] / total,
             **{way: counts[dso, function] / sums[way] for way, counts in ways.items()}} for dso, function in names]
    rows = [row for row in rows if max(row[way] for way in ("clock", *ways)) >= SHOWN_SHARE]
    return sorted(rows, key=lambda row: row["clock"], reverse=True)


def row_of(name, runs, ways):
    """Returns the results of a program as a dictionary."""
    profile, cycles = runs.profile(), runs.user_cycles()
    real = profile.events["clock"]
    return {"program": name, "command": runs.command, "seconds": statistics.median(runs.seconds),
            "kernel_share": 1 - profile.user_share(), "clock_ghz": statistics.median(runs.rates),
            "samples": real.total() / (1000 * profiles.CLOCK_PERIOD_US), "floor": runs.floor(), "cycles": cycles,
            "distance": {way: total_variation(real, counts) for way, counts in ways.items()},
            "ratio": {way: counts.total() / cycles for way, counts in ways.items()}, "functions": functions_of(real, ways)}


def summary_of(rows, ways):
    """Returns the agreement over all programs, by way to estimate time."""
    ratios = {way: [row["ratio"][way] for row in rows] for way in ways}
    return {way: {"median_distance": statistics.median(row["distance"][way] for row in rows),
                  "mean_ratio": statistics.fmean(ratios[way]), "ratio_variation": variation(ratios[way]),
                  "least_ratio": min(ratios[way]), "greatest_ratio": max(ratios[way])} for way in ways}


def print_rows(rows, ways):
    titles = ["program", "CPU s", "in the kernel", "samples", "floor", *(f"{way}: distance" for way in ways),
              *(f"{way}: modelled / real" for way in ways)]
    print_table(titles, [
        [row["program"], f"{row['seconds']:.2f}", percent(row["kernel_share"]), f"{row['samples']:,.0f}", f"{row['floor']:.3f}",
         *(f"{row['distance'][way]:.3f}" for way in ways), *(number(row["ratio"][way]) for way in ways)] for row in rows])


def print_summary(rows, summary):
    titles = ["estimate", "median distance", "mean modelled / real", "coefficient of variation", "least", "greatest"]
    lines = [["floor", f"{statistics.median(row['floor'] for row in rows):.3f}", "", "", "", ""]]
    lines += [[way, f"{each['median_distance']:.3f}", number(each["mean_ratio"]), number(each["ratio_variation"]),
               number(each["least_ratio"]), number(each["greatest_ratio"])] for way, each in summary.items()]
    print_table(titles, lines)


def measure(options):
    """Measures all programs, prints their tables, and returns the results for JSON."""
    kernels = kernel_table.build(options.work)
    commands = programs.commands(f"{options.work}/inputs", options.is_chosen)
    if not commands:
        return {}
    runs = measure_natively(commands, kernels, options)
    modelled = model(commands, options)
    rows = [row_of(name, runs[name], estimates_of(name, modelled, options.costs)) for name in commands]
    ways = [costs.name for costs in options.costs] + [INSTRUCTIONS]
    summary = summary_of(rows, ways)
    print("### Programs\n\nDistance: total variation of the functions' shares in user mode, from 0 (equal) to 1 (disjoint).\n"
          "Floor: the distance between two halves of the native samples.")
    print_rows(rows, ways)
    print_summary(rows, summary)
    return {"rows": rows, "summary": summary}
