#!/bin/bash
# SPDX-License-Identifier: MIT
# With --reproducible, counts do not depend on the environment, the folder, hash seeds and time: reproducible.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_engine

same() { "$hardmeter" stat --pmu=soft --reproducible "$@"; }
totals() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["totals"])' "$1"; }

if ! same -o said true >out 2>said && grep -q 'lacks instructions' said; then
  skipped "this processor has fewer instructions than x86-64-v3"
  exit 77
fi

# A program that depends on much: hash seeds, temporary names, the time, the number of CPUs, the processor.
cat >asks.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  unsigned long random = 0, device = 0, work = 0;
  struct timespec now;
  if (getrandom(&random, sizeof random, 0) != sizeof random) return 1;
  FILE* file = fopen("/dev/urandom", "rb");
  if (file == NULL || fread(&device, sizeof device, 1, file) != 1) return 2;
  clock_gettime(CLOCK_REALTIME, &now);
  for (unsigned long i = 0; i < random % 100000; ++i) work += i * device;
  for (char** each = environ; *each != NULL; ++each) work += strlen(*each);
  printf("%lx %lx %ld %ld avx2 %d %lu\n", random, device, (long)now.tv_sec, sysconf(_SC_NPROCESSORS_ONLN),
         __builtin_cpu_supports("avx2") != 0, work);
  return 0;
}
C
cc -O1 -o asks asks.c || { skipped "there is no C compiler"; exit 77; }
mkdir folder "another folder with a longer name"
same --json -o first.json ./asks >first.txt || expect "a reproducible run" 0 $?
(cd folder && LONG=$(printf '%*s' 5000 '') USER=somebody same --json -o ../second.json ../asks) >second.txt
(cd "another folder with a longer name" && env -i PATH="$PATH" LC_ALL=C "$hardmeter" stat --pmu=soft --reproducible --json -o ../third.json ../asks) >third.txt
sed 's/ [0-9]*$//' first.txt >expected.txt
for run in second third; do
  sed 's/ [0-9]*$//' $run.txt >found.txt
  expect "what the program sees in the $run run" "$(cat expected.txt)" "$(cat found.txt)"
  expect "counts of the $run run" "$(totals second.json)" "$(totals $run.json)"
done
expect_match "time and CPUs" ' 17040672[0-9][0-9] 1 avx2' "$(cat first.txt)"
same --seed 7 -o said ./asks >seven.txt
expect "random numbers of another seed" different "$(cmp -s expected.txt <(sed 's/ [0-9]*$//' seven.txt) && echo equal || echo different)"
expect_match "what the result says" 'reproducible: x86-64-v3, seed 7' "$(cat said)"

# Interpreters with hash seeds.
count_of() { same -e instr_retired --json -o count.json -- "$@" >out 2>said && totals count.json; }
if command -v perl >where; then
  script='my %h; $h{$_} = 1 for map { "key$_" } 1 .. 2000; print join(",", (keys %h)[0 .. 9]), " ", time, "\n"'
  expect "two runs of perl" "$(count_of perl -e "$script")" "$(USER=x HOME=/tmp count_of perl -e "$script")"
fi

# The machine as files and calls describe it, and limits, whatever those of the user are.
described() {
  (ulimit -S -s 4096 && ulimit -S -n "$1" && same -o said -- sh -c 'cat /proc/cpuinfo /proc/meminfo /proc/loadavg /proc/stat \
    /proc/self/cgroup /sys/kernel/mm/transparent_hugepage/enabled; ulimit -s; ulimit -n; getconf _PHYS_PAGES; getconf _NPROCESSORS_ONLN')
}
described 512 >described.txt
expect_match "the processor" $'model name\t: hardmeter x86-64-v3' "$(cat described.txt)"
expect_match "its features" ' avx2' "$(grep ^flags described.txt)"
expect "the memory" 2097152 "$(tail -2 described.txt | head -1)"
expect "the same for another user" "$(cat described.txt)" "$(described 900)"

expect "the host name" localhost "$(same -o said uname -n)"

# Processors.
expect_match "the processor of v2" 'avx2 0 ' "$("$hardmeter" stat --pmu=soft --reproducible=x86-64-v2 -o said ./asks 2>&1)"
cat >beyond.c <<'C'
int main(void) {
  __asm__ volatile("vpaddd %%ymm0, %%ymm1, %%ymm0" ::: "memory");
  return 0;
}
C
cc -o beyond beyond.c
if grep -qw avx2 /proc/cpuinfo; then
  "$hardmeter" stat --pmu=soft --reproducible=x86-64-v3 -o said ./beyond
  expect "an instruction of the processor" 0 $?
  "$hardmeter" stat --pmu=soft --reproducible=x86-64-v2 -o said ./beyond >out 2>&1
  expect "an instruction that it lacks" 132 $?
fi

# The environment.
expect "variables" "A=b HOME=/ LANG=C.UTF-8 PATH TZ=UTC0 USER=me" \
  "$(USER=me "$hardmeter" stat --pmu=soft --reproducible --env A=b --env USER --env NOSUCH -o said env | sed 's/^PATH=.*/PATH/' | sort | tr '\n' ' ' | sed 's/ $//')"

# Time passes: by instructions, and by sleeping.
cat >sleeps.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}
int main(void) {
  double begin = now(CLOCK_MONOTONIC);
  struct timespec half = {0, 50000000}, until;
  nanosleep(&half, NULL);
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 50000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 100000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  pthread_cond_timedwait(&condition, &mutex, &until);
  double passed = now(CLOCK_MONOTONIC) - begin;
  printf("%s\n", passed >= 0.2 && passed < 0.3 ? "0.2 seconds" : "another time");
  return 0;
}
C
cc -O1 -pthread -o sleeps sleeps.c
began=$(date +%s%N)
expect "time that passes" "0.2 seconds" "$(same -o said ./sleeps)"
expect "real time that passes" yes "$([ $((($(date +%s%N) - began) / 1000000)) -ge 200 ] && echo yes || echo no)"

# Bad input.
refused() {
  local message=$1
  shift
  "$hardmeter" "$@" >out 2>said
  expect "status of $*" 2 $?
  expect_match "$*" "$message" "$(cat said)"
}
refused "no processor 'x86-64-v9'; it has x86-64-v1, x86-64-v2, x86-64-v3, x86-64-v4" stat --pmu=soft --reproducible=x86-64-v9 ./asks
"$hardmeter" record --pmu=soft --reproducible -p $$ >out 2>said
expect "status with a running process" 1 $?
expect_match "a running process" 'not for running processes' "$(cat said)"
"$hardmeter" record -q --pmu=soft --reproducible -e l1_cache_miss -o before.data ./asks >out 2>&1
"$hardmeter" record -q --pmu=soft --reproducible --seed 1 -e l1_cache_miss -o after.data ./asks >out 2>&1
refused 'was measured on x86-64-v3, seed 0 and .* on x86-64-v3, seed 1' diff --fail-above l1_cache_miss:5% before.data after.data
"$hardmeter" diff --save-baseline before.json before.data
refused 'before.json was measured on x86-64-v3, seed 0 and .* on x86-64-v3, seed 1' run -q --pmu=soft --reproducible --seed 1 -e l1_cache_miss --baseline before.json --fail-above l1_cache_miss:5% ./asks
"$hardmeter" record -q --pmu=soft --reproducible -e l1_cache_miss -o again.data ./asks >out 2>&1
"$hardmeter" diff --fail-above l1_cache_miss:0% before.data again.data >out 2>&1
expect "the gate on the same program" 0 $?
finish
