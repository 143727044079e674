# SPDX-License-Identifier: MIT
# Common functions of the tests here. $hardmeter is the program; the tests work in a temporary folder, removed at the
# end.
set -u
export hardmeter=$(realpath -- "$1")
tool='"$hardmeter"'  # the program as a word for another shell: its path may contain blanks and quotes
work=$(mktemp -d)
cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work/config  # results do not depend on a calibration of this machine
failures=0
# The engines of the software PMU in this build; the Valgrind engine is optional.
engines=direct
[ -e "$(dirname -- "$hardmeter")/../libexec/hardmeter/hardmeter-amd64-linux" ] && engines+=" valgrind"

# expect WHAT EXPECTED FOUND. If FOUND is $?, WHAT must not contain $(...), which would set $? before.
expect() {
  if [ "$2" = "$3" ]; then return; fi
  echo "FAILED: $1: expected '$2', found '$3'"
  failures=$((failures + 1))
}

# expect_match WHAT REGEX TEXT
expect_match() {
  if grep -qE -e "$2" <<<"$3"; then return; fi
  echo "FAILED: $1: nothing matches '$2' in: $3"
  failures=$((failures + 1))
}

# expect_samples FILE [STATUS]: the recording has samples and `check` accepts it; with status 1 it is readable but has
# problems.
expect_samples() {
  local found
  found=$("$hardmeter" check -i "$1" 2>&1)
  expect "check of $1: $found" "${2:-0}" $?
  samples=$("$hardmeter" check --json -i "$1" | python3 -c 'import json,sys; print(json.load(sys.stdin)["samples"])')
  [ "${samples:-0}" -gt 0 ] || expect "samples in $1" "some" "${samples:-none}"
}

# first_row OPTION...: prints the first row of a report. A busy host may allow too few bursts for a share: it has a dash then.
first_row() { "$hardmeter" report "$@" --limit 1 | grep -E '^ *([0-9.]+%|- +[0-9])'; }

# wait_until COMMAND...: retries up to 1200 times, a tenth of a second apart. Counts tries instead of time, because a
# host may stand still.
wait_until() {
  for _ in $(seq 1200); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.1
  done
  expect "waiting for: $*" "success" "none in two minutes"
  return 1
}

# end_of PROCESS [SECONDS]: waits until a child of this shell has ended, and returns its status. Kills a child that still
# runs after this time, two minutes by default.
end_of() {
  local i limit=${2:-120}
  for ((i = 0; i < 10 * limit; i++)); do
    kill -0 "$1" 2>/dev/null || break
    sleep 0.1
  done
  if kill -0 "$1" 2>/dev/null; then
    expect "process $1 after $limit s" "has ended" "still runs"
    kill -KILL "$1"
  fi
  wait "$1"
}

# has_samples FILE: the recording has some; it may still grow.
has_samples() { "$hardmeter" check --json -i "$1" | grep -qE '^ *"samples": [1-9]'; }

# catches NUMBER PROCESS PROGRAM: the process has a handler for that signal, and already runs the program, not the
# shell's child before execve.
catches() {
  [ "/proc/$2/exe" -ef "$3" ] && (($(awk '/^SigCgt/ { print "0x" $2 }' "/proc/$2/status") >> ($1 - 1) & 1))
}

# has_valgrind_engine WHAT: succeeds if the build has the Valgrind engine; otherwise records that WHAT is not tested.
has_valgrind_engine() {
  [[ $engines == *valgrind* ]] || { skipped "$*: this build has no Valgrind engine"; return 1; }
}

# has COMMAND...: these commands exist here; prints the first one that does not.
has() {
  local each
  for each in "$@"; do command -v "$each" >/dev/null || { skipped "there is no $each here"; return 1; }; done
}

# can_measure OPTIONS WHAT: programs can be measured with these options (words without blanks); otherwise prints why WHAT cannot run here.
can_measure() {
  "$hardmeter" stat $1 -o /dev/null -- true 2>why_not || { skipped "$2 cannot run here: $(tail -n 1 why_not)"; return 1; }
}
engine_runs() { can_measure --engine=direct "the copying engine"; }
# Each of these skips the whole test if the engine or the software PMU cannot run here.
needs_engine() { engine_runs || exit 77; }
needs_software_pmu() { can_measure --pmu=soft "the software PMU" || exit 77; }

# skipped WHAT: prints a line that scripts/test_summary.py counts at the end of all tests.
skipped() { echo "SKIPPED: $*"; }

finish() {
  [ "$failures" -eq 0 ] && echo "all as expected"
  exit "$((failures > 0))"
}
