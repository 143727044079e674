#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the inputs of the measured programs in the folder $1, with the same bytes on every machine.
set -eu
mkdir -p "$1"

# 3 MB of text with the statistics of language: few frequent words, many rare ones.
awk 'BEGIN {
  random = 42; line = "";
  while (written < 3000000) {
    random = (random * 16807) % 2147483647;
    rank = int(2000 * (random / 2147483647) ^ 3);
    word = ""; letters = rank + 7;
    while (letters > 0) { word = word sprintf("%c", 97 + letters % 26); letters = int(letters / 5) }
    line = line word " ";
    if (length(line) > 70) { print line; written += length(line) + 1; line = "" }
  }
}' > "$1/text"

# C functions with loops, branches, calls and floating point, as input for the compiler.
awk 'BEGIN {
  print "double memory[1024];";
  for (f = 0; f < 14; ++f) {
    printf "int function%d(int a, int b, double x) {\n  int sum = a;\n", f;
    printf "  for (int i = 0; i < b; ++i) {\n";
    for (s = 0; s < 12; ++s) {
      k = (f * 31 + s * 17) % 97;
      if (s % 4 == 0) printf "    if ((sum ^ i) %% %d == %d) sum += a * %d; else sum -= i << %d;\n", k + 3, s, k, s % 5;
      if (s % 4 == 1) printf "    memory[(i + %d) & 1023] += x * %d.5 + memory[(sum + %d) & 1023];\n", k, s, f;
      if (s % 4 == 2) printf "    switch ((sum >> %d) & 7) { case %d: sum += %d; break; case %d: sum ^= i; break; default: x += %d; }\n", s, s % 4, k, 4 + s % 4, k;
      if (s % 4 == 3 && f > 0) printf "    sum += function%d(sum & 15, i & %d, x - %d);\n", (f * 7 + s) % f, k % 8, k;
    }
    print "  }\n  return sum + (int)x;\n}";
  }
  print "int main(void) { return function13(3, 4, 5.0) & 127; }";
}' > "$1/program.c"
