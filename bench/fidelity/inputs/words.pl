# SPDX-License-Identifier: MIT
# words.pl FILE: counts the words of a file by a regular expression, and prints the most frequent.
use strict;
my %count;
while (my $line = <>) {
    $count{lc $1}++ while $line =~ /([A-Za-z_]+)/g;
}
my ($first) = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
print "$first $count{$first}\n";
