#!/bin/bash
# SPDX-License-Identifier: MIT
# The release archive: the same bytes twice; it runs elsewhere, and says so in one sentence if a part is missing; the
# packages made from it. archive.sh BUILD SOURCE
set -u
build=$1
source=$2
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
for tool in patchelf rpmbuild dpkg-deb zstd; do
  command -v $tool >/dev/null || { echo "SKIPPED: the release archive: $tool is not installed"; exit 77; }
done
cd "$work" || exit 1
export SOURCE_DATE_EPOCH=1700000000

for folder in first second; do
  bash "$source/packaging/tarball.sh" "$build" $folder tar >log 2>&1 || { cat log; fail "tarball.sh"; }
done
cmp first/*-linux.tar second/*-linux.tar || fail "two archives of one build differ"
tar -xf first/*-linux.tar || fail "tar"
root=$(echo "$work"/hardmeter-*-x86_64-linux)
found=$(grep -rlF -e "$source/" -e "$build/" "$root")
[ -z "$found" ] || fail "the build's folder is in $found"

# It uses its own libraries only, and its own name.
mkdir "$work/some one's folder" && mv "$root" "$work/some one's folder/hardmeter" && root="$work/some one's folder/hardmeter"
hardmeter=$root/bin/hardmeter
cat >look <<'L'
tr "\0" " " </proc/$PPID/cmdline >command
cat /proc/$PPID/comm >name
grep -oE "/.*[.]so.*" /proc/$PPID/maps | sort -u >libraries
L
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -c 100 -o perl.data sh look || fail "record"
[ "$(cat name)" = hardmeter ] || fail "its name: $(cat name)"
[ "$(cat command)" = "$hardmeter record -q --pmu=soft -e l1_cache_miss -c 100 -o perl.data sh look " ] || fail "its command line: $(cat command)"
grep -q 'libstdc++' libraries || fail "its libraries: $(cat libraries)"
others=$(grep -vF "$root/" libraries)
[ -z "$others" ] || fail "libraries of the system: $others"
"$root/bin/ebs" --version | grep -q '^ebs ' || fail "ebs"
(PATH=$root/bin:$PATH && cd / && ebs --version) | grep -q '^ebs ' || fail "ebs in PATH"

# A part is missing, or is no program.
mv "$root/lib/hardmeter/ld-linux-x86-64.so.2" .
said=$("$hardmeter" --version 2>&1)
[ $? = 127 ] || fail "the status without the linker"
[ "$said" = "hardmeter: cannot start: $root/lib/hardmeter/ld-linux-x86-64.so.2: cannot be opened; unpack hardmeter's archive again" ] || fail "$said"
for content in '' 'x' "$(head -c 100 /bin/sh | tr '\0' '0')"; do
  printf '%s' "$content" >"$root/lib/hardmeter/ld-linux-x86-64.so.2"
  said=$("$hardmeter" --version 2>&1)
  [ $? = 127 ] || fail "the status with a broken linker"
  grep -q "cannot be mapped; unpack" <<<"$said" || fail "$said"
done
mv ld-linux-x86-64.so.2 "$root/lib/hardmeter/"
"$hardmeter" --version >/dev/null || fail "--version"

# Packages.
bash "$source/packaging/release.sh" "$(echo first/*-linux.tar)" first >log 2>&1 || { cat log; fail "release.sh"; }
bash "$source/packaging/release.sh" "$(echo second/*-linux.tar)" second >log 2>&1 || { cat log; fail "release.sh"; }
diff -r -x SHA256SUMS first second || fail "two releases differ"
dpkg-deb --extract first/*.deb deb && deb/usr/bin/hardmeter --version >/dev/null || fail "the Debian package"
! dpkg-deb --field first/*.deb Depends | grep -q . || fail "the Debian package depends on others"
rpm --query --list --package first/*.rpm 2>/dev/null | grep -q '^/usr/bin/hardmeter$' || fail "the RPM package"
if command -v rpmlint >/dev/null; then
  wrong=$(rpmlint --config "$source/packaging/rpmlint.toml" first/*.rpm 2>/dev/null | grep ' E: ')
  [ -z "$wrong" ] || fail "rpmlint: $wrong"
else
  echo "SKIPPED: rpmlint is not installed"
fi
if command -v skopeo >/dev/null && command -v umoci >/dev/null; then
  skopeo copy -q "oci-archive:$(echo first/*.oci.tar)" oci:layout:test && umoci unpack --rootless --image layout:test bundle >log 2>&1 || { cat log; fail "the image"; }
  [ -x bundle/rootfs/usr/lib/hardmeter/bin/hardmeter ] && [ -d bundle/rootfs/tmp ] || fail "what is in the image"
else
  echo "SKIPPED: skopeo and umoci are not installed"
fi
(cd first && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS"

# A root with another C library.
bash "$source/scripts/distributions/try_archive.sh" "$(echo first/*-linux.tar)" musl >log 2>&1
case $? in
  0) ;;
  77) cat log ;;
  *) cat log; fail "musl" ;;
esac
echo "all as expected"
