#!/bin/bash
# SPDX-License-Identifier: MIT
# Puts the outputs of this machine into every document that has a test: update.sh [OPTION...] (those of check_document.py)
set -eu
cd "$(dirname "$0")/../.."
mapfile -t documents < <(sed -n 's/^hm_document_test([a-z_]* \([^ ]*\) .*/\1/p' tests/docs/CMakeLists.txt)
exec python3 tests/docs/check_document.py --update "$@" "${documents[@]}"
