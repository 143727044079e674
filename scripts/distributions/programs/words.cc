// SPDX-License-Identifier: MIT
// Counts words in a hash table.
#include <cstdio>
#include <string>
#include <unordered_map>

__attribute__((noinline)) static size_t count_words(std::unordered_map<std::string, int>& counts) {
  unsigned random = 1;
  for (int i = 0; i < 300000; ++i) {
    random = random * 1664525u + 1013904223u;
    ++counts["word number " + std::to_string(random % 100000)];
  }
  return counts.size();
}

int main() {
  std::unordered_map<std::string, int> counts;
  std::printf("%zu\n", count_words(counts));
}
