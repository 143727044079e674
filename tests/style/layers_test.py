#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layers.py finds what it is there to find."""
import sys

from layers import ORDER, circles, elfutils_outside, inclusions_in_rooms, problems_in, tests_not_built

CASES = [
    ("view/text/table.cc", '#include "analysis/totals/totals.h"', 0),
    ("view/text/table.cc", '#include "view/json/values.h"', 1),
    ("analysis/check/recording_check.cc", '#include "analysis/totals/totals.h"', 1),
    ("record/writer.cc", '#include "app/measure/record_run.h"', 1),
    ("app/query/report_query.cc", '#include "app/measure/record_run.h"', 1),
    ("app/measure/sources.cc", '#include "app/measure/soft/soft_source.h"', 0),
    ("app/measure/soft/soft_source.cc", '#include "app/measure/sources.h"', 1),
    ("pmu/source.h", '#include "event/selection.h"', 1),
    ("record/writer.cc", '#include "record/features.h"\n#include <vector>', 0),
    ("symbol/files/dso.cc", '#include "record/build_id.h"', 1),
    ("symbol/files/dso.cc", '#include "symbol/types/data_types.h"', 1),
    ("symbol/resolver.h", '#include "symbol/types/type_layout.h"', 0),
    ("model/cache.h", "#include <stdint.h>\n#include <string.h>", 1),
    ("model/cache.h", "#include <vector>", 1),
    ("model/reference_models.h", "#include <vector>", 0),
    ("pmu/soft/ring/ring_writer.h", '#include "base/bytes.h"', 1),
    ("pmu/soft/sampling/demand.cc", "#include <vector>", 1),
    ("pmu/soft/valgrind/tool_main.cc", '#include "pmu/soft/geometry/geometry.h"', 1),
    ("pmu/soft/launcher/run.cc", '#include "pmu/soft/valgrind/threads.h"', 1),
    ("pmu/soft/direct/translate/copy.cc", '#include "pmu/soft/direct/core/core.h"', 0),
    ("pmu/soft/direct/translate/copy.cc", '#include "pmu/soft/direct/session/ring_recording.h"', 1),
    ("pmu/soft/direct/schedule/cores.cc", '#include "pmu/soft/direct/emulate/signals.h"', 1),
    ("elsewhere/new.cc", "", 1),
    ("cli/report.cc", "#include <CLI/CLI.hpp>", 1),
    ("cli/command_line.cc", "#include <CLI/CLI.hpp>", 0),
    ("profile/loader.cc", 'fmt::print("{}", 1);', 1),
    ("base/result.cc", 'std::snprintf(text, 4, "1");', 0),
    ("pmu/linux/probe.cc", 'fprintf(stderr, "no");', 1),
    ("view/text/table.cc", "std::cout << 1;", 0),
]

# Files of one room, and the expected number of cycles.
ROOMS = [
    ({"record/a.h": '#include "record/b.h"', "record/b.h": "", "record/b.cc": '#include "record/b.h"'}, 0),
    ({"record/a.h": '#include "record/b.h"', "record/b.h": "", "record/b.cc": '#include "record/a.h"'}, 1),
    ({"record/a.h": '#include "record/b.h"', "record/b.h": "", "record/b.cc": '#include "record/c.h"',
      "record/c.cc": '#include "record/a.h"', "record/d.cc": '#include "record/a.h"'}, 1),
    ({"record/a.h": '#include "base/b.h"', "base/b.h": "", "base/b.cc": '#include "record/a.h"'}, 0),
    ({"cli/a.h": "", "cli/a.cc": '#include "cli/documentation/b.h"',
      "cli/documentation/b.h": '#include "cli/a.h"'}, 1),
]

# Files, and the expected number of forbidden includes of elfutils' headers.
ELFUTILS = [
    ({"symbol/files/a.cc": "#include <elfutils/libdwfl.h>", "profile/b.cc": '#include "symbol/files/a.h"',
      "symbol/files/a.h": ""}, 0),
    ({"symbol/files/a.h": "#include <elfutils/libdwfl.h>", "symbol/b.h": '#include "symbol/files/a.h"',
      "profile/c.h": '#include "symbol/b.h"', "profile/d.cc": '#include "profile/c.h"'}, 2),
    ({"symbol/code/a.cc": "#include <gelf.h>"}, 1),
]

wrong = [case for case in CASES if len(list(problems_in(case[0], case[1], ORDER))) != case[2]]
for path, text, expected in wrong:
    print(f"{path} with {text!r}: expected {expected}, found {list(problems_in(path, text, ORDER))}")
for texts, expected in ROOMS:
    found = list(circles(inclusions_in_rooms(texts, ORDER)))
    if len(found) != expected:
        wrong.append(texts)
        print(f"{texts}: expected {expected} circles, found {found}")
for texts, expected in ELFUTILS:
    found = list(elfutils_outside(texts))
    if len(found) != expected:
        wrong.append(texts)
        print(f"{texts}: expected {expected} files, found {found}")
if list(tests_not_built(["model/a_test.cc", "model/a.h"], {"model"})) or not list(tests_not_built(["model/b/a_test.cc"], {"model"})):
    wrong.append("tests_not_built")
    print("tests_not_built: finds the wrong tests")
sys.exit(1 if wrong else 0)
