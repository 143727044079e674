#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles Perl as it counts names in a hash. $1 is hardmeter; the recording is left in ./perl.data.
set -eu
hardmeter=${1:-hardmeter}
here=$(dirname "$0")
export PERL_HASH_SEED=0  # Perl orders hashes differently in each run otherwise
exec "$hardmeter" run -o perl.data -- perl "$here/count.pl"
