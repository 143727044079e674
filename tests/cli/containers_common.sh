# SPDX-License-Identifier: MIT
# Functions of the tests with containers. They need common.sh, and exit with 77 if namespaces cannot be made.
export PERF_BUILDID_DIR=$work/kept HOME=$work
containers=()
stop_all() {
  for each in "${containers[@]}"; do kill -9 "$each" 2>/dev/null; done
  rm -rf "$work"
}
trap stop_all EXIT
if ! unshare -mpf true 2>/dev/null; then
  skipped "this user cannot make namespaces"
  exit 77
fi

cat >service.c <<'END'
#include <stdlib.h>
#include <time.h>
static volatile unsigned long sum;
static volatile char memory[1 << 22];
__attribute__((noinline)) void walk_of_FIRST(void) {
  for (unsigned i = 0; i < sizeof memory; i += 64) sum += memory[i];
}
int main(void) {
  for (time_t end = time(0) + 600; time(0) < end;) walk_of_FIRST();
  return 0;
}
END
sed 's/FIRST/SECOND/' service.c >other.c
gcc -O1 -g -static -o service service.c && gcc -O1 -g -static -o other other.c || expect "gcc" 0 $?

# The program that enters the container: it replaces its root folder, and then itself by the service.
cat >enter.sh <<'END'
mount --bind "$1" "$1" && cd "$1" && mount -t proc proc proc && pivot_root . old && exec "$2"
END

# make_root NAME PROGRAM: a root folder with the program as /app/service
make_root() {
  mkdir -p "$1"/app "$1"/proc "$1"/tmp "$1"/dev "$1"/old && cp "$2" "$1/app/service"
}

# start_container ROOT PROGRAM: sets $service to the number of the process outside.
start_container() {
  unshare -mpf --kill-child sh enter.sh "$work/$1" "$2" >/dev/null 2>container.txt &
  local outer=$!
  disown
  containers+=("$outer")
  wait_until runs_in "$outer" "${2##*/}" || cat container.txt
  service=$(pgrep -P "$outer")
}
runs_in() { [ "$(cat "/proc/$(pgrep -P "$1")/comm")" = "$2" ]; }

# stop PROCESS: kills it and waits for its end.
stop() {
  kill -9 "$1"
  wait_until test ! -e "/proc/$1"
}
