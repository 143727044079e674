# SPDX-License-Identifier: MIT
# What try_archive.sh runs inside a root, with whatever shell is there: each check prints one line.
hardmeter=/opt/hardmeter/bin/hardmeter
failures=0
cd /tmp/try || exit 1

passed() { echo "  passed: $*"; }
failed() { echo "  FAILED: $*"; failures=$((failures + 1)); }
has() { command -v "$1" >/dev/null; }

# first_screen NAME TEXT PROGRAM...: the first screen has the verdict, and a row that names the program's code.
first_screen() {
  name=$1 text=$2
  shift 2
  began=$(date +%s)
  if ! "$hardmeter" run -o "$name.data" -- "$@" >"$name.out" 2>"$name.err"; then
    failed "run $name: $(tail -n 1 "$name.err")"
  elif ! grep -q '^# memory waits: ' "$name.out"; then
    failed "run $name: no verdict"
  elif ! grep -q " $text" "$name.out"; then
    failed "run $name: no row has $text"
  else
    passed "run $name, at most $(($(date +%s) - began + 1)) s"
  fi
}

"$hardmeter" --version >version || failed "--version"
if "$hardmeter" doctor >doctor 2>&1 && grep -q 'works here' doctor; then passed "doctor"; else failed "doctor: $(tail -n 1 doctor)"; fi

if has gcc; then gcc -g -O1 chase.c -o chase; fi
first_screen C chase ./chase
if has g++; then
  g++ -g -O1 words.cc -o words && first_screen C++ count_words ./words
else
  echo "  not tried: C++ (no compiler)"
fi
if has python3; then first_screen Python python3 python3 lookup.py; else echo "  not tried: Python (not installed)"; fi
if has perl; then first_screen Perl perl perl count.pl; else echo "  not tried: Perl (not installed)"; fi

./chase forever &
target=$!
# Bursts are few on a busy machine.
attached=no
for _ in 1 2 3; do
  "$hardmeter" record -q -p $target --budget 50% -e l1_cache_miss --duration 5s -o attach.data >attach.out 2>&1 &&
    "$hardmeter" report -i attach.data 2>&1 | grep -q ' chase' && attached=yes && break
done
if [ $attached = yes ]; then passed "a running process"; else failed "a running process: $(tail -n 1 attach.out)"; fi
kill -0 $target 2>/dev/null || failed "the running process has ended"
kill $target 2>/dev/null

"$hardmeter" ui --no-browser -i C.data >link 2>ui.err &
server=$!
for _ in $(seq 100); do if [ -s link ] || ! kill -0 $server 2>/dev/null; then break; fi; sleep 0.1; done
if grep -q '127.0.0.1' link; then passed "ui serves"; else failed "ui: $(tail -n 1 ui.err)"; fi
kill $server 2>/dev/null
[ $failures = 0 ]
