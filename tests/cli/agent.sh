#!/bin/bash
# SPDX-License-Identifier: MIT
# An agent that measures this machine, its store, and queries of the store.
. "$(dirname "$0")/common.sh"

agent=("$hardmeter" agent --folder spool --window 1s --budget 100%)
has_host() { "$hardmeter" report --store store --service busy_perl --host "$1"; }
# Checks that functions of the last measurement have names.
named() {
  "$hardmeter" report --store store --service busy_perl --host anonymous --sort function | grep -q Perl_
}
waiting() { ls spool/*.batch 2>/dev/null | wc -l; }

# A load with a unique name and with function names (libperl's).
cp "$(readlink -f "$(command -v perl)")" busy_perl
./busy_perl -e 'my %seen; for (my $i = 0;; ++$i) { $seen{$i % 100000} = "$i"; }' &
load=$! agent_process=
trap '{ kill -9 $load $agent_process; wait; } 2>/dev/null; rm -rf "$work"' EXIT

# The embedded store needs no server, and the agent makes it.
said=$("${agent[@]}" --store store --windows 2 2>&1)
status=$?
if [ $status -ne 0 ] && grep -Eq 'permi|paranoid' <<<"$said"; then
  echo "skipped: this user may not measure the whole machine: $said" >&2
  exit 77
fi
expect "status of the agent" 0 $status
expect_match "the account" '2 measurements, 2 batches sent with [0-9,]+ rows; .* of one CPU' "$said"
expect_match "the store" 'in 2 measurements of 1 machine' "$("$hardmeter" store status --store store)"
expect_match "services" 'busy_perl' "$("$hardmeter" report --store store)"
of_service=("$hardmeter" report --store store --service busy_perl)
expect_match "places" '% .* (busy_perl|libperl)' "$("${of_service[@]}" --sort module)"
expect_match "JSON" '"event": "(clock|l1_cache_miss)"' "$("${of_service[@]}" --json)"
said=$("$hardmeter" report --store store --service nobody 2>&1)
expect "status where there is no such service" 1 $?
expect_match "no such service" 'has no measurement of this' "$said"
said=$("${of_service[@]}" --from 2d --to 1d 2>&1)
expect "status of a time that is past" 1 $?
said=$("${of_service[@]}" --from yesterday 2>&1)
expect "status of what is no time" 2 $?
said=$("$hardmeter" diff --store store --service busy_perl --build aa 2>&1)
expect_match "one build is no comparison" 'needs two builds' "$said"

# A wrong query prints the reason, and creates nothing.
said=$("$hardmeter" report --store none 2>&1)
expect "status where there is no store" 1 $?
expect_match "no store" 'none has no store: create one with hardmeter store init' "$said"
expect "folders that asking made" "" "$(ls -d none 2>/dev/null)"
said=$("${agent[@]}" --store 'http://me:secret@host:1/db' 2>&1)
expect "status of a password in an address" 2 $?
expect_match "a password in an address" 'put them into a file' "$said"
expect "the password is not repeated" "" "$(grep secret <<<"$said")"
echo 'password = x' >credentials
chmod 644 credentials
said=$("$hardmeter" store status --store store --store-credentials credentials 2>&1)
expect_match "credentials that everyone can read" 'every user can read the credentials' "$said"

said=$("$hardmeter" ui --no-browser --store none 2>&1)
expect "status of a page on no store" 1 $?
expect_match "a page on no store" 'none has no store' "$said"
said=$("$hardmeter" ui --no-browser --store store -i perf.data 2>&1)
expect_match "a page on both" 'the page shows a store or recordings' "$said"

# While the store is unavailable measurements wait, and a kill loses none of them.
said=$("${agent[@]}" --store http://127.0.0.1:1/hardmeter --windows 2 2>&1)
expect "status where the store is away" 0 $?
expect_match "the store is away" 'cannot reach http://127.0.0.1:1' "$said"
expect "measurements that wait" 2 "$(waiting)"
"${agent[@]}" --store http://127.0.0.1:1/hardmeter 2>/dev/null &
agent_process=$!
for _ in $(seq 200); do
  [ "$(waiting)" -ge 3 ] && break
  sleep 0.1
done
kill -9 $agent_process
wait $agent_process 2>/dev/null
before=$(waiting)
expect_match "measurements that wait after a kill" '^[3-9]$' "$before"
for _ in $(seq 50); do  # child processes of the killed agent end with it
  said=$("${agent[@]}" --store later --windows 1 2>&1) && break
  sleep 0.1
done
expect_match "nothing is lost" "in $((before + 1)) measurements" "$("$hardmeter" store status --store later)"
expect "what was sent waits no longer" 0 "$(waiting)"

# Settings from a file; SIGHUP makes the agent read it again, and a wrong file changes nothing.
printf 'store = "store"\nfolder = "spool"\nwindow = "300ms"\nbudget = "100%%"\nno-functions = true\n' >agent.toml
"$hardmeter" agent --config agent.toml --check
expect "status of right settings" 0 $?
echo 'budgte = "1%"' >wrong.toml
said=$("$hardmeter" agent --config wrong.toml --check 2>&1)
expect "status of wrong settings" 2 $?
expect_match "wrong settings" "wrong.toml: unknown option '--budgte'; did you mean '--budget'" "$said"
"$hardmeter" agent --config agent.toml --host-name anonymous 2>said &
agent_process=$!
wait_until has_host anonymous
sed -i 's/no-functions = true/no-functions = false/' agent.toml
kill -HUP $agent_process
wait_until named
echo 'budgte = "1%"' >>agent.toml
kill -HUP $agent_process
wait_until grep -q 'keeping the previous settings' said
kill -TERM $agent_process
wait $agent_process
expect "status after SIGTERM" 0 $?

# A separate user, with exactly the capabilities that the agent's unit grants.
if [ "$(id -u)" -eq 0 ]; then
  . "$(dirname "$0")/agent_user.sh"
  said=$(as_agent_user --windows 1 --window 500ms 2>&1)
  expect "status with its capabilities: $said" 0 $?
  expect_match "what it measured" 'busy_perl' "$("$hardmeter" report --store own/store)"
  expect "files of its own that others can read" "" "$(find own -type f -perm /007)"
else
  skipped "the agent as another user: this one is not root"
fi

# SIGINT and SIGTERM end the agent cleanly.
for signal in INT TERM; do
  env --default-signal=INT "${agent[@]}" --store store 2>said &
  agent_process=$!
  wait_until catches 15 $agent_process "$hardmeter"
  kill -$signal $agent_process
  wait $agent_process
  expect "status after SIG$signal" 0 $?
  expect_match "the account after SIG$signal" 'of one CPU' "$(cat said)"
done
finish
