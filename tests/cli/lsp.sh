#!/bin/bash
# SPDX-License-Identifier: MIT
# An editor's client gets lenses, diagnostics and hovers at the lines of a recording: lsp.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_engine
has cc || exit 77
tests=$(cd "$(dirname "$0")" && pwd)
# Each of the 4096 lines of the array is read for the first time: compulsory misses, at one source line.
cat >"a source.c" <<'C'
static volatile char array[4096][64];
int main(void) {
  int sum = 0;
  for (int i = 0; i < 4096; ++i) {
    sum += array[i][0];  /* the hot line: 😀 */
  }
  return sum;
}
C
cc -g -O1 -o "a program" "a source.c"
expect "the compiler" 0 $?
python3 "$tests/lsp.py" "$hardmeter" "$work/a program" "$work/a source.c"
expect "lsp.py" 0 $?
finish
