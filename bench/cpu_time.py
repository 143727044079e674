# SPDX-License-Identifier: MIT
"""CPU time of programs under several tools, in turns, so that what disturbs one disturbs all."""
import math
import resource
import statistics
import subprocess
import sys

# Both tools have the same first level and last level. hardmeter has a second level between them, cachegrind cannot.
CACHEGRIND = ["valgrind", "-q", "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null",
              "--I1=32768,8,64", "--D1=32768,8,64", "--LL=33554432,16,64"]
NULGRIND = ["valgrind", "-q", "--tool=none"]
GEOMETRY = ["--cpu", "zen4"]


def run(command):
    """Runs it to its end, which must be a good one."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with status {done.returncode}")


def cpu_seconds(command):
    """Of all processes that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians_in_turns(programs, tools, runs, measure=cpu_seconds):
    """Seconds by program and tool. `programs`: commands by name; `tools`: what to put before them, by name."""
    times = {(program, tool): [] for program in programs for tool in tools}
    for i in range(runs):
        for program, arguments in programs.items():
            for tool, prefix in tools.items():
                times[program, tool].append(measure(prefix + arguments))
            print(f"{program}: run {i + 1} of {runs}", file=sys.stderr)
    return {program: {tool: statistics.median(times[program, tool]) for tool in tools} for program in programs}


def chosen(programs, words):
    """Those with one of the words in their names; without words, all."""
    return {name: command for name, command in programs.items() if not words or any(word in name for word in words)}


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def mean_ratio(medians, a, b):
    return geometric_mean([row[a] / row[b] for row in medians.values()])


def print_table(medians, ratios, digits=2):
    """Markdown: seconds by program and tool; `ratios`: pairs of tools, with their geometric means below."""
    tools = list(next(iter(medians.values())))
    print("| program | " + " | ".join(tools) + " | " + " | ".join(f"{a} / {b}" for a, b in ratios) + " |")
    print("|---" * (1 + len(tools) + len(ratios)) + "|")
    for program, row in medians.items():
        print(f"| {program} | " + " | ".join(f"{row[tool]:.2f}" for tool in tools) + " | " +
              " | ".join(f"{row[a] / row[b]:.{digits}f}" for a, b in ratios) + " |")
    print("| geometric mean" + " |" * (len(tools) + 1) + " " +
          " | ".join(f"{mean_ratio(medians, a, b):.{digits}f}" for a, b in ratios) + " |")
