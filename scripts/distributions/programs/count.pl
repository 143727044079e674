# SPDX-License-Identifier: MIT
# Counts names in a hash.
my ($random, %counts) = (1);
for (1 .. 200000) {
  $random = ($random * 1664525 + 1013904223) % 4294967296;
  ++$counts{"name " . $random % 100000};
}
print scalar(keys %counts), "\n";
