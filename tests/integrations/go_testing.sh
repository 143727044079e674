#!/bin/bash
# SPDX-License-Identifier: MIT
# Benchmarks of Go: one row for each, also for those of b.Run, and only the loop is counted. go_testing.sh HARDMETER SOURCE
source=$(realpath -- "$2") harness=go
. "$(dirname "$0")/benchmarks.sh"
has go || exit 77
export GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOCACHE=${GOCACHE:-$work/go-build}
cp -r "$source/integrations/go" go
(cd go && go vet ./... && CGO_ENABLED=0 go test -c -o ../example.test .) >out 2>&1
status=$?
expect "status of go: $(cat out)" 0 $status
program=$work/example.test
expect_lines BenchmarkEveryLine BenchmarkSteps/every_second_line

# Without symbols the engine measures the whole program until its first region, so there is no table.
(cd go && CGO_ENABLED=0 go test -c -ldflags=-s -o ../stripped.test .) >out 2>&1
program=$work/stripped.test
rows >out 2>&1
expect "status of a stripped program" 1 $?
expect_match "its message" '^hardmeter_benchmarks: BenchmarkEveryLine: not only its loop was counted \(collected: all until the first region' "$(cat out)"
program=$work/example.test

# Without hardmeter the benchmarks run as usual.
"$program" -test.bench=. -test.benchtime=3x >out 2>&1
status=$?
expect "natively: $(cat out)" 0 $status
expect_match "Go's result" '^BenchmarkEveryLine.*[[:blank:]]3[[:blank:]].* ns/op' "$(cat out)"
finish
