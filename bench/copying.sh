#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the cost of the copying engine and prints the tables of bench/README.md: programs, threads, PostgreSQL.
# RUNS=N in the environment sets the runs of each command (5). Arguments: select programs with one of these words in
# their names.
set -eu
cd "$(dirname "$0")/.."
cmake --build build --target hardmeter hardmeter-direct hardmeter-amd64-linux >/dev/null
runs=${RUNS:-5}
python3 bench/copying.py build/bin/hardmeter "$runs" "$@"
printf '\n'
python3 bench/threads.py build/bin/hardmeter "$runs"
printf '\n'
python3 bench/postgresql.py build/bin/hardmeter "$runs"
