#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes an RPM package of a release archive, for every distribution that uses RPM: rpm.sh ARCHIVE VERSION DIST
set -euo pipefail
archive=$(realpath -- "$1")
version=$2
dist=$(realpath -- "$3")
here=$(dirname -- "$(realpath -- "$0")")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
bash "$here/stage.sh" "$archive" "$work/stage"
rpmbuild -bb --quiet --target x86_64 --define "_topdir $work/rpm" --define "_stage $work/stage" --define "_version $version" \
  --define "_buildhost reproducible" --define "use_source_date_epoch_as_buildtime 1" \
  --define "clamp_mtime_to_source_date_epoch 1" --define "_build_id_links none" "$here/hardmeter.spec"
cp "$work"/rpm/RPMS/x86_64/*.rpm "$dist/"
