#!/bin/sh
# SPDX-License-Identifier: MIT
# The neighbour: nothing for four seconds, then ten scans of 16 MiB, three times. $1: the example scan.
for i in 1 2 3; do
  sleep 4
  for k in 1 2 3 4 5 6 7 8 9 10; do "$1" >/dev/null; done
done
