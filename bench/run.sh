#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the benchmarks of bench/README.md and prints its tables. Argument: runs of each command (5).
set -eu
cd "$(dirname "$0")/.."
python3 bench/soft_pmu.py build/bin/hardmeter "${1:-5}"
printf '\n'
python3 bench/agreement.py build/bin/hardmeter
printf '\n'
python3 bench/recording.py build/bin/hardmeter "${1:-5}"
