#!/bin/bash
# SPDX-License-Identifier: MIT
# An agent that measures chosen running services with the software PMU: agent_software.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
needs_engine

cp "$(readlink -f "$(command -v perl)")" busy_service
cp "$(readlink -f "$(command -v sleep)")" idle_service
./busy_service -e '$SIG{TERM} = sub { print "whole\n"; exit 0 }; my %seen; for (my $i = 0;; ++$i) { $seen{$i * 7919 % 300000} = "$i"; }' >out 2>&1 &
busy=$!
./idle_service 1000 &
idle=$!
trap '{ kill -9 $busy $idle; wait; } 2>/dev/null; rm -rf "$work"' EXIT
wait_until catches 15 $busy busy_service
agent=("$hardmeter" agent --folder spool --window 1s --budget 100%)

# A turn measures the machine, which not every user may do, and the next turn a service.
said=$("${agent[@]}" --store store --windows 6 --software busy_service=50% --software idle_service 2>&1)
expect "status: $said" 0 $?
[[ $said =~ permi|paranoid ]] || expect "lines of messages about all services, also about one that sleeps" 1 "$(wc -l <<<"$said")"
expect_match "why it misses" 'l1_cache_miss, measured by: software; [0-9,]+ samples? in [12] measurements?' \
  "$("$hardmeter" report --store store -e l1_cache_miss --source software)"
by_function=$("$hardmeter" report --store store -e l1_cache_miss --source software --service busy_service --sort function,class)
expect_match "where, and of which class: $by_function" '(capacity|compulsory|conflict)' "$by_function"
said=$("$hardmeter" report --store store -e l1_cache_miss --source clock 2>&1)
expect "status of a source that measured none: $said" 1 $?
expect_match "by the instructions" 'in 1000 instr' "$by_function"
wait_until eval '! grep -q ^554000 /proc/$busy/maps'

said=$("${agent[@]}" --store store --windows 4 --software nobody 2>&1)
expect "status without such a service" 0 $?
expect "how often it is said" 1 "$(grep -c 'no process of the service nobody is running' <<<"$said")"

for wrong in =2% busy_service=200% busy_service= ''; do
  said=$("${agent[@]}" --store store --software "$wrong" --check 2>&1)
  expect "status of --software '$wrong'" 2 $?
  expect_match "--software '$wrong'" 'takes a service and the CPU time that measuring may cost it' "$said"
done
printf 'store = "store"\nfolder = "spool"\nsoftware = ["busy_service=50%%", "idle_service"]\n' >agent.toml
"$hardmeter" agent --config agent.toml --check
expect "status of a list in the file" 0 $?

# The user of the agent's unit, and a service of another user.
if [ "$(id -u)" -eq 0 ]; then
  . "$(dirname "$0")/agent_user.sh"
  said=$(as_agent_user --windows 2 --window 1s --software busy_service=50% 2>&1)
  expect "status with its capabilities: $said" 0 $?
  expect_match "what it measured" 'measured by: software' "$("$hardmeter" report --store own/store -e l1_cache_miss --source software)"
else
  skipped "the agent as another user: this one is not root"
fi
kill $busy
wait $busy
status=$?
expect "the program: $(cat out)" 0 $status
finish
