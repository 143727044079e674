#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes a Debian package of a release archive, for every Debian and Ubuntu: deb.sh ARCHIVE VERSION DIST
# It depends on no other package. (make packages builds Debian's usual kind, for the release it runs on.)
set -euo pipefail
archive=$1
version=$2
dist=$3
here=$(dirname -- "$(realpath -- "$0")")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
root=$work/root

bash "$here/stage.sh" "$archive" "$root"
mkdir "$root/DEBIAN"
cp "$root/usr/share/doc/hardmeter/NOTICE.md" "$root/usr/share/doc/hardmeter/copyright"
cat "$root/usr/share/doc/hardmeter/LICENSE" >>"$root/usr/share/doc/hardmeter/copyright"
cat >"$root/DEBIAN/control" <<C
Package: hardmeter
Version: $version
Architecture: amd64
Maintainer: the hardmeter authors <hardmeter@localhost>
Section: devel
Priority: optional
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Description: shows where a program misses the cache, why, and what to change
 hardmeter counts and samples cache misses, by hardware counters or, on any
 machine, by a software PMU. It classifies each miss (compulsory, capacity,
 conflict, sharing), and names the code, the data and a remedy.
C
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
chmod -R u=rwX,go=rX "$root"
dpkg-deb --root-owner-group -Zxz --build "$root" "$dist/hardmeter_${version}_amd64.deb" >/dev/null
