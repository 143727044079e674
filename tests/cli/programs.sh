#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that call execve, and shells that start many programs: output and exit status are as natively, and everything
# is counted: programs.sh HARDMETER PROGRAMS ENGINE
. "$(dirname "$0")/common.sh"
successors=$2/successors
engine=$3
many=20
[ "$engine" = direct ] && many=300

# counted UNMEASURED COMMAND...: compares with a native run; UNMEASURED processes run unmeasured.
counted() {
  local unmeasured=$1 native found
  shift
  native=$(timeout 600 "$@" 2>&1 </dev/null; echo "status $?")
  found=$(timeout 600 "$hardmeter" stat --engine="$engine" --json -o counted.json -- "$@" 2>&1 </dev/null; echo "status $?")
  expect "$*" "$native" "$found"
  found=$(python3 -c 'import json; print(json.load(open("counted.json"))["unrecorded_processes"])')
  expect "unmeasured by $*" "$unmeasured" "$found"
}

cat >script.py <<'P'
#!/usr/bin/python3
import subprocess, sys
print(sys.argv[1:], subprocess.run(["/bin/echo", "x"], capture_output=True).stdout)
P
echo 'echo no interpreter named $1' >plain
printf '#!/nonexistent/interpreter\n' >orphan
chmod +x script.py plain orphan

counted 0 sh -c 'echo one; /bin/echo two; exit 7'
counted 0 sh -c 'for i in 1 2 3; do /bin/true; done; echo a b c | xargs -n 1 echo; env -i /bin/echo bare'
counted 0 sh -c 'no-such-program; echo $?; /etc/passwd; echo $?; /; echo $?'
counted 0 ./script.py a b
counted 0 ./plain this
counted 0 sh -c './plain this'
counted 0 sh -c 'exec 2>/dev/null; sleep 60 & kill $!; wait $!; echo $?'  # dash sometimes prints "Terminated"
counted 0 sh -c 'sh -c "kill -KILL \$\$"; echo $?'
counted 0 sh -c "seq $many | xargs -n 1 -P 4 /bin/true; echo \$?"
counted 0 sh -c 'i=0; while [ $i -lt $1 ]; do /bin/true || echo failed; i=$((i + 1)); done' sh "$many"
for mode in thread fexecve; do counted 0 "$successors" $mode; done
if unshare -pf true 2>/dev/null; then  # process ids differ in another namespace
  counted 0 unshare -pf sh -c '/bin/true; sh -c "kill -KILL \$\$"; echo $$ $?'
else
  skipped "PID namespaces cannot be made here"
fi

# A measurement ends with its program; processes that the program leaves behind go on unmeasured.
cat >daemon.sh <<'P'
for _ in $(seq 600); do
  if [ -e go_on ]; then echo to the end >went_on; exit; fi
  sleep 0.1
done
P
"$hardmeter" stat --engine="$engine" -o left.txt -- sh -c 'setsid sh daemon.sh </dev/null >/dev/null 2>&1 & exit 3'
expect "status of a program that leaves a daemon behind" 3 $?
expect_match "summary of a program that leaves a daemon behind" "still running after the program had ended" "$(cat left.txt)"
touch go_on
wait_until test -e went_on
expect "the daemon went on" "to the end" "$(cat went_on)"

mkdir project
for i in 1 2 3; do echo "int f$i(void) { return $i; }" >project/f$i.c; done
echo 'int f1(void); int main(void) { return f1() - 1; }' >project/main.c
printf 'program: $(patsubst %%.c,%%.o,$(wildcard *.c))\n\t@$(CC) -o $@ $^\n%%.o: %%.c\n\t@$(CC) -c $<\n' >project/Makefile
if command -v make cc >/dev/null; then
  counted 0 sh -c 'cd project; make -s -j4; ./program; echo $?; rm -f *.o program'
else
  skipped "there is no make or no cc here"
fi
[ "$engine" = direct ] || finish

