#!/bin/bash
# SPDX-License-Identifier: MIT
# A fleet in small, on this machine: run.sh HARDMETER [SECONDS]
# Two ClickHouse servers are a store, three agents measure, a service runs in two releases. After SECONDS (30) it
# prints what the store knows, then serves the page until Ctrl-C; where SECONDS are given it ends before the page.
set -eu
hardmeter=$1
seconds=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
processes=()
cleanup() {
  kill "${processes[@]}" 2>/dev/null || true
  wait "${processes[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

say() { printf '\n# %s\n' "$*"; }

# Ports that nobody listens at: servers are asked for them by number.
free_ports() {
  python3 - <<'PYTHON'
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
print(*(s.getsockname()[1] for s in sockets))
PYTHON
}

# shard NUMBER HTTP_PORT TCP_PORT: a server of two, with its data in $work.
shard() {
  local folder=$work/shard$1
  mkdir "$folder"
  cat >"$folder/config.xml" <<XML
<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>$folder/log</log><errorlog>$folder/errors</errorlog></logger>
  <http_port>$2</http_port><tcp_port>$3</tcp_port><listen_host>127.0.0.1</listen_host>
  <path>$folder/data/</path><tmp_path>$folder/tmp/</tmp_path><users_config>users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size>
  <remote_servers><fleet>
    <shard><replica><host>127.0.0.1</host><port>${tcp[0]}</port></replica></shard>
    <shard><replica><host>127.0.0.1</host><port>${tcp[1]}</port></replica></shard>
  </fleet></remote_servers>
</yandex>
XML
  cat >"$folder/users.xml" <<'XML'
<?xml version="1.0"?>
<yandex><profiles><default/></profiles><quotas><default/></quotas>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota></default></users></yandex>
XML
  clickhouse-server --config-file="$folder/config.xml" >"$folder/out" 2>&1 &
  processes+=($!)
}

if command -v clickhouse-server >/dev/null && command -v python3 >/dev/null; then
  read -r -a ports <<<"$(free_ports)"
  tcp=("${ports[2]}" "${ports[3]}")
  shard 1 "${ports[0]}" "${tcp[0]}"
  shard 2 "${ports[1]}" "${tcp[1]}"
  store="http://127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/hardmeter?cluster=fleet"
  say "two ClickHouse servers: $store"
  for _ in $(seq 100); do
    "$hardmeter" store init --store "$store" 2>"$work/said" && break
    sleep 0.2
  done
else
  store=$work/store
  say "there is no clickhouse-server here: the store is SQLite in $store"
  "$hardmeter" store init --store "$store" 2>"$work/said" || true
fi
"$hardmeter" store status --store "$store" || { cat "$work/said" >&2; exit 1; }

for release in 1 2; do
  mkdir "$work/release$release"
  cc -O1 -g -DRELEASE=$release -Wl,--build-id -o "$work/release$release/shop" "$here/shop.c"
  "$work/release$release/shop" &
  processes+=($!)
done
build_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
before=$(build_of "$work/release1/shop") after=$(build_of "$work/release2/shop")

say "three agents (each measures this machine, and may cost 30 % of a CPU)"
for host in alpha beta gamma; do
  "$hardmeter" agent --store "$store" --folder "$work/$host" --host-name $host --window 2s --budget 30% \
    2>"$work/$host.log" &
  processes+=($!)
done
agent=$!
for _ in $(seq "${seconds:-30}"); do
  sleep 1
  if ! kill -0 $agent 2>/dev/null; then
    cat "$work/gamma.log" >&2
    exit 1
  fi
done

show() {
  printf '\n$ hardmeter %s\n' "$*" | sed "s#$store#STORE#g"
  "$hardmeter" "$@"
}
show store status --store "$store"
show report --store "$store" --limit 5
show report --store "$store" --service shop --sort line --limit 5
show diff --store "$store" --service shop --build "${before:0:8}..${after:0:8}" --limit 5

[ -z "$seconds" ] || exit 0
say "the page; Ctrl-C ends all of it"
"$hardmeter" ui --store "$store" --no-browser
