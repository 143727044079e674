#!/bin/bash
# SPDX-License-Identifier: MIT
# Occupancy of the last-level cache in Prometheus: the metrics of two programs with known footprints, and the
# configuration, rules and dashboard in examples/prometheus/.
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/tests/cli
export examples=$root/examples/prometheus
. "$(dirname "$0")/common.sh"
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
started=()
trap 'kill "${started[@]}" 2>/dev/null; wait; rm -rf "$work"' EXIT

for needed in cc python3 prometheus promtool; do
  command -v $needed >/dev/null || { skipped "there is no $needed here"; finish; }
done

# Checks that options are refused, with one sentence.
refused() {  # STATUS WORDS SENTENCE
  local said
  said=$("$hardmeter" llc --prometheus "$2" -- true 2>&1)
  expect "status of $2" "$1" $?
  expect_match "why not $2" "$3" "$said"
  expect "lines about $2" 1 "$(wc -l <<<"$said")"
}
refused 2 nonsense "is not an address for metrics"
refused 2 127.0.0.1:99999 "is not an address for metrics"
refused 1 '[::1]:9400' "only IPv4"
refused 1 192.0.2.1:9400 "cannot be served at 192.0.2.1:9400: Cannot assign requested address"

# The HTTP library is loaded at run time, and may be missing.
mkdir damaged && : >damaged/libmicrohttpd.so.12
LD_LIBRARY_PATH=$PWD/damaged refused 1 127.0.0.1:0 '^hardmeter: metrics cannot be served: libmicrohttpd is not installed .Debian: libmicrohttpd12.$'

cat >hold.c <<'C'
#include <stdint.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  size_t bytes = argc > 1 ? strtoul(argv[1], 0, 0) : 0;
  volatile uint64_t *words = malloc(bytes);
  for (;;)
    for (size_t i = 0; i < bytes / 8; i += 8) ++words[i];
}
C
cc -O1 hold.c -o hold || expect "cc" 0 1

"$hardmeter" llc --prometheus 127.0.0.1:0 -d 0.2 -- ./hold 2000000 , ./hold 4000000 >printed 2>said &
measuring=$!
started+=($measuring)
wait_until grep -q "serving metrics at http://127.0.0.1:" said
export metrics=$(grep -oE 'http://[^ ]+' said)
port=$(grep -oE '[0-9]+/metrics' <<<"$metrics" | tr -dc 0-9)
refused 1 "$port" "cannot be served at 127.0.0.1:$port: Address already in use"

scrape() { python3 -c 'import sys, urllib.request; sys.stdout.write(urllib.request.urlopen(sys.argv[1]).read().decode())' "$metrics"; }
scrape_holds() { scrape | grep -qE "$1"; }
wait_until scrape_holds 'hardmeter_llc_occupancy_bytes\{name="./hold 4000000",modelled="true"\} [4-9]'
scrape >scraped.txt
said_of_them=$(promtool check metrics <scraped.txt 2>&1)
expect "promtool check metrics: $said_of_them" "0" $?
expect "metrics without our prefix" "" "$(grep -vE '^(# (HELP|TYPE) )?hardmeter_llc_' scraped.txt)"

# Malicious requests.
python3 "$here/llc_prometheus_requests.py" "$metrics" || expect "bad requests" "answered" "not"

promtool check config "$examples/prometheus.yml" >said_of_it 2>&1 || expect "prometheus.yml" "is right" "$(cat said_of_it)"
(cd "$examples" && promtool check rules noisy_neighbour.rules.yml && promtool test rules noisy_neighbour.test.yml) >said_of_it 2>&1 ||
  expect "the rules" "are right" "$(cat said_of_it)"

# Prometheus itself, with the example's configuration except for the port and the intervals.
cp "$examples"/*.rules.yml .
sed "s/127.0.0.1:9400/127.0.0.1:$port/; s/interval: [0-9]*s/interval: 1s/" "$examples/prometheus.yml" >prometheus.yml
prometheus --config.file=prometheus.yml --storage.tsdb.path="$work/stored" --web.listen-address=127.0.0.1:0 >prometheus.log 2>&1 &
started+=($!)
wait_until grep -q 'msg="Listening on"' prometheus.log
export prometheus=http://$(grep -oE 'Listening on" address=[0-9.:]+' prometheus.log | grep -oE '[0-9.]+:[0-9]+')

wait_until python3 "$here/llc_prometheus_board.py" occupancy
python3 "$here/llc_prometheus_board.py" occupancy || expect "occupancy in Prometheus" "both programs'" "another"
# A rate needs two scrapes.
wait_until python3 "$here/llc_prometheus_board.py" expressions
python3 "$here/llc_prometheus_board.py" expressions || expect "expressions of the board and the rules" "right" "wrong"

kill -TERM $measuring
wait $measuring
expect "status after SIGTERM" 143 $?
started=("${started[@]:1}")
expect "standard output" "" "$(cat printed)"
expect "lines on standard error" 1 "$(wc -l <said)"

# The server ends with its programs; -b prints as well.
"$hardmeter" llc --prometheus 0 -b -n 2 -d 0.1 -- ./hold 100000 >printed 2>said
expect "status of -n 2" 0 $?
expect_match "printed beside metrics" "hold 100000" "$(cat printed)"
"$hardmeter" llc --prometheus 0 -- true >printed 2>said
expect "status of true" 0 $?
expect "printed" "" "$(cat printed)"
finish
