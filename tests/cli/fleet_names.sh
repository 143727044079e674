#!/bin/bash
# SPDX-License-Identifier: MIT
# A store with unnamed addresses, as of stripped programs. The reader names functions and lines by build-id, from
# folders of debug files and from a local debuginfod of Debian. $2: put_batches.
. "$(dirname "$0")/common.sh"
put_batches=$2
for needed in gcc objcopy nm readelf python3; do
  command -v $needed >/dev/null || { echo "skipped: there is no $needed" >&2; exit 77; }
done
unset DEBUGINFOD_URLS
export DEBUGINFOD_CACHE_PATH=$work/cache no_proxy=127.0.0.1

# A program of two functions, stripped. Its debug file is at the server; the program is not here.
mkdir served
cat >program.c <<'C'
int table[1024];
__attribute__((noinline)) int look_up(int key) {
  return table[key % 1024] * 3 + table[(key + 7) % 1024];
}
__attribute__((noinline)) int scan(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += table[i];
  return sum;
}
int main(int count, char **words) { return look_up(count) + scan(count); }
C
gcc -g -O1 -Wl,--build-id -o program program.c
build=$(readelf -n program | sed -n 's/.*Build ID: //p')
look_up=$((0x$(nm program | sed -n 's/ T look_up//p'))) scan=$((0x$(nm program | sed -n 's/ T scan//p')))
objcopy --only-keep-debug program served/program.debug
rm program

# Three measurements: two instructions of look_up, one of scan, one of an unknown build, and scan once more by name.
python3 - "$build" $look_up $scan <<'P'
import json, sys
build, look_up, scan = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(3):
    def row(total, place, samples):
        return ["db", "aa11", "l1_cache_miss", "hardware", "instructions", total, *place, "", "", samples, samples * 100.0, 1e6]
    rows = [row(True, ["", "", 0, "", "", 0], 100)]
    for offset, samples in ((look_up, 30), (look_up + 4, 20 + number), (scan, 10)):
        rows.append(row(False, [build, "program", offset, f"[program+{offset:#x}]", "", 0], samples))
    rows.append(row(False, [build, "program", 1, "scan", "elsewhere.c", 5], 15))
    rows.append(row(False, ["0123456789abcdef", "other", 4096, "", "", 0], 5))
    with open(f"{number}.batch", "w") as out:
        print(json.dumps({"format": 1, "batch": f"b{number}", "host": "one", "time": 1700000000 + number}), file=out)
        for each in rows:
            print(json.dumps(each), file=out)
        print(json.dumps({"rows": len(rows)}), file=out)
P
"$put_batches" store ./*.batch || exit 1
report=("$hardmeter" report --store store --service db)

# Without any debug file rows show their addresses, and the head gives the reason.
said=$("${report[@]}")
expect_match "nothing is named" "^# 4 of 4 places that came without have no name: no debug files of builds 0123456789ab, ${build:0:12} here, and DEBUGINFOD_URLS is not set" "$said"
expect_match "a place without a name" '\[program\+0x[0-9a-f]+\] +program' "$said"
expect "a report by module looks for no names" "" "$("${report[@]}" --sort module | grep 'no name')"
expect "nor one of services" "" "$("$hardmeter" report --store store | grep 'no name')"

named() {
  expect_match "$1: one function is one row" '^51\.0% +153 .* look_up +program' "$(sed -n 5p <<<"$2")"
  expect_match "$1: a named one takes the unnamed" '^25\.0% +75 .* scan +program' "$2"
  expect_match "$1: what has no name" '^# 1 of 4 places that came without have no name: no debug file of build 0123456789ab here' "$2"
}

command -v debuginfod >/dev/null || { skipped "names from a server: there is no debuginfod"; finish; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
debuginfod -F -d :memory: -p "$port" served >server.log 2>&1 &
server=$!
trap '{ kill $server; wait; } 2>/dev/null; rm -rf "$work"' EXIT
export DEBUGINFOD_URLS=http://127.0.0.1:$port
has_scanned() {
  python3 -c "import urllib.request as r; r.urlopen('$DEBUGINFOD_URLS/buildid/$build/debuginfo').read()"
}
wait_until has_scanned || { cat server.log; finish; }
said=$("${report[@]}" --sort function)
named "from a server" "$said"
expect_match "JSON" '"unnamed": 1,' "$("${report[@]}" --json)"
said=$("${report[@]}" --sort line)
expect_match "a line" 'program\.c +3 +look_up +program' "$said"
expect_match "another line" 'elsewhere\.c +5 +scan +program' "$said"
expect_match "one function" ' 153 .*look_up' "$("${report[@]}" -S look_up)"
expect_match "a comparison" 'look_up +program' "$("$hardmeter" diff --store store --service db --build aa..aa11)"
kill $server
wait $server 2>/dev/null
named "from what was fetched before" "$("${report[@]}")"

# An unreachable server is reported once, without further errors.
rm -rf cache
said=$("${report[@]}")
expect_match "the server is away" '^# problem: debug files could not be downloaded from DEBUGINFOD_URLS' "$said"
expect_match "its rows are there all the same" '\[program\+0x' "$said"
finish
