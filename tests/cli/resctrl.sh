# SPDX-License-Identifier: MIT
# Functions for the tests of `hardmeter llc`: a file system that behaves as the kernel's resctrl (tests/rdt/), in a
# private mount namespace. Sourced first: the script runs itself again in this namespace.
if [ -z "${HM_HAS_OWN_MOUNTS:-}" ]; then
  if ! unshare --mount --propagation private true 2>/dev/null; then
    echo "SKIPPED: no mount namespace can be made here"
    exit 77
  fi
  HM_HAS_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0" "$@"
fi
resctrl_filesystem=$(dirname "$1")/resctrl_filesystem
. "$(dirname "$0")/common.sh"
chmod 755 "$work"
started=()  # processes that end with the script
lives_with_parent='setpriv --pdeathsig KILL'  # prefix of a command that such a process starts

# Without the shell's messages about their end.
end_all() {
  for mounted in "$work"/*/tasks; do umount -l "${mounted%/tasks}" 2>/dev/null; done
  kill -KILL "${started[@]}" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work"
}
trap end_all EXIT

# starts COMMAND...: starts a background process, with its number in $!. Children of shells ignore SIGINT in the
# background; this process does not.
starts() {
  env --default-signal=INT "$@" &
  started+=($!)
}

# mounts FOLDER IDS DOMAINS: mounts the file system in $work; fails if FUSE does not work.
mounts() {
  mkdir "$1"
  : >"$1.values"
  "$resctrl_filesystem" "$work/$1" "$2" "$3" "$work/$1.values" 2>"$1.said" &
  local server=$!
  started+=($server)
  while ! [ -e "$1/tasks" ]; do
    kill -0 $server 2>/dev/null || return 1
    sleep 0.05
  done
}

# counters FOLDER LINE...: sets the values of its counters (tests/rdt/filesystem/counters.h). Each version has another
# size, so the file server notices the change.
versions=
counters() {
  local folder=$1
  shift
  versions+=x
  { printf '%s\n' "$@"; echo "version $versions"; } >"$folder.new"
  mv "$folder.new" "$folder.values"
}

# ours FOLDER: prints hardmeter's groups there.
ours() { (cd "$1" && find . -name 'hardmeter-*' -path '*mon_groups/hardmeter-*' -prune | sort); }
has_ours() { [ -n "$(ours "$1")" ]; }
has_none_of_ours() { [ -z "$(ours "$1")" ]; }

# holds GROUP PROCESS...: all processes are in that group; GROUP may be a pattern.
holds() {
  local group=$1 process
  shift
  for process in "$@"; do cat $group/tasks 2>/dev/null | grep -qx "$process" || return 1; done
}

# is FILE EXPRESSION: evaluates an expression of the last snapshot `s` in a file of JSON lines.
is() {
  local found
  found=$(python3 -c 'import json, sys
s = json.loads(open(sys.argv[1]).read().splitlines()[-1])
rows = s["rows"]
print(eval(sys.argv[2]))' "$1" "$2" 2>&1)
  expect "$2" True "$found"
}
none_is_left() { expect "groups of ours after $1" "" "$(ours "${2:-resctrl}")"; }

# one_sentence STATUS REGEX WORDS...: the command prints only this sentence, on standard error.
one_sentence() {
  local status=$1 regex=$2
  shift 2
  "$@" >printed 2>said
  expect "status of $*" "$status" $?
  expect "standard output of $*" "" "$(cat printed)"
  expect "lines that $* says" 1 "$(wc -l <said)"
  expect_match "what $* says" "$regex" "$(cat said)"
}
