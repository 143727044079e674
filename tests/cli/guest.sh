#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs in a guest under QEMU: they print and end as they do here, and their kernel is counted, too.
# guest.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
programs=$2

# Bad input: one sentence each, whatever is installed.
"$hardmeter" record --pmu=guest -g -o recording -- true >out 2>said; status=$?
expect "record -g: status" true "$([ $status -ne 0 ] && echo true)"
expect_match "record -g" "does not find callers|needs QEMU|no kernel for the guest" "$(cat said)"
expect "record -g: nothing is left" "" "$(ls recording 2>/dev/null)"

version=$(qemu-system-x86_64 --version 2>/dev/null | sed -n 's/^QEMU emulator version \([0-9]*\).*/\1/p')
if [ "${version:-0}" -lt 10 ]; then
  skipped "a guest needs QEMU 10; this is ${version:-none} (docs/kernel.md)"
  finish
fi
"$hardmeter" stat --pmu=guest --guest-kernel /etc/passwd -- true >out 2>said; status=$?
expect_match "a file that is no kernel" "/etc/passwd is no Linux kernel for x86" "$(cat said)"

export XDG_CACHE_HOME=$PWD/cache
kernel=${HARDMETER_GUEST_KERNEL:-}
if ! "$hardmeter" stat --pmu=guest ${kernel:+--guest-kernel "$kernel"} -o counted -- true >out 2>said </dev/null; then
  if grep -q "no kernel for the guest" said; then
    skipped "there is no kernel for a guest (docs/kernel.md, or HARDMETER_GUEST_KERNEL)"
    finish
  fi
fi
guest() { timeout 300 "$hardmeter" stat --pmu=guest ${kernel:+--guest-kernel "$kernel"} --cpu zen4 "$@" </dev/null; }
count_of() { awk -v event="$2" '$1 == event { gsub(",", "", $2); print $2 }' "$1"; }

# A guest that has booted is saved; later ones continue it, with a clock and random numbers of their own.
snapshots() { ls -i "$XDG_CACHE_HOME/hardmeter" 2>/dev/null; }
show='date +%s; head -c 16 /dev/urandom | od -An -tx8'
guest -o counted -- sh -c "$show" >first 2>said
saved=$(snapshots)
expect_match "the guest is saved: $(cat said)" "^[0-9]+ guest-[0-9a-f]+$" "$saved"
guest -o counted -- sh -c "$show" >second 2>said
expect "the saved guest is continued" "$saved" "$(snapshots)"
late=$(($(date +%s) - $(head -1 second)))
expect "its clock, $late s late" true "$([ $late -ge 0 ] && [ $late -le 60 ] && echo true)"
expect "its random numbers" 2 "$(tail -qn 1 first second | sort -u | wc -l)"
truncate -s 1M "$XDG_CACHE_HOME"/hardmeter/guest-*/state
guest -o counted -- echo word >out 2>said; status=$?
expect "a damaged one: status $status, $(cat said)" word "$(cat out)"
expect "a damaged one is replaced" true "$([ "$(stat -c %s "$XDG_CACHE_HOME"/hardmeter/guest-*/state)" -gt 1048576 ] && echo true)"
chmod g+w "$XDG_CACHE_HOME"/hardmeter/guest-*
saved=$(snapshots)
guest -o counted -- echo word >out 2>said
expect "one that others may change is not used" true "$([ "$saved" != "$(snapshots)" ] && echo true)"
rm -r "$XDG_CACHE_HOME"
guest --guest-boot -o counted -- echo word >out 2>said
expect "--guest-boot: $(cat said)" word "$(cat out)"
expect "--guest-boot saves nothing" "" "$(snapshots)"
XDG_CACHE_HOME=/proc guest -o counted -- echo word >out 2>said
expect "no place for it: $(cat said)" word "$(cat out)"

guest -o counted -- sh -c 'echo "out $PWD $VARIABLE"; echo problem >&2; id -u; exit 7' >out 2>said; status=$?
expect "status" 7 "$status"
expect "output" "out $PWD 
$(id -u)" "$(cat out)"
expect_match "errors" "problem" "$(cat said)"
VARIABLE=word guest -o counted -- sh -c 'echo "$VARIABLE"; echo changed >written; cat written' >out 2>said
expect "environment, and files" "word
changed" "$(cat out)"
expect "this machine's files stay as they were" "" "$(ls written 2>/dev/null)"
seq 1 100000 >numbers
for from in file pipe; do
  if [ $from = file ]; then
    timeout 300 "$hardmeter" stat --pmu=guest ${kernel:+--guest-kernel "$kernel"} -o counted -- md5sum <numbers >out 2>said
  else
    cat numbers | timeout 300 "$hardmeter" stat --pmu=guest ${kernel:+--guest-kernel "$kernel"} -o counted -- md5sum >out 2>said
  fi
  expect "standard input from a $from: $(cat said)" "$(md5sum <numbers)" "$(cat out)"
