#!/bin/bash
# SPDX-License-Identifier: MIT
# The Debian packages on a minimal root: they install, work, and leave nothing behind. clean_root.sh BUILD SOURCE
set -u
build=$1
source=$2
skip() { echo "SKIPPED: packages on a clean root: $*"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }

[ "$(id -u)" = 0 ] || skip "chroot needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-cache policy | sed -n "s|^ *[0-9]* \(http[^ ]*\) $suite/main .*|\1|p" | head -n 1)
[ "$mirror" ] || skip "no Debian mirror is configured"

work=$(mktemp -d)
root=$work/root
leave() {
  umount "$root/proc" "$root/dev/shm" 2>/dev/null
  rm -rf --one-file-system "$work"
}
trap leave EXIT

(cd "$build" && cpack -G DEB -B "$work/debs" >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log"; fail "cpack"; }
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  { tail -n 3 "$work/debootstrap.log"; skip "debootstrap cannot make a root from $mirror"; }
cp -a /etc/apt/. "$root/etc/apt/"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null
mkdir -p "$root/debs" "$root/dev/shm"
cp "$work"/debs/*.deb "$root/debs/"
mount -t proc none "$root/proc" && mount -t tmpfs none "$root/dev/shm" || skip "nothing can be mounted here"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

inside apt-get update -qq >"$work/apt.log" 2>&1 || { tail -n 3 "$work/apt.log"; skip "apt has no packages"; }
inside apt-get install -y -qq --no-install-recommends gcc libc6-dev pkg-config make >"$work/apt.log" 2>&1 || skip "gcc cannot be installed"
files() { (cd "$root" && find . -xdev \( -path ./var -o -path ./proc -o -path ./dev -o -path ./tmp -o -path ./etc/ld.so.cache -o -path ./root -o -path ./debs \) -prune -o -print | sort); }

# The tool and the library, with their dependencies.
inside sh -c 'apt-get install -y -qq --no-install-recommends /debs/*.deb' >"$work/apt.log" 2>&1 || { tail -n 5 "$work/apt.log"; fail "apt-get install"; }
inside hardmeter --version >/dev/null || fail "hardmeter --version"
engines=direct
[ -e "$build/libexec/hardmeter/hardmeter-amd64-linux" ] && engines+=" valgrind"
for engine in $engines; do
  inside hardmeter record -q --pmu=soft --engine=$engine -e l1_cache_miss -c 100 -o /tmp/ls.data ls /usr/bin >/dev/null || fail "record --engine=$engine"
  inside hardmeter report -i /tmp/ls.data | grep -q '%' || fail "report of --engine=$engine"
done
inside ebs -u -i 10 -t dtlb_load_miss -o /tmp/pebs ls /usr/bin >/dev/null || fail "ebs"
inside grep -q '^# samples collected: [1-9]' /tmp/pebs || fail "the dump"

# Serving needs a library that the package depends on, and no other server.
inside bash -c '
  env --default-signal=INT hardmeter ui --no-browser -i /tmp/ls.data >/tmp/link 2>/tmp/said &
  for _ in $(seq 600); do [ -s /tmp/link ] && break; kill -0 $! || break; sleep 0.1; done
  port=$(grep -oE "127.0.0.1:[0-9]+" /tmp/link) && port=${port#*:} && exec 3<>"/dev/tcp/127.0.0.1/$port" &&
    printf "GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n" "$port" >&3 && head -n 1 <&3 | grep -q " 403 "
  served=$?
  kill -INT $! && wait $!
  exit $served' || { cat "$root/tmp/said"; fail "hardmeter ui"; }
[ ! -e "$root/usr/share/doc/libcivetweb1" ] || fail "civetweb is installed"

# A program that uses the library, linked statically and dynamically.
cp "$source/examples/self_measuring/region.c" "$root/tmp/region.c"
inside sh -c 'cd /tmp && cc region.c $(pkg-config --cflags --libs hardmeter) -o shared' || fail "linking with the shared library"
inside sh -c 'cd /tmp && cc region.c $(pkg-config --static --cflags --libs hardmeter | sed s/-lhardmeter/-l:libhardmeter.a/) -o static' || fail "linking with the archive"
for program in shared static; do
  inside hardmeter record -q --pmu=soft -e l1_cache_miss -c 1000 -o /tmp/$program.data /tmp/$program load || fail "record $program"
  inside hardmeter report -i /tmp/$program.data | grep -q ' inside ' || fail "the region of $program"
done

# The purge leaves no files.
inside apt-get purge -y -qq hardmeter libhardmeter0 libhardmeter-dev >"$work/apt.log" 2>&1 || fail "apt-get purge"
left=$(files | grep -iE 'hardmeter|/ebs(\.1(\.gz)?)?$')
[ -z "$left" ] || fail "left behind: $left"
echo "all as expected"
