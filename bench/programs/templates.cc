// SPDX-License-Identifier: MIT
// For the compiler: a little code with many templates behind it.
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

int main(int count, char** words) {
  std::map<std::string, std::vector<int>> places;
  std::unordered_map<std::string, std::function<int(int)>> functions;
  for (int i = 0; i < count; ++i) {
    places[words[i]].push_back(i);
    functions[words[i]] = [i](int x) { return x + i; };
  }
  std::vector<int> sums(static_cast<size_t>(count));
  std::sort(sums.begin(), sums.end(), [](int a, int b) { return a > b; });
  return static_cast<int>(places.size() + functions.size());
}
