#!/bin/bash
# SPDX-License-Identifier: MIT
# Tries a release archive on fresh roots of other distributions: unpacks it, and measures a C, C++, Python and Perl
# program and a running process; doctor; the page.
#   try_archive.sh ARCHIVE [RELEASE...]    bullseye, bookworm, trixie, sid, or musl; all without it
# Roots are kept in $HM_ROOTS (/var/tmp/hardmeter-roots). musl is a root with Debian's musl and busybox, no other library.
# $HM_DEBIAN_MIRROR is where packages come from; without it, this system's own mirror. Status 77: nothing could be tried here.
set -u
archive=$(realpath -- "$1")
shift
here=$(dirname -- "$(realpath -- "$0")")
roots=${HM_ROOTS:-/var/tmp/hardmeter-roots}
failures=0
tried=0

skip() { echo "SKIPPED: $*"; exit 77; }
[ "$(id -u)" = 0 ] || skip "chroot needs root"
unshare --mount --pid --fork true 2>/dev/null || skip "namespaces cannot be made here"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
. "$here/mirror.sh"
[ "$mirror" ] || skip "no Debian mirror is configured; set HM_DEBIAN_MIRROR"
mkdir -p "$roots"

debian_root() {  # RELEASE
  debootstrap --variant=minbase --include=g++,python3-minimal,perl-base "$1" "$roots/$1.part" "$mirror" >"$roots/$1.log" 2>&1 &&
    mv "$roots/$1.part" "$roots/$1"
}

# musl's linker, and busybox as all commands; programs are compiled here.
musl_root() {
  command -v musl-gcc >/dev/null || { echo "musl-tools is not installed" >"$roots/musl.log"; return 1; }
  [ -x /bin/busybox ] || { echo "busybox-static is not installed" >"$roots/musl.log"; return 1; }
  local root=$roots/musl.part
  mkdir -p "$root"/{bin,lib,dev,proc,tmp,etc,opt}
  cp /bin/busybox "$root/bin/"
  chroot "$root" /bin/busybox --install -s /bin
  cp -L /lib/ld-musl-x86_64.so.1 "$root/lib/"
  mv "$root" "$roots/musl"
}

make_root() {  # RELEASE
  [ ! -d "$roots/$1" ] || return 0
  rm -rf --one-file-system "$roots/$1.part"
  if [ "$1" = musl ]; then musl_root; else debian_root "$1"; fi
}

# Runs the checks in namespaces of their own, which take mounts and processes with them.
run_inside() {  # ROOT COMMAND...
  unshare --mount --pid --fork --kill-child bash -c '
    root=$1; shift
    mount -t proc none "$root/proc" && mount -t tmpfs none "$root/dev" && mkdir "$root/dev/shm" "$root/dev/pts" &&
      mount -t devpts -o newinstance,ptmxmode=0666 none "$root/dev/pts" && ln -s pts/ptmx "$root/dev/ptmx" &&
      for device in null zero urandom tty; do touch "$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"; done &&
      exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 "$@"' - "$@"
}
export -f run_inside

try_root() {  # RELEASE
  local root=$roots/$1
  rm -rf "$root/opt/hardmeter" "$root/tmp/try"
  mkdir -p "$root/tmp/try" "$root/usr/bin"
  [ -e "$root/usr/bin/env" ] || ln -s /bin/busybox "$root/usr/bin/env"
  cp "$here"/programs/* "$here/inside.sh" "$root/tmp/try/"
  if [ "$1" = musl ]; then musl-gcc -g -O1 "$here/programs/chase.c" -o "$root/tmp/try/chase"; fi
  local began=$EPOCHREALTIME
  mkdir -p "$root/opt/hardmeter"
  tar -xf "$archive" --strip-components=1 -C "$root/opt/hardmeter"
  echo "$1: unpacked in $(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $began }") s"
  run_inside "$root" sh /tmp/try/inside.sh && top_in_terminal "$root"
}

# A terminal of a kind that the root may not know.
top_in_terminal() {  # ROOT
  local command='cd /tmp/try; ./chase forever & /opt/hardmeter/bin/hardmeter top --budget 50% -n 15 -d 1 -p $!; status=$?; kill $!; exit $status'
  if SHELL=/bin/bash root=$1 command=$command script -q -e -c 'run_inside "$root" env TERM=xterm-256color sh -c "$command"' "$1/tmp/try/screen" >/dev/null 2>&1 </dev/null &&
     grep -q 'chase\.c:' "$1/tmp/try/screen"; then
    echo "  passed: top in a terminal"
  else
    echo "  FAILED: top in a terminal: $(tail -n 2 "$1/tmp/try/screen")"
    return 1
  fi
}

[ $# -gt 0 ] || set -- bullseye bookworm trixie sid musl
for release in "$@"; do
  if ! make_root "$release"; then
    echo "SKIPPED: $release: no root: $(tail -n 1 "$roots/$release.log")"
    continue
  fi
  tried=$((tried + 1))
  try_root "$release" || { echo "FAILED: $release"; failures=$((failures + 1)); }
done
[ $tried -gt 0 ] || exit 77
[ $failures = 0 ]
