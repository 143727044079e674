// SPDX-License-Identifier: MIT
// map_look_ups [KEYS=50000]: looks up random keys in a std::map, a node of 48 bytes for each. Mended: in a
// sorted std::vector of keys and values.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

namespace {

constexpr uint32_t kMaxKeys = 50000, kLookUps = 400000;

uint64_t state = 1;

uint64_t next() {
  state = state * 6364136223846793005 + 1442695040888963407;
  return state >> 33;
}

#ifdef MENDED
using Table = std::vector<std::pair<uint64_t, uint64_t>>;

Table make(uint32_t keys) {
  Table table;
  table.reserve(keys);
  for (uint32_t i = 0; i < keys; ++i) table.emplace_back(next() * 2, i);
  std::sort(table.begin(), table.end());
  return table;
}

[[gnu::noipa]] uint64_t at_or_above(const Table& table, uint64_t key) {
  auto found = std::lower_bound(table.begin(), table.end(), std::pair<uint64_t, uint64_t>(key, 0));
  return found == table.end() ? 0 : found->first;
}
#else
using Table = std::map<uint64_t, uint64_t>;

Table make(uint32_t keys) {
  Table table;
  for (uint32_t i = 0; i < keys; ++i) table.emplace(next() * 2, i);
  return table;
}

[[gnu::noipa]] uint64_t at_or_above(const Table& table, uint64_t key) {
  auto found = table.lower_bound(key);
  return found == table.end() ? 0 : found->first;
}
#endif

}  // namespace

int main(int count, char** arguments) {
  uint32_t keys = count > 1 ? static_cast<uint32_t>(std::atoi(arguments[1])) : kMaxKeys;
  if (keys == 0 || keys > kMaxKeys) return 1;
  Table table = make(keys);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < kLookUps; ++i) sum = sum * 3 + at_or_above(table, next() * 2);
  std::printf("%lu\n", sum);
}