done
yes | timeout 300 "$hardmeter" stat --pmu=guest ${kernel:+--guest-kernel "$kernel"} -o counted -- head -n 1 >out 2>said; status=$?
expect "input that is not read: status" 0 "$status"
expect "input that is not read" y "$(cat out)"

guest -o counted -- sh -c 'sleep 1000 & echo left' >out 2>said; status=$?
expect "a process left behind: status" 0 "$status"
expect "a process left behind" left "$(cat out)"
script -qec "$tool stat --pmu=guest ${kernel:+--guest-kernel $kernel} --guest-cpus 2 -o counted -- echo word" /dev/null >out 2>said </dev/null
expect_match "on a terminal, with two CPUs: $(cat said)" "^word" "$(cat out)"
guest --guest-memory 32 -o counted -- true >out 2>said; status=$?
expect "no room for the kernel: status" 1 "$status"
expect_match "no room for the kernel" "nothing was measured: the guest ended before its program did" "$(cat said)"

# The kernel's part: reading 8 MiB copies 2^17 lines to the program's buffer, with loads and stores of 8 bytes
# or more, and the program itself touches nothing of it.
seq 1 1500000 | head -c 8M >data
cat data >/dev/null
guest -k -e memory_loads,memory_stores,l1_cache_miss -o kernel -- dd if=data of=/dev/null bs=64k >out 2>said
guest -u -e memory_loads,memory_stores,l1_cache_miss -o user -- dd if=data of=/dev/null bs=64k >out 2>said
expect "dd: the kernel misses each line ($(count_of kernel l1_cache_miss))" true \
  "$([ "$(count_of kernel l1_cache_miss)" -gt 131072 ] && echo true)"
expect "dd: the program does not ($(count_of user l1_cache_miss))" true \
  "$([ "$(count_of user l1_cache_miss)" -lt 65536 ] && echo true)"

# Samples: of the kernel's functions and of programs, whose code may lie anywhere.
export PERF_BUILDID_DIR=$PWD/kept
record() { timeout 300 "$hardmeter" record --pmu=guest ${kernel:+--guest-kernel "$kernel"} --cpu zen4 "$@" </dev/null; }
share_of() { awk -v name="$1" '$0 ~ name { sum += $1 } END { print (sum > 50 ? "most" : sum) }'; }
record -k -e l1_cache_miss -c 100 -o samples -- dd if=data of=/dev/null bs=64k >out 2>said; status=$?
expect "record: status" 0 "$status"
"$hardmeter" report -i samples >report 2>said
expect "record -k: a function of the kernel copies: $(grep -v '^#' report | head -5)" most \
  "$(grep -v '^#' report | share_of 'copy.*kernel.kallsyms')"
expect "record -k: nothing of programs" "" "$(grep -v '^#' report | grep -E ' (dd|libc.so.6)$')"
function=$(grep -v '^#' report | awk '/%/ { print $(NF - 1); exit }')
"$hardmeter" annotate -i samples -S "$function" >code 2>said
expect_match "the code of $function: $(cat said)" "%.* (rep movs|mov)" "$(cat code)"
"$hardmeter" explain -i samples >explained 2>said
expect_match "explain: $(head -20 explained)" "why +(capacity|compulsory)" "$(cat explained)"

"$hardmeter" report -i samples --sort object >report 2>said
expect_match "objects of the kernel: $(head -30 report)" "%.* kernel: .*\(slab\)" "$(cat report)"

record -e l1_cache_miss -c 200 -o samples -- sh -c 'seq 1 20000 | sort | sort -r | md5sum' >out 2>said
expect "programs in a pipe" "$(seq 1 20000 | sort | sort -r | md5sum)" "$(cat out)"
"$hardmeter" report -i samples >report 2>said
expect_match "programs in a pipe: $(head -30 report)" "%.* sort$" "$(cat report)"
unknown=$(grep -v '^#' report | awk '$NF == "[unknown]" { sum += $1 } END { print sum + 0 }')
expect "unknown code: $unknown %" true "$(awk -v sum="$unknown" 'BEGIN { print (sum < 3 ? "true" : "false") }')"
if command -v perf >/dev/null; then
  perf script -i samples -F pid,ip,addr,phys_addr,event >script 2>said
  expect "perf reads the samples" true "$([ "$(grep -c l1_cache_miss script)" -gt 100 ] && echo true)"
fi

# The program's part is what the copying engine counts, but for the processor's features and the kernel's evictions.
if [[ $engines == *direct* ]]; then
  guest -u -o user -- gzip -c data >out 2>said
  "$hardmeter" stat --engine=direct --cpu zen4 -o natively -- gzip -c data >out 2>said
  for event in instr_retired memory_loads memory_stores l1_cache_miss; do
    expect "gzip: $event ($(count_of user $event), copying engine $(count_of natively $event))" true \
      "$(awk -v a="$(count_of user $event)" -v b="$(count_of natively $event)" 'BEGIN { print (a > 0.95 * b && a < 1.05 * b ? "true" : "false") }')"
  done
fi
expect "no unfinished snapshot is left" "" "$(ls "$XDG_CACHE_HOME/hardmeter" | grep -F .)"
finish
