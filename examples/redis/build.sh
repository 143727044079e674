#!/bin/bash
# SPDX-License-Identifier: MIT
# Redis from Debian's source, with two lines around the loading of its data, and a million users to load:
#   examples/redis/build.sh FOLDER
# leaves FOLDER/redis (the source, built), FOLDER/redis.conf and FOLDER/dump.rdb. docs/guide.md goes on from there.
# libhardmeter is found by pkg-config; PKG_CONFIG_PATH says where it is if it is not in the usual place.
set -eu

here=$(dirname "$(realpath "$0")")
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
pkg-config --exists hardmeter ||
  { echo "libhardmeter is not installed; make install does that, or the packages of make packages" >&2; exit 1; }
command -v dpkg-source >/dev/null || { echo "there is no dpkg-source; apt install dpkg-dev brings it" >&2; exit 1; }
mkdir -p "$1"
cd "$1"

# apt with lists of its own: nothing of the system is changed, and no root is needed.
fetch() {
  mkdir -p apt/lists/partial apt/cache/archives/partial apt/sources
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $file in
      *.list) [ ! -e "$file" ] || sed -n 's/^deb \(.*\)/deb-src \1/p' "$file" >>apt/sources/source.list ;;
      *.sources) [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"apt/sources/${file##*/}" ;;
    esac
  done
  local apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$PWD/apt/sources"
    -o Dir::State::lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3)
  { "${apt[@]}" update && "${apt[@]}" source redis >apt/source.log; } ||
    { echo "Redis's source cannot be fetched; what apt-get says is above" >&2; exit 1; }
  mv redis-*/ redis
  rm -rf apt
}

[ -d redis ] || fetch
grep -q hardmeter_start redis/src/server.c || sed -i -f "$here/measure.sed" redis/src/server.c

# Redis remembers these for the next make. Libraries stand in front of its objects on its linker's command line.
libraries="-Wl,--no-as-needed $(pkg-config --libs hardmeter) -Wl,-rpath,$(pkg-config --variable=libdir hardmeter)"
make -s -j"$(nproc)" -C redis/src MALLOC=libc BUILD_TLS=no REDIS_CFLAGS="$(pkg-config --cflags hardmeter)" \
  REDIS_LDFLAGS="$libraries" redis-server redis-cli >make.log 2>&1 || { tail -n 5 make.log >&2; exit 1; }

printf '%s\n' 'port 0' "unixsocket $PWD/socket" "dir $PWD" "logfile $PWD/server.log" 'save ""' >redis.conf
if [ ! -e dump.rdb ]; then
  rm -f server.log
  HARDMETERRC=/dev/null redis/src/redis-server redis.conf &
  until grep -qs 'ready to accept connections' server.log; do kill -0 $!; sleep 0.1; done
  redis/src/redis-cli -s socket eval "for i = 1, 1000000 do
    redis.call('hset', 'user:' .. i, 'name', 'name' .. i, 'mail', 'mail' .. i .. '@example.org', 'visits', i % 97) end" 0 >client.log
  redis/src/redis-cli -s socket shutdown save >>client.log
  wait
fi
