#!/bin/bash
# SPDX-License-Identifier: MIT
# A wrong settings file of the agent yields one sentence and status 2, also while an agent runs: agent_settings.sh
# HARDMETER
. "$(dirname "$0")/common.sh"
store='store = "st"'

# check STATUS REGEX TEXT: checks the output of --check for a file with a valid store and this text.
check() {
  local said status
  printf "%s\n$3\n" "$store" >settings.toml
  said=$("$hardmeter" agent --config settings.toml --check 2>&1)
  status=$?
  expect "status of: $3" "$1" $status
  [ "$1" = 0 ] || expect "lines about: $3: $said" 1 "$(wc -l <<<"$said")"
  [ -z "$2" ] || expect_match "message about: $3" "^hardmeter: settings.toml: $2" "$said"
}

check 0 "" ""
check 0 "" "# nothing"
check 0 "" "software = []"
check 0 "" "software = 'a.service'\nno-paths = false\nrows = 1_000"
for name in no-paths no-functions llc; do
  for value in '[]' '[true]' '[true, false]' '1' '"true"'; do check 2 "line 2: $name takes true or false" "$name = $value"; done
done
for name in folder host-name budget window rows freq windows folder-limit listen experimental-otlp store-credentials; do
  check 2 "line 2: $name takes one value, not a list" "$name = []"
  check 2 "line 2: $name takes one value, not a list" "$name = [\"1\", \"2\"]"
  check 2 "line 2: $name takes neither true nor false" "$name = true"
  check 2 "line 2: the text is empty" "$name = \"\""
  check 2 "line 2: Error while parsing .*NAME = VALUE" "$name ="
  check 2 "line 2: Error while parsing .*NAME = VALUE" "$name = null"
  check 2 "line 2: a list is inside a list" "$name = [[1]]"
done
check 2 "line 2: software takes neither" "software = [true]"
check 2 "line 2: Error while parsing decimal integer" "rows = 99999999999999999999999"
check 2 "line 2: --rows: " "rows = -1"
check 2 "line 2: " "rows = 0"
check 2 "line 2: " "freq = 1e300"
check 2 "line 2: " "budget = 99999999999999999999999"
check 2 "line 2: " "budget = -1"
check 2 "line 3: .*cannot redefine existing string 'window'" 'window = "1s"\nwindow = "2s"'
check 2 "line 2: .*UTF-8" 'host-name = "\xff"'
check 2 "line 2: the text has control characters" 'host-name = "\\u0001"'
check 2 "line 2: Error" '\x00\x01\x02'
check 2 "line 2: a section" '[agent]'
for name in config check help; do check 2 "line 2: $name is for the command line only" "$name = \"x\""; done

# paths STATUS FILE: checks the file itself.
paths() {
  local said
  said=$(timeout 60 "$hardmeter" agent --store st --config "$2" --check 2>&1)
  expect "status of $2: $said" "$1" $?
  expect "lines about $2: $said" 1 "$(wc -l <<<"$said")"
}
mkfifo pipe
paths 2 pipe
paths 2 .
paths 2 /dev/zero
paths 1 /no/such/file

# A running agent keeps its previous settings.
"$hardmeter" store init --store st || expect "store init" 0 $?
printf 'store = "st"\nfolder = "spool"\nwindow = "1s"\nwindows = 0\n' >agent.toml
"$hardmeter" agent --config agent.toml 2>said &
agent=$!
# If nothing can be measured the agent ends at once, and there is nothing to test.
wait_until eval '[ -e spool ] || ! kill -0 $agent'
echo 'no-paths = []' >>agent.toml
if kill -HUP $agent 2>/dev/null; then
  wait_until eval 'grep -q "keeping the previous settings" said || ! kill -0 $agent'
  if kill $agent 2>/dev/null; then
    expect_match "why the settings are refused" "keeping the previous settings" "$(cat said)"
    expect_match "why the settings are refused" "no-paths takes true or false" "$(cat said)"
    wait $agent
    expect "status of the agent" 0 $?
  else
    wait $agent
    status=$?
    expect "an agent that can measure nothing here: $(cat said)" 1 $status
  fi
fi
finish
