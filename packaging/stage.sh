#!/bin/bash
# SPDX-License-Identifier: MIT
# Lays a release archive out as the packages install it: stage.sh ARCHIVE ROOT
# The programs and their libraries are in ROOT/usr/lib/hardmeter, and links to them in ROOT/usr/bin.
set -euo pipefail
archive=$1
root=$2
private=$root/usr/lib/hardmeter
share=$root/usr/share
mkdir -p "$private" "$share" "$root/usr/bin"
tar -xf "$archive" --strip-components=1 -C "$private"

for program in hardmeter ebs; do ln -s "../lib/hardmeter/bin/$program" "$root/usr/bin/$program"; done
mv "$private"/share/{man,bash-completion,zsh,fish} "$share/"
mkdir -p "$share/doc"
mv "$private/share/doc/hardmeter" "$share/doc/"
mv "$private/licenses" "$private/sbom.spdx.json" "$share/doc/hardmeter/"
rmdir "$private/share/doc"
rm "$private/README"
mkdir -p "$root/usr/lib/systemd"
mv "$private/lib/systemd/system" "$root/usr/lib/systemd/"
rmdir "$private/lib/systemd"
find "$share/man" -type f -exec gzip -9n {} +
