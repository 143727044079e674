#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs in common languages, and servers. Under the software PMU they print the same as natively, and their samples
# name their functions: languages.sh HARDMETER PROGRAMS SOURCE
. "$(dirname "$0")/common.sh"
source=$3/examples/first-hour

# same WHAT COMMAND...: checks that output and status are as natively; standard input is a text.
same() {
  local what=$1 native found
  shift
  native=$("$@" <text 2>/dev/null; echo "status $?")
  found=$("$hardmeter" record --pmu=soft -q -e l1_cache_miss -o "$what.data" -- "$@" <text 2>said; echo "status $?")
  expect "$what" "$native" "$found"
  expect "messages about $what" "" "$(cat said)"
  expect_samples "$what.data"
}
# advises WHAT REGEX: checks the explanations of the places with the most samples.
advises() { expect_match "advice on $1" "$2" "$("$hardmeter" explain -i "$1.data" --limit 0)"; }
# misses COMMAND...: prints the number of L1 misses.
misses() {
  "$hardmeter" stat --pmu=soft --json -o counts.json -e l1_cache_miss -- "$@" >/dev/null
  /usr/bin/python3 -c 'import json; print(json.load(open("counts.json"))["totals"]["l1_cache_miss"])'
}
# twins NAME PERCENT PROGRAM...: with the argument `mended`, the program has at most so many percent of the misses.
twins() {
  local name=$1 most=$2 slow mended
  shift 2
  same "$name" "$@"
  slow=$(misses "$@") mended=$(misses "$@" mended)
  [ $((100 * mended)) -le $((most * slow)) ] || expect "misses of $name mended, at most $most % of $slow" "fewer" "$mended"
}
# names WHAT REGEX: checks the functions with the most samples.
names() { expect_match "functions of $1" "$2" "$("$hardmeter" report -i "$1.data" --limit 12)"; }

cat /usr/share/common-licenses/GPL-3 >text

if has g++; then
  same compiler g++ -O2 -g -o words "$source/words.cc"
  names compiler 'cc1plus'
  same words ./words
  names words '(main|_Rb_tree|memcmp).*(words|libc)'
fi
if [ -x /usr/bin/python3 ]; then
  same python /usr/bin/python3 "$source/records.py"
  expect_match "what Python's samples lack" '^# note: .*_PyEval_EvalFrameDefault' "$("$hardmeter" report -i python.data)"
  numbers=$3/examples/boxed_numbers/boxed_numbers.py
  same numbers /usr/bin/python3 "$numbers"
  advises numbers 'pattern  boxed_objects: .*array\.array'
  advises numbers 'basis    the code is of the Python interpreter, .*; the object that it reads is not known'
  boxed=$(misses /usr/bin/python3 "$numbers") array=$(misses /usr/bin/python3 "$numbers" mended)
  [ $((3 * array)) -le $((2 * boxed)) ] || expect "misses of an array, at most two thirds of $boxed" "fewer" "$array"
else
  skipped "there is no /usr/bin/python3 here"
fi
if has node; then
  same node node "$source/objects.js"
  expect_match "how node gives names" '^# note: .*--perf-basic-prof.*--jit-names' "$("$hardmeter" report -i node.data)"
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss --jit-names -o named.data -- node "$source/objects.js" >/dev/null
  advises named 'pattern  boxed_objects: a typed array'
  names named ' (JS:)?[~*^]?total .*perf-[0-9]+\.map'
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss -g -o dumped.data -- node --perf-prof "$source/objects.js" >/dev/null
  names dumped ' (JS:)?[~*^]?total .*jit-[0-9]+\.dump'
  expect_match "code that node compiled" '(mov|cmp|add|lea|test)[a-z]* +' "$("$hardmeter" annotate -i dumped.data -S 'JS:*total*')"
  expect_match "callers across node's code" 'node::Start' "$("$hardmeter" report -g -i dumped.data --limit 2)"
  twins object_array 50 node "$3/examples/object_array/object_array.js"
fi
if has javac java; then
  javac -d . "$3/examples/boxed_collection/BoxedCollection.java" "$source/Lists.java" >javac.out 2>&1
  status=$?
  expect "status of javac: $(tail -n 5 javac.out)" 0 "$status"
  twins boxed_collection 50 java -XX:+UseSerialGC -cp . BoxedCollection
  same java java -XX:+UseSerialGC -cp . Lists
  "$hardmeter" record --pmu=soft -q -e l1_cache_miss --jit-names -o named.data -- java -cp . Lists >java.out 2>&1
  status=$?
  expect "status of java: $(tail -n 5 java.out)" 0 "$status"
  expect_match "java's result" '^44999850000$' "$(cat java.out)"
  advises named 'basis    the code is in java\.util\.HashMap'
  names named 'HashMap\..* perf-[0-9]+\.map'
fi
if has go; then
  go build -o tree "$source/tree.go" 2>said || expect "go build" "success" "$(cat said)"
  same go ./tree
  names go 'main\.(insert|depth|main)'
  go build -o pointer_slice "$3/examples/pointer_slice/pointer_slice.go" 2>said || expect "go build" "success" "$(cat said)"
  twins pointer_slice 80 ./pointer_slice
  advises pointer_slice 'pattern  boxed_objects: slices and maps of values'
fi
if has rustc; then
  rustc -O -g -o table "$source/table.rs" 2>said || expect "rustc" "success" "$(cat said)"
  same rust ./table
  names rust 'table'
fi
if has git; then
  git init -q repository
  for i in $(seq 20); do cp text "repository/$i"; done
  git -C repository add . && git -C repository -c user.name=a -c user.email=a@b commit -qm first
  same git git -C repository log --stat
fi
if has redis-server; then
  same redis sh -c 'redis-server --port 0 --unixsocket redis.sock --save "" --daemonize no >redis.log & while [ ! -S redis.sock ]; do sleep 0.1; done
    redis-cli -s redis.sock eval "for i = 1, 20000 do redis.call(\"set\", i, i) end return redis.call(\"dbsize\")" 0
    redis-cli -s redis.sock shutdown; wait'
  names redis 'redis-(server|check-rdb)'
fi
if has nginx curl; then
  cat >nginx.conf <<C
daemon off; master_process off; pid nginx.pid; error_log stderr;
events {}
http { access_log off; server { listen unix:$PWD/nginx.sock; location / { root $PWD; } } }
C
  same nginx sh -c 'nginx -p "$PWD" -c nginx.conf 2>nginx.log & while [ ! -S nginx.sock ]; do sleep 0.1; done
    for i in $(seq 50); do curl -s --unix-socket nginx.sock http://localhost/text | cksum; done
    kill -QUIT $(cat nginx.pid); wait'
  names nginx 'nginx|curl|ld-linux'
fi
finish
