// SPDX-License-Identifier: MIT
// Input for the compiler: little code that instantiates many templates.
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
