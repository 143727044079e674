# SPDX-License-Identifier: MIT
# hash.pl KEYS OPERATIONS: counts in a hash that is larger than the caches.
use strict;
my ($keys, $operations) = @ARGV;
my %count;
my $random = 12345;
for my $i (1 .. $operations) {
    $random = ($random * 1103515245 + 12345) & 0x7fffffff;
    $count{"key" . ($random % $keys)} += $i;
}
my $sum = 0;
$sum += $_ & 0xffff for values %count;
print "$sum\n";
