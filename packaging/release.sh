#!/bin/bash
# SPDX-License-Identifier: MIT
# All release files from one archive: release.sh ARCHIVE DIST
# A Debian package, an RPM package, an OCI image, recipes, and the checksums of everything.
set -euo pipefail
archive=$(realpath -- "$1")
dist=$(realpath -- "$2")
version=$(sed 's|.*/hardmeter-\(.*\)-x86_64-linux[.]tar.*|\1|' <<<"$archive")
here=$(dirname -- "$(realpath -- "$0")")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}

bash "$here/deb.sh" "$archive" "$version" "$dist"
bash "$here/rpm.sh" "$archive" "$version" "$dist"
bash "$here/stage.sh" "$archive" "$work/stage"
python3 "$here/image.py" "$work/stage" "$version" "$dist/hardmeter-$version-x86_64.oci.tar"
python3 "$here/recipes.py" "$archive" "$version" "$dist"
cd "$dist"
rm -f SHA256SUMS
find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
ls -l | awk 'NF > 8 { printf "%-45s %9.1f kB\n", $NF, $5 / 1000 }'
