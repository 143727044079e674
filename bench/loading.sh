#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the loading time of large recordings and prints the table of bench/README.md. Arguments: runs of each command
# (3), then sizes in million samples (1 5 20). The largest recording takes 8 GB below TMPDIR.
set -eu
cd "$(dirname "$0")/.."
cmake --build build --target hardmeter hardmeter-amd64-linux multiply_recording >/dev/null
python3 bench/loading.py build/bin/hardmeter build/bin/multiply_recording "$@"
