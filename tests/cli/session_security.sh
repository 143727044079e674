#!/bin/bash
# SPDX-License-Identifier: MIT
# Access to the session's folder: other users can neither open nor find the memory that a recorder shares with its
# programs. Programs that change their user still can.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || {
  skipped "only root can become another user, with setpriv"
  exit 77
}
other="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 711 "$work"

# session_folder PROCESS: prints a recorder's folder, as root sees it; outer/inner.
session_folder() { ls -l "/proc/$1/fd" 2>/dev/null | grep -oE '/[^ ]*/hardmeter-[^/]{6}/[0-9a-f]{32}' | head -1; }
has_session() { [ -n "$(session_folder "$1")" ]; }

cat >wait_for_end.sh <<'S'
: >begun
until [ -e end ]; do sleep 0.1; done
echo finished >>said_by_program
S
chmod 777 .

for engine in $engines; do
  rm -f begun end said_by_program
  "$hardmeter" stat --engine=$engine -o /dev/null -- sh wait_for_end.sh >said 2>&1 &
  recorder=$!
  wait_until test -e begun
  wait_until has_session $recorder
  inner=$(session_folder $recorder)
  outer=$(dirname "$inner")
  expect "$engine: mode of the folder that all see" 711 "$(stat -c %a "$outer")"
  expect "$engine: mode of the folder within" 1733 "$(stat -c %a "$inner")"
  expect "$engine: another user lists it" "" "$($other ls "$outer" 2>/dev/null)"
  expect "$engine: another user finds the session" "" "$($other sh -c "cat $outer/session $outer/*/session" 2>/dev/null | head -c 8)"
  # Everything that another user can read in /proc: command lines, environments, mappings, links of descriptors and
  # mappings.
  secret=$(basename "$inner")
  $other sh -c 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ /proc/[0-9]*/maps /proc/[0-9]*/comm /proc/locks;
    ls -l /proc/[0-9]*/fd /proc/[0-9]*/map_files /proc/[0-9]*/cwd /proc/[0-9]*/exe' >readable 2>/dev/null
  expect "$engine: the secret name where another user can read" 0 "$(grep -ac "$secret" readable)"
  # For comparison: root finds the folder.
  expect_match "$engine: as root sees it" "$secret" "$(ls -l /proc/[0-9]*/fd 2>/dev/null)"
  : >end
  end_of $recorder
  expect "$engine: status" 0 $?
  expect "$engine: the program" finished "$(cat said_by_program)"
  expect "$engine: the folder afterwards" "" "$(ls -d "$outer" 2>/dev/null)"

  # Programs are measured across a change of the user, and an exec after it.
  said=$("$hardmeter" stat --engine=$engine -- $other sh -c '/bin/echo changed; /bin/true' 2>&1)
  expect_match "$engine: the program of another user" '^changed' "$said"
  expect_match "$engine: how many are measured" '(^|[^0-9])[3-9] processes' "$said"
  expect "$engine: unmeasured" "" "$(grep -i 'without being recorded\|unmeasured\|could not be counted' <<<"$said")"
done
has_valgrind_engine "a session's folder in a program's environment" &&
  expect "the session in the environment of a program in the Valgrind engine" "" \
    "$("$hardmeter" stat --engine=valgrind -o /dev/null -- env 2>/dev/null | grep -aE '/hardmeter-[^/]{6}/[0-9a-f]{32}')"

# The next recording removes folders of killed recorders: of this layout, and of earlier versions.
memory=$(dirname "$outer")
rm -f begun end
"$hardmeter" stat -o /dev/null -- sh wait_for_end.sh >said 2>&1 &
recorder=$!
wait_until test -e begun
left=$(dirname "$(session_folder $recorder)")
kill -KILL $recorder
wait $recorder 2>/dev/null
: >end
old=$(mktemp -d "$memory/hardmeter-XXXXXX")
truncate -s 1M "$old/session"
# Files of other users are left alone, and nothing is removed through a link.
victim=$(mktemp -d "$memory/victim-XXXXXX")
truncate -s 1M "$victim/session"
ln -s "$victim" "$memory/hardmeter-$$-link"
made=$(mktemp -d "$memory/made-XXXXXX")
truncate -s 1M "$made/session"
chown -R 65534:65534 "$made"
theirs=$memory/hardmeter-$$-theirs
mv "$made" "$theirs"
fifo=$(mktemp -d "$memory/hardmeter-XXXXXX")
mkfifo "$fifo/session"
trap 'rm -rf "$work" "$old" "$victim" "$memory/hardmeter-$$-link" "$theirs" "$fifo"' EXIT
timeout 60 "$hardmeter" stat -o /dev/null -- true >said 2>&1
expect "status beside strange folders" 0 $?
expect "a killed recorder's folder" "" "$(ls -d "$left" 2>/dev/null)"
expect "a killed recorder's folder of an earlier version" "" "$(ls -d "$old" 2>/dev/null)"
expect "behind a link" session "$(ls "$victim")"
expect "another user's" session "$(ls "$theirs")"
finish
