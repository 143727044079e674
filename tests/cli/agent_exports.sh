#!/bin/bash
# SPDX-License-Identifier: MIT
# An agent's exports besides its store: metrics for Prometheus, the last measurement as a pprof profile, and
# OpenTelemetry's profiles. promtool and protoc's code for agent_exports.proto read them.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
cp "$(readlink -f "$(command -v perl)")" busy_perl
./busy_perl -e 'my %seen; for (my $i = 0;; ++$i) { $seen{$i % 100000} = "$i"; }' &
started=($!)
trap '{ kill -9 "${started[@]}"; wait; } 2>/dev/null; rm -rf "$work"' EXIT
# Finds a Python with the package for protocol buffers, which may not be the first one.
for python in python3 /usr/bin/python3; do
  "$python" -c 'import google.protobuf' 2>/dev/null && break
done
exports() { "$python" "$here/agent_exports.py" "$@"; }
receiver() {  # STATUS FILE: its address is in $otlp
  "$python" "$here/agent_exports.py" receive "$1" "$2" >receiver.port &
  started+=($!)
  wait_until test -s receiver.port
  otlp=http://127.0.0.1:$(cat receiver.port)/v1development/profiles
  rm receiver.port
}

# Checks that an option is refused, with one sentence.
refused() {  # STATUS SENTENCE OPTION...
  local said status=$1 sentence=$2
  shift 2
  said=$("$hardmeter" agent --store store --folder refused --windows 1 "$@" 2>&1)
  expect "status of $*" "$status" $?
  expect_match "why not $*" "$sentence" "$said"
  expect "lines about $*" 1 "$(wc -l <<<"$said")"
}
refused 2 "is not an address for metrics" --listen nonsense
refused 1 "cannot be served at 192.0.2.1:9401" --listen 192.0.2.1:9401
refused 2 "cannot send profiles to 'ftp://x/'" --experimental-otlp ftp://x/
refused 2 "contains a user name or password" --experimental-otlp http://me:secret@x/

# Makes one measurement: its cost delays the next one for long. The store is unavailable, so the test can read the
# batch.
measures_once() {  # FOLDER OPTION...: the address of its server is in $served
  local folder=$1
  shift
  "$hardmeter" agent --store http://127.0.0.1:1/hardmeter --folder "$folder" --window 1s --budget 0.1% --listen 0 "$@" 2>said &
  agent=$!
  started+=($agent)
  wait_until grep -qE 'serving metrics at|permi|paranoid' said
  served=$(grep -oE 'http://[0-9.:]+' said | head -1)
  wait_until eval 'grep -qE "permi|paranoid" said || [ -n "$(ls '"$folder"'/*.batch 2>/dev/null)" ]'
  if grep -qE 'permi|paranoid' said; then
    echo "skipped: this user may not measure the whole machine: $(cat said)" >&2
    exit 77
  fi
}
ends() {
  kill -TERM $agent
  wait $agent
  expect "status after SIGTERM" 0 $?
}
has_metric() { exports get "$served/metrics" | grep -qE "^hardmeter_agent_$1\$"; }
receiver 200 request
measures_once spool --experimental-otlp "$otlp"
wait_until has_metric 'otlp_exports_total 1'
wait_until has_metric 'send_failures_total [1-9].*'
has_metric 'last_measurement_timestamp_seconds [0-9.]+' || expect "the time of a measurement" "some" "none"
exports get "$served/metrics" >metrics.txt
for line in 'measurements_total 1' 'measurement_failures_total 0' 'spool_batches 1' "spool_bytes $(cat spool/*.batch | wc -c)" \
  'cpu_budget_ratio 0.001' 'batches_sent_total 0' 'otlp_export_failures_total 0'; do
  expect "metric $line" 1 "$(grep -cxF "hardmeter_agent_$line" metrics.txt)"
done
expect "the time of what was not sent" "" "$(grep last_send metrics.txt)"
if command -v promtool >/dev/null; then
  found=$(promtool check metrics <metrics.txt 2>&1)
  expect "promtool check metrics: $found" 0 $?