# Cases that Valgrind does not support, or handles differently.
counted 0 sh -c './orphan; echo $?'
for mode in execveat fail crash fail_in_threads inheritance storm descriptors; do counted 0 "$successors" $mode; done
for _ in $(seq 40); do counted 0 "$successors" race; done
counted 0 "$successors" traced
expect_match "what becomes of a process that its parent traces" "was about to be traced by its parent .*ran natively, unmeasured" \
  "$("$hardmeter" stat --engine=direct -o /dev/stdout -- "$successors" traced)"
if command -v g++ >/dev/null; then  # g++'s compiler proper branches behind jump tables on earlier comparisons
  printf '#include <map>\n#include <string>\nint count(std::map<std::string, int>& m, const std::string& s) { return ++m[s]; }\n' >words.cc
  counted 0 sh -c 'g++ -O1 -c words.cc -o words.o && cksum <words.o; rm -f words.o'
else
  skipped "there is no g++ here"
fi
counted 2 sh -c 'su --version; passwd --help | head -n 1'  # set-uid
printf '.globl _start\n_start: mov $1, %%eax\nmov $3, %%ebx\nint $0x80\n' | as --32 -o old.o - && ld -m elf_i386 -o old old.o
./old 2>/dev/null
if [ $? = 3 ]; then
  counted 2 sh -c './old; echo $?; ./old; echo $?'
else
  skipped "no 32-bit program can be made or run here"
fi

# The recorder is killed during a series of programs: they continue to their end.
begun() { [ "$(wc -l <begun)" -ge "$1" ]; }  # at least $1 programs have begun
for moment in 1 2 3 5 8 13 21 34; do
  rm -f begun enough done
  "$hardmeter" stat --engine=direct -- sh -c 'while [ ! -e enough ]; do echo >>begun; /bin/true || echo failed; done; : >done' >said 2>&1 &
  wait_until begun $moment
  kill -KILL $!
  wait $! 2>/dev/null
  wait_until begun $(($(wc -l <begun) + 20))
  : >enough
  wait_until test -e done
  expect "what programs said after the recorder's death" "" "$(cat said)"
done

# If ptrace is not permitted, the message names the other engine.
if command -v python3 >/dev/null; then
  cat >untraced.py <<'P'
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
code = b"".join(struct.pack("HBBI", *each) for each in [(0x20, 0, 0, 0), (0x15, 0, 1, 101), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7FFF0000)])
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]
libc.prctl(38, 1, 0, 0, 0)
assert libc.prctl(22, 2, ctypes.byref(Program(4, code))) == 0
os.execv(sys.argv[1], sys.argv[1:])
P
  counted 0 python3 untraced.py /bin/echo sandboxed
  expect_match "what becomes of a sandbox" "installed a system call filter .*ran natively, unmeasured" \
    "$("$hardmeter" stat --engine=direct -o /dev/stdout -- python3 untraced.py /bin/echo sandboxed)"
  said=$(python3 untraced.py "$hardmeter" stat --engine=direct /bin/true 2>&1)
  expect "status where ptrace is forbidden" 1 $?
  expect_match "what to do" '^hardmeter: .*ptrace.*--engine=valgrind' "$said"
  expect_match "doctor" '^missing +copying engine' "$(python3 untraced.py "$hardmeter" doctor)"
fi

# Only the superuser can read physical addresses. Another user gets a message, and a process that changes its user is
# reported.
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  if $as test -x "$hardmeter"; then
    expect_match "what another user is told" '^hardmeter: cannot index the modelled caches by physical addresses: ' \
      "$($as "$hardmeter" stat --physical /bin/true 2>&1)"
  fi
  expect_match "the note on another user's process" 'no physical addresses are available of' \
    "$("$hardmeter" stat --pmu=soft --physical $as /bin/true 2>&1)"
else
  skipped "this user cannot become another one, or there is no setpriv here"
fi
finish
