#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the fuzzers and runs each for $1 seconds, from its corpus, one on each CPU. More than 512 MiB, or 10 seconds for
# one input, is a finding too. What they find stays in build-sanitized/findings; once it is fixed it belongs into
# tests/fuzz/corpus.
set -eu
if ! command -v clang++ >/dev/null; then
  echo "fuzz: there is no clang; apt install clang brings it"
  exit 0
fi
cmake --preset sanitized >/dev/null
targets=$(sed -n 's/^hm_fuzz(\([a-z_]*\) .*/fuzz_\1/p' tests/fuzz/CMakeLists.txt)
# shellcheck disable=SC2086
cmake --build --preset sanitized --target $targets
mkdir -p build-sanitized/findings

# fuzz SECONDS TARGET
fuzz() {
  local corpus=tests/fuzz/corpus/${2#fuzz_} log=build-sanitized/$2.log fresh status=0
  fresh=$(mktemp -d)
  [ -d "$corpus" ] || corpus=
  # shellcheck disable=SC2086
  ASAN_OPTIONS=quarantine_size_mb=16 build-sanitized/bin/"$2" -max_total_time="$1" -max_len=65536 -rss_limit_mb=512 \
    -timeout=10 -artifact_prefix=build-sanitized/findings/ -print_final_stats=0 "$fresh" $corpus 2>"$log" || status=1
  rm -rf "$fresh"
  if [ $status -eq 0 ]; then echo "$2: $(grep -c . "$log") lines of log, nothing found"; else tail -n 40 "$log"; fi
  return $status
}
export -f fuzz
# The copying engine against the processor: random instructions and short programs, from a new seed each time.
fuzz_engine() {
  cmake --preset tests >/dev/null
  cmake --build --preset tests --target fuzz_encodings fuzz_sequences hardmeter hardmeter-direct block_runner
  local seed status=0
  seed=$(date +%s)
  build/bin/fuzz_encodings "$seed" "$1" || status=1
  build/bin/fuzz_sequences "$seed" "$2" || status=1
  return $status
}
# About a minute.
fuzz_engine 40000 8000

printf '%s\n' $targets | xargs -P "$(nproc)" -I{} bash -c 'fuzz "$1" "$2"' fuzz "$1" {}
