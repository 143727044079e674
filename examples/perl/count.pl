# SPDX-License-Identifier: MIT
# Counts how often each of 20,000 users comes in a made-up log of 60,000 lines, and prints the first five.
use strict;
my (%count, $seed);
for (1 .. 60_000) {
  $seed = ($_ * 2654435761) % 4294967296;
  $count{'user' . ($seed >> 8) % 20_000}++;
}
print "$_ $count{$_}\n" for (sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count)[0 .. 4];
