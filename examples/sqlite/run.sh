#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles SQLite as it fills, indexes and reads a table. $1 is hardmeter; the recording is left in ./sqlite.data.
set -eu
hardmeter=${1:-hardmeter}
here=$(dirname "$0")
exec "$hardmeter" run -o sqlite.data -- sqlite3 -batch :memory: ".read $here/fill.sql"
