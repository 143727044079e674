# SPDX-License-Identifier: MIT
# Counts words in a hash, as scripts do.
use strict;
my %count;
my $random = 12345;
for my $i (1 .. 300000) {
    $random = ($random * 1103515245 + 12345) & 0x7fffffff;
    $count{"key" . ($random % 50000)} += $i;
}
my $sum = 0;
$sum += $count{$_} & 0xffff for sort keys %count;
print "$sum\n";
