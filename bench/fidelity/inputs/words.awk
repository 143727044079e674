# SPDX-License-Identifier: MIT
# Counts words and the sum of their lengths, and prints the most frequent word.
{
  for (i = 1; i <= NF; ++i) {
    gsub(/[^A-Za-z_]/, "", $i)
    ++count[tolower($i)]
    length_of_all += length($i)
  }
}
END {
  for (word in count) if (count[word] > count[first] || (count[word] == count[first] && word < first)) first = word
  print first, count[first], length_of_all
}
