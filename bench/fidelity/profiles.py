# SPDX-License-Identifier: MIT
"""Profiles by function: of the kernel's clock natively, and of events on the model."""
import collections
import json
import os
import re
import tempfile
from dataclasses import dataclass, field

from fidelity import measurement

CLOCK_PERIOD_US = 100
MODEL_PERIOD = "20011"  # events; a prime, so that the samples do not follow loops
# The C library has variants of these functions for different processors, with names like __memcpy_avx_unaligned_erms.
VARIANT = re.compile(r"_*((?:mem|str|wcs|wmem|rawmem|stp|wcp)[a-z]*?)_(?:avx|evex|sse|erms)\w*$")
ALIASES = {"memcpy": "memmove", "mempcpy": "memmove"}  # variants that share their code


@dataclass
class Profile:
    """Counts by event and function in user mode, and the clock's count in the kernel. The native clock counts nanoseconds."""
    events: dict = field(default_factory=lambda: collections.defaultdict(collections.Counter))
    kernel: float = 0

    def add(self, other):
        for event, counts in other.events.items():
            self.events[event].update(counts)
        self.kernel += other.kernel

    def user_total(self):
        """Returns the clock's count in user mode."""
        return self.events["clock"].total()

    def user_share(self):
        return self.user_total() / (self.user_total() + self.kernel)


def function_name(row):
    """Returns the file and the function of a report's row, the same for all variants of a function."""
    name = row["function"].split("@")[0]
    variant = VARIANT.match(name)
    if variant:
        name = variant[1]
    return os.path.basename(row["dso"]), ALIASES.get(name, name)


def read_profile(hardmeter, path):
    """Returns the profile of a recording."""
    report = [hardmeter, "report", "-i", path, "--json", "--no-inline", "--limit", "0", "--sort", "dso,function"]
    profile = Profile()
    for row in json.loads(measurement.run(report, stdout=-1).stdout)["rows"]:
        for event, count in row["estimated"].items():
            if row["dso"].startswith("[kernel"):
                profile.kernel += count
            else:
                profile.events[event][function_name(row)] += count
    return profile


def record(hardmeter, options, command, environment=None):
    """Records a command, and returns its profile."""
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as folder:
        path = f"{folder}/perf.data"
        measurement.run([hardmeter, "record", "-q", *options, "-o", path, "--", *command], environment)
        return read_profile(hardmeter, path)


def native(hardmeter, command, environment=None):
    """Returns the profile of a native run by samples of the clock."""
    return record(hardmeter, ["--pmu=linux", "-e", "clock", "-c", f"{CLOCK_PERIOD_US}us"], command, environment)


def modelled(hardmeter, costs, command):
    """Returns the profile of a run on the model."""
    options = [*measurement.EXACT, "--no-heap-blocks", *costs.options, "-e", measurement.COUNTED, "-c", MODEL_PERIOD]
    return record(hardmeter, options, command)
