// SPDX-License-Identifier: MIT
// Counts the words of standard input and prints the three most frequent.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

int main() {
  std::map<std::string, int> counts;
  for (std::string word; std::cin >> word;) ++counts[word];
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [word, count] : counts) order.emplace_back(count, word);
  std::sort(order.rbegin(), order.rend());
  for (size_t i = 0; i < 3 && i < order.size(); ++i)
    std::cout << order[i].second << ' ' << order[i].first << '\n';
}
