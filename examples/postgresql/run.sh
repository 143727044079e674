#!/bin/bash
# SPDX-License-Identifier: MIT
# Starts PostgreSQL, lets pgbench work on it, and stops it: a load to be profiled with all its processes, as in
#   hardmeter record -b call,ret -o pg.data -- examples/postgresql/run.sh [CLUSTER]
# CLUSTER is a folder for the data; where it holds no cluster one is made, so a run without hardmeter leaves one that
# is ready. Without CLUSTER there is a temporary one.
# PGBENCH_SCALE, PGBENCH_CLIENTS, PGBENCH_TRANSACTIONS (of each client) and PGBENCH_PROTOCOL change the load.
set -eu

scale=${PGBENCH_SCALE:-1}
clients=${PGBENCH_CLIENTS:-4}
transactions=${PGBENCH_TRANSACTIONS:-100}
protocol=${PGBENCH_PROTOCOL:-simple}

# The server refuses to run as root. Set-uid programs (su, sudo) cannot be profiled; setpriv is none.
if [ "$(id -u)" -eq 0 ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cp "$0" "$work/run.sh"
  [ $# -eq 0 ] || { mkdir -p "$1"; chown -R postgres: "$1"; set -- "$(realpath "$1")"; }
  chown -R postgres: "$work"
  cd "$work"
  setpriv --reuid=postgres --regid=postgres --init-groups env HOME="$work" bash "$work/run.sh" "$@"
  exit
fi

bin=$(pg_config --bindir 2>/dev/null || true)
if [ ! -x "$bin/postgres" ]; then
  bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
fi
[ -x "$bin/postgres" ] || { echo "there is no PostgreSQL server; apt install postgresql-15 brings it" >&2; exit 1; }

work=$(mktemp -d)
server=
cleanup() {
  [ -z "$server" ] || kill -INT "$server" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap cleanup EXIT
cluster=${1:-$work/cluster}

if [ ! -e "$cluster/PG_VERSION" ]; then
  "$bin/initdb" --pgdata="$cluster" --username=bench --auth=trust --no-sync --no-locale --encoding=UTF8 >"$work/initdb.log"
fi

# Everything is far slower under a software PMU: no timeout may be short, and nothing is done on the side.
"$bin/postgres" -D "$cluster" -k "$work" -h '' -c fsync=off -c jit=off -c autovacuum=off \
  -c authentication_timeout=600s -c checkpoint_timeout=1h -c wal_receiver_timeout=0 -c max_parallel_workers=0 \
  >"$work/server.log" 2>&1 &
server=$!

export PGHOST=$work PGUSER=bench PGDATABASE=postgres PGCONNECT_TIMEOUT=600
for _ in $(seq 1200); do
  if [ -S "$work/.s.PGSQL.5432" ] && grep -q 'ready to accept connections' "$work/server.log"; then break; fi
  kill -0 "$server" || { cat "$work/server.log" >&2; exit 1; }
  sleep 0.5
done

"$bin/pgbench" --initialize --scale="$scale" --quiet
"$bin/pgbench" --client="$clients" --transactions="$transactions" --protocol="$protocol" --no-vacuum

kill -INT "$server"  # fast shutdown
wait "$server"
server=
