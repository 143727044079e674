#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures build times: from a clean clone to the demo's table and to passing tests ("green"), with an empty and with a
# warm compiler cache, and after a change of one file in each room. Prints one line per step, then the table of
# bench/README.md.
#
#   bench/house.sh [-s STEP[,STEP...]] [REVISION...]      (HEAD; each revision is a column)
#   STEPS: demo, green, warm, headers, sources, result_h (all but result_h, which headers include)
#
# Packages are installed before the measurement. Failing tests do not end a run: they are listed at the end.
set -u
cd "$(dirname "$0")/.."

steps=demo,green,warm,headers,sources
while getopts s: option; do
  case $option in
    s) steps=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- HEAD
wanted() { [[ ",$steps," == *",$1,"* ]]; }

top=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/house.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"  # some tests run programs as another user
declare -A seconds
names=()
problems=()

# timed COLUMN NAME COMMAND...: runs the command in the current folder and records its duration.
timed() {
  local column=$1 name=$2 begin end
  shift 2
  begin=${EPOCHREALTIME/./}
  "$@" >"$work/log" 2>&1 || { problems+=("$column, $name: $(tail -1 "$work/log")"); tail -n 40 "$work/log" >&2; }
  end=${EPOCHREALTIME/./}
  seconds[$column,$name]=$(((end - begin + 500000) / 1000000))
  [[ " ${names[*]} " == *" $name "* ]] || names+=("$name")
  printf '%s: %s: %s s\n' "$column" "$name" "${seconds[$column,$name]}" >&2
}

# A change that makes the compiler cache miss.
change() { printf '\nstruct HouseBench%s;\n' "$RANDOM$RANDOM" >>"$1"; }

rooms() { find src -name CMakeLists.txt -execdir grep -q hm_room CMakeLists.txt \; -printf '%h\n' | sort; }
# The header of a room with the most includes in other files.
main_header() {
  for header in "$1"/*.h; do
    [ -e "$header" ] && echo "$(grep -rl --include=*.cc --include=*.h "\"${header#src/}\"" src tests | wc -l) $header"
  done | sort -n | tail -1 | cut -d' ' -f2
}

# The test target of src/a/b, as hm_room names it.
test_of() { local name=${1#src/}; echo "${name//\//_}_test"; }
build_and_run() { cmake --build build --target "$1" && "build/bin/$1"; }

measure() {
  local column=$1
  git clone -q "$top" "$work/$column" && git -C "$work/$column" checkout -q "$column" || exit 1
  cd "$work/$column" || exit 1
  bash scripts/setup.sh product packages tests >/dev/null || exit 1
  export CCACHE_DIR=$work/ccache-$column
  wanted demo && timed "$column" "clean clone to the demo's table" make demo
  wanted green && timed "$column" "from there to green (make test)" make test
  if wanted warm; then
    git clone -q . "$work/$column-elsewhere"
    cd "$work/$column-elsewhere" || exit 1
    timed "$column" "clean clone to green, warm compiler cache" bash .ci/run
    cd "$work/$column" || exit 1
    rm -rf "$work/$column-elsewhere"
  fi
  if wanted headers; then
    for room in $(rooms); do
      header=$(main_header "$room")
      [ -n "$header" ] && change "$header" && timed "$column" "$header, everything" cmake --build build
    done
  elif wanted result_h; then
    change src/base/result.h
    timed "$column" "src/base/result.h, everything" cmake --build build
  fi
  if wanted sources; then
    for room in $(rooms); do
      source=$(find "$room" -maxdepth 1 -name '*.cc' ! -name '*_test.cc' | sort | head -1)
      compgen -G "$room/*_test.cc" >/dev/null && [ -n "$source" ] || continue
      change "$source"
      timed "$column" "$source, and its room's tests" build_and_run "$(test_of "$room")"
    done
  fi
  cd "$top" || exit 1
}

for revision in "$@"; do measure "$(git rev-parse --short "$revision")"; done
columns=()
for revision in "$@"; do columns+=("$(git rev-parse --short "$revision")"); done

printf '%s, %s, %s CPUs, Linux %s; seconds on the clock\n\n' "$(date +%F)" \
  "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(nproc)" "$(uname -r)"
printf '| step |'; printf ' %s |' "${columns[@]}"
printf '\n|---|'; printf -- '---|%.0s' "${columns[@]}"; printf '\n'
for name in "${names[@]}"; do
  printf '| %s |' "$name"
  for column in "${columns[@]}"; do
    if [ -n "${seconds[$column,$name]:-}" ]; then printf ' %s |' "${seconds[$column,$name]}"; else printf ' |'; fi
  done
  printf '\n'
done
[ ${#problems[@]} -eq 0 ] || { echo; printf 'failed: %s\n' "${problems[@]}"; }