else
  skipped "there is no promtool here"
fi
exports get "$served/debug/pprof/window" >window.pprof || expect "the last measurement" "a profile" "none"
expect_match "another path" '^404 there is only /debug/pprof/window and /metrics here' "$(exports get "$served/debug/pprof" 2>&1)"
can_decode=
if command -v protoc >/dev/null && "$python" -c 'import google.protobuf' 2>/dev/null; then
  can_decode=yes
  protoc -I "$here" --python_out=. agent_exports.proto || expect "protoc" "takes it" "not"
  export PYTHONPATH=$work
  names=$(exports compare spool/*.batch window.pprof request 2>&1)
  expect "the comparison: $names" 0 $?
  expect_match "names of functions" '^Perl_' "$names"
  expect_match "paths" '^/.*/busy_perl|^/.*libperl' "$names"
else
  skipped "there is no protoc here, or python3 has no google.protobuf"
fi
if command -v go >/dev/null && go tool pprof -h 2>&1 | grep -q pprof; then
  HOME=$work go tool pprof -top -sample_index=0 "$served/debug/pprof/window" >top.txt 2>top.err
  status=$?
  expect "pprof's status: $(cat top.err)" 0 $status
  expect_match "what pprof reads from the agent" 'Duration: 1s' "$(cat top.txt)"
else
  skipped "there is no go tool pprof here"
fi
refused 1 "cannot be served at ${served#http://}: Address already in use" --listen "${served##*:}"
ends

# Exports are served during a measurement, and excluded names are not exported.
measures_once private --no-functions --no-paths --experimental-otlp "$otlp"
wait_until has_metric 'otlp_exports_total 1'
if [ -n "$can_decode" ]; then
  names=$(exports compare private/*.batch private/window.pprof request 2>&1)
  expect "the comparison without names: $names" 0 $?
  expect "names that are not told" "" "$(grep -E '^Perl_|^/' <<<"$names")"
fi
ends
"$hardmeter" agent --store store --folder long --window 1000s --listen 0 2>said &
agent=$!
started+=($agent)
wait_until grep -q 'serving metrics at' said
served=$(grep -oE 'http://[0-9.:]+' said | head -1)
wait_until test -e long/window.part
has_metric 'measurements_total 0' || expect "metrics in a measurement" "some" "none"
expect_match "a profile before there is one" '^503 nothing has been measured yet' "$(exports get "$served/debug/pprof/window" 2>&1)"
ends

# After SIGHUP the same agent can reuse the address.
printf 'store = "store"\nfolder = "again"\nwindow = "300ms"\nbudget = "100%%"\nlisten = "%s"\n' "${served##*:}" >agent.toml
"$hardmeter" agent --config agent.toml 2>said &
agent=$!
started+=($agent)
wait_until has_metric 'measurements_total [1-9].*'
kill -HUP $agent
serves_twice() { [ "$(grep -c 'serving metrics at' said)" = 2 ]; }
wait_until serves_twice
wait_until has_metric 'batches_sent_total [1-9].*'
ends

# The store gets all batches regardless of the receiver, and an error of the receiver is reported once.
has_three() { "$hardmeter" store status --store "$1" | grep -qE 'in ([3-9]|[0-9]{2,}) measurements'; }
sends_to() {  # URL FOLDER WORDS: the expected message; none if empty
  "$hardmeter" agent --store "$2" --folder spool2 --window 500ms --budget 100% --experimental-otlp "$1" 2>said &
  agent=$!
  started+=($agent)
  wait_until has_three "$2"
  [ -z "$3" ] || wait_until grep -q "$3" said
  ends
  [ -z "$3" ] || expect "how often is said: $3" 1 "$(grep -c "$3" said)"
}
sends_to http://127.0.0.1:1/ nobody 'cannot reach http://127.0.0.1:1: '
receiver 503 request
sends_to "$otlp" refusing 'rejects profiles: status 503, busy'
receiver 200-partly request
sends_to "$otlp" partly 'rejected some profiles, or warns: .*no RAM'
receiver 0 request
sends_to "$otlp" silent ''
finish
