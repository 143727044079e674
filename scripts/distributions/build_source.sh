#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the source on another release of Debian, in a chroot, and runs the unit tests and some commands there:
#   build_source.sh RELEASE [FOLDER]     for example: build_source.sh trixie
# FOLDER (default: /var/tmp/hardmeter-source/RELEASE) keeps the root, the build and a compiler cache for the next run.
#   HM_DEBIAN_MIRROR  address of the packages; default: the first one in this machine's configuration of apt
#   HM_CMAKE_OPTIONS  more options of cmake, for example: -DCMAKE_CXX_COMPILER=clang++ -DHM_VALGRIND=OFF
#   HM_PACKAGES       more packages to install, for example: clang
#   HM_JOBS           compilations at a time; default: one for each processor
# The exit status is 77 if this machine cannot do it.
set -eu
release=${1:?build_source.sh RELEASE [FOLDER]}
folder=${2:-/var/tmp/hardmeter-source/$release}
source=$(cd "$(dirname "$0")/../.." && pwd)
root=$folder/root

skip() { echo "SKIPPED: source on $release: $*"; exit 77; }
fail() { echo "FAILED: source on $release: $*"; exit 1; }

[ "$(id -u)" = 0 ] || skip "debootstrap and chroot need root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
[ -e "/usr/share/debootstrap/scripts/$release" ] || skip "debootstrap does not know this release"
# The mounts below are this process's own, so they end with it.
if [ -z "${HM_MOUNTS_ARE_PRIVATE:-}" ]; then
  unshare --mount true 2>/dev/null || skip "this machine does not permit mounting"
  HM_MOUNTS_ARE_PRIVATE=1 exec unshare --mount --propagation private bash "$0" "$@"
fi

. "$(dirname "$0")/mirror.sh"
mirror=${mirror:-http://deb.debian.org/debian}

mkdir -p "$folder/build" "$folder/ccache"
if [ ! -e "$folder/root-is-complete" ]; then
  rm -rf --one-file-system "$root"
  debootstrap --variant=minbase --include=ca-certificates "$release" "$root" "$mirror" >"$folder/debootstrap.log" 2>&1 ||
    { tail -n 5 "$folder/debootstrap.log"; skip "debootstrap failed"; }
  touch "$folder/root-is-complete"
fi
# How this machine reaches the packages, including proxies.
apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$root/etc/apt/apt.conf.d/80host" || true
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
cp -r /usr/local/share/ca-certificates "$root/usr/local/share/" 2>/dev/null || true

mkdir -p "$root/src" "$root/out" "$root/ccache"
mount --bind "$source" "$root/src"
mount -o remount,bind,ro "$root/src"
mount --bind "$folder/build" "$root/out"
mount --bind "$folder/ccache" "$root/ccache"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"

inside() {
  chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive CCACHE_DIR=/ccache "$@"
}
# step NAME COMMAND...: runs a command in the root; its output goes to FOLDER/NAME.log.
step() {
  local name=$1
  shift
  inside "$@" >"$folder/$name.log" 2>&1 || { tail -n 25 "$folder/$name.log"; fail "$name; see $folder/$name.log"; }
}

inside update-ca-certificates >/dev/null 2>&1 || true
step packages bash /src/scripts/setup.sh product unit_tests
if [ -n "${HM_PACKAGES:-}" ]; then
  # shellcheck disable=SC2086
  step more_packages apt-get install -y -qq --no-install-recommends $HM_PACKAGES
fi
# shellcheck disable=SC2086
step configure cmake -S /src -B /out -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DHM_TESTS=ON ${HM_CMAKE_OPTIONS:-}
step compile ninja -C /out ${HM_JOBS:+-j$HM_JOBS} product unit_tests
step unit_tests bash /src/scripts/check.sh /out

hardmeter=/out/bin/hardmeter
step doctor $hardmeter doctor
step run $hardmeter run -o /tmp/perf.data -- python3 -c 'print(sum(range(100000)))'
step report $hardmeter report -i /tmp/perf.data
step stat $hardmeter stat -- ls /
if grep -q '^ok  *Valgrind engine' "$folder/doctor.log"; then
  step stat_valgrind $hardmeter stat --engine=valgrind -- ls /
fi

compiler=$(inside grep -m 1 -oP '^CMAKE_CXX_COMPILER:[A-Z]*=\K.*' /out/CMakeCache.txt)
echo "$release: built with $(inside "$compiler" --version | head -n 1); $(tail -n 1 "$folder/unit_tests.log")"
grep -h 'Valgrind engine' "$folder/doctor.log" || true
inside dpkg-query --show --showformat '${Package} ${Version}\n' libfmt-dev libzydis-dev libdw-dev libpfm4-dev libcapstone-dev valgrind linux-libc-dev
