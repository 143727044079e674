#!/bin/bash
# SPDX-License-Identifier: MIT
# with_resctrl.sh FILESYSTEM IDS COMMAND...: runs the command with resctrl_filesystem mounted at $RESCTRL, in a private
# mount namespace; $VALUES is the file of the counters' values. Exits with 77 if this is impossible.
set -u
if [ "${HM_OWN_MOUNTS:-}" != 1 ]; then
  if ! unshare --mount --propagation private true 2>/dev/null; then
    echo "SKIPPED: NOT TESTED: no mount namespace can be made here"
    exit 77
  fi
  HM_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0" "$@"
fi
filesystem=$1 ids=$2
shift 2
folder=$(mktemp -d)
chmod 755 "$folder"
export RESCTRL=$folder/resctrl VALUES=$folder/values
mkdir "$RESCTRL"
: >"$VALUES"
"$filesystem" "$RESCTRL" "$ids" 2 "$VALUES" 2>"$folder/said" &
server=$!
finish() {
  umount --lazy "$RESCTRL" 2>/dev/null
  kill "$server" 2>/dev/null
  wait "$server" 2>/dev/null
  rm -rf "$folder"
}
trap finish EXIT
for _ in $(seq 600); do
  [ -e "$RESCTRL/tasks" ] && break
  if ! kill -0 "$server" 2>/dev/null; then
    echo "SKIPPED: NOT TESTED: a FUSE file system cannot be mounted here (is there a /dev/fuse?): $(cat "$folder/said")"
    exit 77
  fi
  sleep 0.1
done
unset HM_OWN_MOUNTS
"$@"
status=$?
left=$(ls "$RESCTRL/mon_groups")
if [ -n "$left" ]; then
  echo "FAILED: groups are left: $left"
  status=1
fi
exit "$status"
