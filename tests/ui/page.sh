#!/bin/bash
# SPDX-License-Identifier: MIT
# page.sh HARDMETER BUILD: builds the committed page, runs its unit tests, and checks it in Chromium: served by
# hardmeter ui, and as one file. Screenshots stay in BUILD/ui/pictures.
set -u
hardmeter=$1
build=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/ui
failures=0
failed() { echo "FAILED: $*"; failures=$((failures + 1)); }
skipped() { echo "SKIPPED: $*"; exit 77; }

command -v npm >/dev/null || skipped "the page's tests need npm"
rm -rf "$work" && mkdir -p "$work/pictures"
cp -r "$source/ui" "$work/ui" && mkdir -p "$work/tests" && cp -r "$source/tests/ui" "$work/tests/ui"
rm -rf "$work/ui/node_modules"
cd "$work/ui" || exit 1
for attempt in 1 2 3; do
  npm ci --no-audit --no-fund --silent && break
  [ $attempt -lt 3 ] || skipped "npm's packages cannot be had here (npm ci)"
done

npm run -s check || failed "types"
npm test --silent || failed "unit tests"
npm run -s build || failed "build"
diff -rq "$source/ui/dist" dist || failed "ui/dist is not what ui/ builds: npm ci && npm run build in ui/, and commit it"

chromium=$(command -v chromium) || { [ $failures -gt 0 ] && exit 1; skipped "there is no chromium: of the page, only its parts were tested"; }
export HARDMETER_UI_CHROMIUM=$chromium HARDMETER_UI_SHOTS=$work/pictures

record() { "$hardmeter" record -q --pmu=soft "$@" >/dev/null || failed "record $*"; }
examples=$build/examples
record -g -e l1_cache_miss,l2_cache_miss,dtlb_load_miss --sizes -c 1000 -o "$work/before.data" -- "$examples/gather"
record -g -b any -e l1_cache_miss,l2_cache_miss,dtlb_load_miss --sizes -c 1000 -o "$work/after.data" -- "$examples/gather_mended"
record -e l3_cache_miss --llc=20 --l3 4M,16,64 -c 100 -o "$work/shared.data" -- "$examples/gather" , "$examples/scan"
record -g -e l1_cache_miss -c 1000 -o "$work/processes.data" -- sh -c 'ls / ; ls / ; "$0" & "$0" ; wait' "$examples/gather"
"$hardmeter" report --html "$work/page.html" -i "$work/before.data" || failed "report --html"

# The kernel's clock is the only source for running processes.
"$hardmeter" stat -e clock true >"$work/said" 2>&1 ||
  export HARDMETER_UI_NO_CLOCK="there are no perf events here: $(cat "$work/said")"

# Recordings and a store with names of 300 letters: of the program's file, its folders, its argument, its functions.
letters() { head -c "$1" /dev/zero | tr '\0' x; }
long=$work/$(letters 150)/$(letters 150)
mkdir -p "$long"
cp "$build/programs/long_names" "$long/$(letters 250)"
for name in before after; do
  record -g -e l1_cache_miss,l2_cache_miss,dtlb_load_miss --sizes -c 1000 -o "$work/$name$(letters 200).data" -- "$long/$(letters 250)" "$name$(letters 300)"
done

# The folder for recordings made from the page.
mkdir -p "$work/made" && cd "$work/made" || exit 1
servers=()
trap 'kill "${servers[@]}" 2>/dev/null; wait 2>/dev/null' EXIT
# serve NAME OPTION...: starts a server, with its first link in $link.
serve() {
  local name=$1
  shift
  env --default-signal=INT "$hardmeter" ui --no-browser "$@" >"$work/$name.link" 2>"$work/$name.said" &
  servers+=($!)
  for _ in $(seq 600); do [ -s "$work/$name.link" ] && break; sleep 0.1; done
  link=$(head -1 "$work/$name.link")
}
serve recordings --allow-record ../before.data ../after.data ../shared.data ../processes.data
HARDMETER_UI_URL=$link
"$build/bin/fill_example_fleet" "$work/store" || failed "fill_example_fleet"
serve store --store ../store
HARDMETER_UI_STORE_URL=$link
serve long --allow-record ../before*x.data ../after*x.data
HARDMETER_UI_LONG_URL=$link
"$build/bin/fill_example_fleet" "$work/long_store" 300 || failed "fill_example_fleet with long names"
serve long_store --store ../long_store
HARDMETER_UI_LONG_STORE_URL=$link
(
  export HARDMETER_UI_URL HARDMETER_UI_STORE_URL HARDMETER_UI_LONG_URL HARDMETER_UI_LONG_STORE_URL
  cd "$work/ui" && npm run -s browser-test
) || failed "the page that is served"
(cd "$work/ui" && HARDMETER_UI_FILE=$work/page.html npm run -s browser-test) || failed "the page as a file"
kill -INT "${servers[0]}"
wait "${servers[0]}"
status=$?
[ $status -eq 0 ] || failed "hardmeter ui ends with $status after Ctrl-C"
[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
