#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes an archive of the program, its libraries, and the C library. It runs on any x86-64 Linux.
#   tarball.sh BUILD DIST [FORMAT...]    writes DIST/hardmeter-VERSION-x86_64-linux.FORMAT: tar.zst, tar.xz (both without
#                                        it), or tar
# Archives of the same source are equal byte for byte, also if they are built in different folders. Needs Debian: its
# packages contain the licences of the libraries.
set -euo pipefail
build=$(realpath -- "$1")
here=$(dirname -- "$(realpath -- "$0")")
mkdir -p -- "$2"
dist=$(realpath -- "$2")
shift 2
[ $# -gt 0 ] || set -- tar.zst tar.xz
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=hardmeter-$version-x86_64-linux
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}
work=$(mktemp -d)
trap 'rm -rf -- "$work" "$dist/$name.part"' EXIT
root=$work/$name

cmake --install "$build" --strip --component tool --prefix "$root" >/dev/null
# Valgrind's files belong to the system's Valgrind, whose version they must have.
find "$root/libexec/hardmeter" ! -type d ! -name hardmeter-direct -delete
find "$root/share/doc" -type f ! -name '*.md' ! -name LICENSE ! -name '*.toml' -delete
rm -r "$root/share/doc/hardmeter/docs/decisions"  # for developers
find "$root/share/doc" -type d -empty -delete

# The program in bin/ starts the one in lib/hardmeter/programs/ (src/portable/loader/loader.cc).
private=$root/lib/hardmeter
mkdir -p "$private/programs"
mv "$root/bin/hardmeter" "$private/programs/"
ln -sf hardmeter "$root/share/bash-completion/completions/ebs"
cp "$build/portable/hardmeter-loader" "$root/bin/hardmeter"
strip "$root/bin/hardmeter"

# Libraries that the program loads when a command needs them. Others are used if the system has them: libcurl,
# libdebuginfod, libpqos.
loaded=(libmicrohttpd.so.12)
folders=$(ldconfig -p | sed -n 's|.* => \(/.*\)/[^/]*$|\1|p' | sort -u)
find_library() {
  local folder
  for folder in $folders; do
    if [ -e "$folder/$1" ] && readelf -h "$folder/$1" | grep -q X86-64; then echo "$folder/$1"; return; fi
  done
  echo "tarball: $1 is not installed" >&2
  return 1
}
needed() { ldd "$@" | sed -n 's|.* => \(/[^ ]*\) (0x.*|\1|p'; }
libraries=("$(find_library ld-linux-x86-64.so.2)")
for library in "${loaded[@]}"; do libraries+=("$(find_library "$library")"); done
mapfile -t libraries < <({ needed "$private/programs/hardmeter" "${libraries[@]:1}"; printf '%s\n' "${libraries[@]}"; } | sort -u)
for library in "${libraries[@]}"; do cp -L --preserve=mode -- "$library" "$private/"; done

# Not RUNPATH: libraries find their own libraries there as well, whatever LD_LIBRARY_PATH is.
patchelf --force-rpath --set-rpath '$ORIGIN/../lib/hardmeter' "$private/programs/hardmeter"

# Descriptions of terminals, for systems without any (src/view/screen/terminal.cc).
mkdir -p "$root/share/terminfo"
for terminal in ansi linux rxvt screen screen-256color tmux tmux-256color vt100 vt220 xterm xterm-256color; do
  mkdir -p "$root/share/terminfo/${terminal:0:1}"
  cp -L "/lib/terminfo/${terminal:0:1}/$terminal" "$root/share/terminfo/${terminal:0:1}/"
done

python3 "$here/components.py" "$root" "$version" "${libraries[@]}"
cp "$here/README.archive" "$root/README"

# One modification time, owner and order.
chmod -R u=rwX,go=rX -- "$root"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=posix \
  --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime -C "$work" -cf "$work/archive.tar" "$name"
for format in "$@"; do
  file=$dist/$name.$format
  case $format in
    tar) cat "$work/archive.tar" ;;
    tar.zst) zstd -q --ultra -22 -c "$work/archive.tar" ;;
    tar.xz) xz -9e -c "$work/archive.tar" ;;
    *) echo "tarball: unknown format $format" >&2; exit 2 ;;
  esac >"$dist/$name.part"
  mv -- "$dist/$name.part" "$file"
  stat --printf='%s %n\n' "$file" | awk '{ size = $1; sub(/^[0-9]+ /, ""); printf "%s: %.1f MB\n", $0, size / 1e6 }'
done
cp "$root/sbom.spdx.json" "$dist/$name.spdx.json"
