#!/bin/bash
# SPDX-License-Identifier: MIT
# Starts a Redis of build.sh, waits until its data are loaded, says how long that took, and shuts it down:
#   examples/redis/load.sh SOURCE [COMMAND...]
# SOURCE is FOLDER/redis, or a changed copy beside it. COMMAND starts the server, if there is one: hardmeter run --
set -eu

[ $# -ge 1 ] || { echo "usage: $0 SOURCE [COMMAND...]" >&2; exit 2; }
source=$(realpath "$1")
folder=$(dirname "$source")
shift
rm -f "$folder/server.log"
"$@" "$source/src/redis-server" "$folder/redis.conf" &
until grep -qs 'ready to accept connections' "$folder/server.log"; do
  kill -0 $! 2>/dev/null || { echo "the server ended: $folder/server.log says why" >&2; exit 1; }
  sleep 0.1
done
grep -o 'DB loaded.*' "$folder/server.log" >&2
"$source/src/redis-cli" -s "$folder/socket" shutdown nosave
wait
