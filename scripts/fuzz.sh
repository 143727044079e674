#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the fuzzers and runs each for $1 seconds, from its corpus. More than 512 MiB, or 10 seconds for one input, is a
# finding too. What they find stays in build-sanitized/findings; once it is fixed it belongs into tests/fuzz/corpus.
set -eu
seconds=$1
if ! command -v clang++ >/dev/null; then
  echo "fuzz: there is no clang; apt install clang brings it"
  exit 0
fi
cmake --preset sanitized >/dev/null
targets=$(sed -n 's/^hm_fuzz(\([a-z_]*\) .*/fuzz_\1/p' tests/fuzz/CMakeLists.txt)
# shellcheck disable=SC2086
cmake --build --preset sanitized --target $targets
mkdir -p build-sanitized/findings
for target in $targets; do
  corpus=tests/fuzz/corpus/${target#fuzz_}
  fresh=$(mktemp -d)
  [ -d "$corpus" ] || corpus=
  # shellcheck disable=SC2086
  ASAN_OPTIONS=quarantine_size_mb=16 build-sanitized/bin/"$target" -max_total_time="$seconds" -max_len=65536 \
    -rss_limit_mb=512 -timeout=10 -artifact_prefix=build-sanitized/findings/ \
    -print_final_stats=0 "$fresh" $corpus 2>build-sanitized/"$target".log || { tail -n 40 build-sanitized/"$target".log; exit 1; }
  echo "$target: $(grep -c . build-sanitized/"$target".log) lines of log, nothing found"
  rm -rf "$fresh"
done
