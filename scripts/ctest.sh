#!/bin/bash
# SPDX-License-Identifier: MIT
# ctest of a preset ($1, with what options follow), then what was skipped and why, and what failed tests printed. Its
# status is ctest's.
set -u
results=$(mktemp)
trap 'rm -f "$results"' EXIT
# All that passing tests print is kept: they may say that they have left out a part.
ctest --preset "$@" --output-junit "$results" --test-output-size-passed 1000000
status=$?
[ ! -s "$results" ] || python3 "$(dirname "$0")/test_summary.py" "$results"
exit "$status"
