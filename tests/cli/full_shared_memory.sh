#!/bin/bash
# SPDX-License-Identifier: MIT
# /dev/shm fills up during a measurement. Programs continue as natively, and the unmeasured part is reported.
script=$(readlink -f "$0")
. "$(dirname "$0")/common.sh"
if [ "${2:-}" != inner ]; then
  [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || {
    skipped "only root can have a /dev/shm of its own"
    exit 77
  }
  cd / && rm -rf "$work"
  exec unshare -m --propagation private bash "$script" "$hardmeter" inner
fi
command -v python3 >/dev/null || {
  skipped "there is no python3 here"
  exit 77
}
mount -t tmpfs -o size=64m tmpfs /dev/shm || {
  skipped "nothing can be mounted here"
  exit 77
}

python=$(python3 -c 'import sys; print(sys.executable)')  # the program itself, not a script that searches for it

cat >fill.py <<'P'
import mmap, os, subprocess, sys, threading
size = int(sys.argv[1])
file = open("/dev/shm/mine", "wb", buffering=0)
try:
    while True:
        file.write(b"x" * 65536)
except OSError as error:
    print("full:", error.strerror, flush=True)
words = {}
for i in range(30000):
    words[i * 7919 % 100003] = str(i)
print("words:", len(words), flush=True)
# Memory that is shared with other processes, which the engine follows in memory of the session.
shared = mmap.mmap(-1, size)
for i in range(0, size, 4096):
    shared[i] = 1
print("shared:", sum(shared[i] for i in range(0, size, 4096)), flush=True)
threads = [threading.Thread(target=sum, args=(range(100),)) for _ in range(5)]
for each in threads: each.start()
for each in threads: each.join()
child = os.fork()
if child == 0:
    os._exit(7)
print("child:", os.waitpid(child, 0)[1], flush=True)
print("program:", subprocess.run(["sh", "-c", "echo started"], capture_output=True).stdout, flush=True)
file.close()
os.unlink("/dev/shm/mine")
print("after:", subprocess.run(["sh", "-c", "echo started"], capture_output=True).stdout, flush=True)
P
native=$("$python" fill.py 1000000)
for detail in exact bursts; do
  said=$("$hardmeter" stat --engine=direct --detail $detail -o result -- "$python" fill.py 1000000 2>&1)
  expect "$detail: status" 0 $?
  expect "$detail: the program" "$native" "$said"
  expect_match "$detail: what was not measured" 'more process(es)? could not be counted' "$(cat result)"
done
if has_valgrind_engine "full shared memory"; then
  said=$("$hardmeter" stat --engine=valgrind -o result -- "$python" fill.py 1000000 2>&1)
  expect "Valgrind: the program" "$native" "$(grep -av '^hardmeter: ' <<<"$said")"
fi

# No space from the beginning.
head -c 100M /dev/zero >/dev/shm/full 2>/dev/null
said=$("$hardmeter" stat -- true 2>&1)
expect "status where there is no room for a session" 1 $?
expect_match "the sentence" '^hardmeter: cannot make the session folder .*No space left on device' "$said"
expect "folders left behind" "" "$(ls -d /dev/shm/hardmeter-* 2>/dev/null)"
rm /dev/shm/full

# With models that processes share; most of their memory is never written.
umount /dev/shm && mount -t tmpfs -o size=400m tmpfs /dev/shm
said=$("$hardmeter" stat --engine=direct -o result -- "$python" fill.py 8000000 2>&1)
expect "shared models: status" 0 $?
expect "shared models: the program" "$("$python" fill.py 8000000)" "$said"
expect_match "shared models: what is missing" '/dev/shm was full when [0-9,]+ pages?' "$(cat result)"

# A running process, with the recorder's files in /dev/shm.
umount /dev/shm && mount -t tmpfs -o size=64m tmpfs /dev/shm
cat >run_on.py <<'P'
import os
words = {}
i = 0
while not os.path.exists("end"):
    for _ in range(20000):
        words[i * 7919 % 100003] = str(i)
        i += 1
print("ended by itself")
P
for options in "" "--budget 30%"; do
  rm -f end target_said
  "$python" run_on.py >target_said 2>&1 &
  target=$!
  timeout 60 "$hardmeter" record -q $options --pmu=soft -p $target -o attached.data --duration 2s >said 2>&1 &
  recorder=$!
  wait_until test -s attached.data
  head -c 100M /dev/zero >/dev/shm/full 2>/dev/null
  wait $recorder
  rm /dev/shm/full
  : >end
  end_of $target
  expect "attached $options: status of the process" 0 $?
  expect "attached $options: its end" "ended by itself" "$(cat target_said)"
done
finish
