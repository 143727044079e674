#!/bin/bash
# SPDX-License-Identifier: MIT
# The demonstration: demo.sh [RELEASE]
# Runs with RELEASE, a release archive or its URL, or else with the newest archive in dist/. Without any, it builds.
set -euo pipefail
cd -- "$(dirname -- "$(realpath -- "$0")")/.."
release=${1:-}

newest_in_dist() { ls -t dist/hardmeter-*-x86_64-linux.tar.{xz,zst} 2>/dev/null | head -n 1; }

# fetch URL: prints the file's path.
fetch() {
  local file=dist/downloaded-${1##*/}
  mkdir -p dist
  curl --fail --location --progress-bar --output "$file" "$1" || { echo "demo: cannot fetch $1" >&2; exit 1; }
  echo "$file"
}

# unpack FILE: prints the program's path.
unpack() {
  rm -rf dist/unpacked
  mkdir -p dist/unpacked
  tar -xf "$1" --strip-components=1 -C dist/unpacked || { echo "demo: cannot unpack $1" >&2; exit 1; }
  echo dist/unpacked/bin/hardmeter
}

case $release in
  *://*) release=$(fetch "$release") ;;
  "") release=$(newest_in_dist || true) ;;
esac
if [ "$release" ]; then
  echo "demo: with $release" >&2
  program=$(unpack "$release")
else
  "${MAKE:-make}" --no-print-directory build >&2
  program=build/bin/hardmeter
fi
exec sh examples/perl/run.sh "$program"
