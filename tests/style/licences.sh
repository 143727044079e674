#!/bin/bash
# SPDX-License-Identifier: MIT
# Every source file names its licence in its first lines: GPL for files linked with Valgrind's core, MIT for all others.
set -eu -o pipefail
find src include tests scripts bench examples integrations cmake .ci CMakeLists.txt Makefile -type f \
  \( -name '*.cc' -o -name '*.c' -o -name '*.h' -o -name '*.S' -o -name '*.py' -o -name '*.sh' -o -name '*.cmake' \
  -o -name CMakeLists.txt -o -name Makefile -o -name '*.pl' -o -name '*.sql' -o -path .ci/run \) -print0 |
  xargs -0 awk '
    FNR <= 3 && /SPDX-License-Identifier: / {
      found[FILENAME] = $0
      sub(/.*SPDX-License-Identifier: /, "", found[FILENAME])
      sub(/[^A-Za-z0-9.-].*/, "", found[FILENAME])
    }
    END {
      for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        expected = file ~ /^src\/pmu\/soft\/valgrind\/[^\/]*\.(cc|h|S)$/ ? "GPL-2.0-or-later" : "MIT"
        if (found[file] == expected) continue
        print file ": expected " expected ", found " (found[file] ? found[file] : "none")
        failed = 1
      }
      exit failed
    }'
