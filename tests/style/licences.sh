#!/bin/bash
# SPDX-License-Identifier: MIT
# Every source file names its licence: GPL where Valgrind's core is linked, MIT everywhere else.
set -eu
failures=0
while IFS= read -r file; do
  licence=$(head -n 3 "$file" | sed -n 's/^.*SPDX-License-Identifier: \([A-Za-z0-9.-]*\).*$/\1/p' | head -n 1)
  case $file in
    src/pmu/soft/valgrind/*.cc | src/pmu/soft/valgrind/*.h | src/pmu/soft/valgrind/*.S) expected=GPL-2.0-or-later ;;
    *) expected=MIT ;;
  esac
  if [ "$licence" != "$expected" ]; then
    echo "$file: expected $expected, found ${licence:-none}"
    failures=1
  fi
done < <(find src include tests scripts bench examples cmake .ci CMakeLists.txt Makefile -type f \
  \( -name '*.cc' -o -name '*.c' -o -name '*.h' -o -name '*.S' -o -name '*.py' -o -name '*.sh' -o -name '*.cmake' \
  -o -name CMakeLists.txt -o -name Makefile -o -name '*.pl' -o -name '*.sql' -o -path .ci/run \) 2>/dev/null)
exit "$failures"
