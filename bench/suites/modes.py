# SPDX-License-Identifier: MIT
"""How each test is run: natively twice, and under hardmeter in three ways."""
NATIVE, AGAIN = "native", "native again"
EVENTS = "instr_retired,l1_cache_miss,dtlb_load_miss"

# Gives a test other process IDs than in the first run, so that an output that has them is unstable.
OTHER_IDS = '(:); (:); env --default-signal "$@" & exec 2>/dev/null; wait $!'


def prefixes(hardmeter):
    """The words before a test's command, by mode; the test's own output stays free of hardmeter's."""
    other_ids = ["sh", "-c", OTHER_IDS, "sh"]
    soft = ["--pmu=soft", "--engine=direct"]
    return {
        NATIVE: [],
        AGAIN: other_ids,
        "stat": [hardmeter, "stat", *soft, "-e", EVENTS, "-o", "/dev/null", "--"],
        "bursts": [hardmeter, "record", "-q", *soft, "--detail", "bursts", "-e", "l1_cache_miss", "-o", "/dev/null", "--"],
        "16 cores": [hardmeter, "stat", *soft, "--cores", "16", "-e", EVENTS, "-o", "/dev/null", "--"],
    }
