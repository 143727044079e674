#!/bin/bash
# SPDX-License-Identifier: MIT
# What hardmeter does on this machine's hardware, as one JSON file: on_hardware.sh HARDMETER [FILE]
#   machine, doctor    the processor, and what can be measured
#   events             each event: whether it can be counted and sampled by hardware, and if not, why
#   agreement          five programs: counts by hardware, and by the models
#   scaling            seconds on 1, 2, 4, ... CPUs: programs in the engine side by side; reading and comparing a recording
# Takes at most eight minutes. Needs hardmeter (build/bin/hardmeter, or bin/hardmeter of the release archive), perl, gzip,
# awk and sort; root, or perf_event_paranoid of 1 or less. FILE is hardware.json without it.
set -u
hardmeter=$(realpath -- "$1")
file=$(realpath -- "${2:-hardware.json}")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1
limit=60  # seconds for one command
events=$("$hardmeter" list --json | sed -n 's/^   "name": "\(.*\)",$/\1/p')
counted=instr_retired,l1_cache_miss,l2_cache_miss,l3_cache_miss,dtlb_load_miss,branch_mispredict

progress() { echo "on_hardware: $*" >&2; }
quoted() { sed -e 's/[\\"]/\\&/g' -e 's/[[:cntrl:]]/ /g' <<<"$*" | sed -e '1s/^/"/' -e '$s/$/"/' | tr -d '\n'; }
# members NAME VALUE...: a JSON object; the values are JSON.
members() {
  local separator=
  printf '{'
  while [ $# -gt 1 ]; do printf '%s%s: %s' "$separator" "$(quoted "$1")" "$2"; separator=', '; shift 2; done
  printf '}'
}

# counts PMU PROGRAM...: what `stat` prints as JSON, or {"error": MESSAGE}.
counts() {
  local pmu=$1
  shift
  if timeout $limit "$hardmeter" stat --pmu="$pmu" -e $counted --json -o counts.json -- "$@" >output 2>errors </dev/null; then
    cat counts.json
  else
    members error "$(quoted "$(tail -n 1 errors)")"
  fi
}

# outcome COMMAND...: "works", or {"error": MESSAGE}.
outcome() {
  if timeout $limit "$@" >output 2>errors </dev/null; then echo '"works"'; else members error "$(quoted "$(tail -n 1 errors)")"; fi
}

# first_cpus N: the first N CPUs that this process may use, as taskset takes them.
first_cpus() {
  taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' | while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done |
    head -n "$1" | paste -sd,
}

# seconds N COMMAND...: its time on N CPUs; null if it fails.
seconds() {
  local began cpus
  cpus=$(first_cpus "$1")
  shift
  began=$EPOCHREALTIME
  if timeout $limit taskset -c "$cpus" "$@" >output 2>errors </dev/null; then
    awk "BEGIN { print $EPOCHREALTIME - $began }"
  else
    echo null
  fi
}

cat >hash.pl <<'P'
my ($random, %counts) = (1);
for (1 .. 300000) { $random = ($random * 1664525 + 1013904223) % 4294967296; ++$counts{"name " . $random % 100000}; }
P
cat >scan.pl <<'P'
my $text = "x" x 8000000;
my $sum = 0;
for my $pass (1 .. 3) { for (my $i = 0; $i < length $text; $i += 64) { $sum += ord substr $text, $i, 1; } }
P
echo '{ ++counts[$1 % 50000] } END { print length(counts) }' >count.awk
perl -e 'my $r = 1; for (1 .. 200000) { $r = ($r * 1664525 + 1013904223) % 4294967296; print "$r\n"; }' >numbers
programs=("perl hash.pl" "perl scan.pl" "sort -n numbers -o sorted" "gzip -kf numbers" "awk -f count.awk numbers")

events_of_this_machine() {
  local separator= name period
  printf '{'
  for name in $events; do
    # 10,000 ns of the clock would leave a slow host no time for the program.
    [ "$name" = clock ] && period=1ms || period=10000
    printf '%s\n  "%s": ' "$separator" "$name"
    members count "$(outcome "$hardmeter" stat --pmu=linux -e "$name" -- gzip -kf numbers)" \
      sample "$(outcome "$hardmeter" record -q --pmu=linux -e "$name" -c "$period" -o events.data -- gzip -kf numbers)"
    separator=,
  done
  printf '}'
}

agreement() {
  local separator= program
  printf '{'
  for program in "${programs[@]}"; do
    printf '%s\n  %s: ' "$separator" "$(quoted "$program")"
    # shellcheck disable=SC2086 # words
    members hardware "$(counts linux $program)" models "$(counts soft $program)"
    separator=,
  done
  printf '}'
}

scaling() {
  local separator= n
  "$hardmeter" record -q --pmu=soft -e l1_cache_miss -c 5 -o big.data -- perl hash.pl 2>errors || progress "$(tail -n 1 errors)"
  printf '{'
  for ((n = 1; n <= $(nproc); n *= 2)); do
    printf '%s\n  "%s": ' "$separator" "$n"
    members native "$(seconds "$n" sh -c "seq $n | xargs -P $n -I{} perl hash.pl")" \
      engine "$(seconds "$n" "$hardmeter" stat --pmu=soft -- sh -c "seq $n | xargs -P $n -I{} perl hash.pl")" \
      report "$(seconds "$n" "$hardmeter" report -i big.data)" \
      diff "$(seconds "$n" "$hardmeter" diff big.data big.data)" \
      page "$(seconds "$n" "$hardmeter" export --format speedscope -i big.data -o page.json)"
    separator=,
  done
  printf '}'
}

progress "the machine"
machine=$(members kernel "$(quoted "$(uname -sr)")" processor "$(quoted "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)")" \
  cpus "$(nproc)" hardmeter "$(quoted "$("$hardmeter" --version)")" date "$(quoted "$(date -u +%Y-%m-%d)")")
doctor=$("$hardmeter" doctor --json)
progress "each event by hardware"
events_json=$(events_of_this_machine)
progress "five programs by hardware and by the models"
agreement_json=$(agreement)
progress "1 to $(nproc) CPUs"
scaling_json=$(scaling)
members machine "$machine" doctor "$doctor" events "$events_json" agreement "$agreement_json" scaling "$scaling_json" >"$work/all.json"
mv "$work/all.json" "$file"
progress "wrote $file"
