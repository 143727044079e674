// SPDX-License-Identifier: MIT
// long_keys [KEYS=50000]: searches a sorted array of strings of 28 characters, which std::string keeps in
// heap blocks of their own. Mended: without the beginning that is equal in all, 8 characters, which it keeps
// in itself.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr uint32_t kMaxKeys = 50000, kSearches = 150000;

uint64_t state = 1;

uint32_t next() {
  state = state * 6364136223846793005 + 1442695040888963407;
  return static_cast<uint32_t>(state >> 33);
}

std::string key_of(uint32_t number) {
  char text[40];
#ifdef MENDED
  std::snprintf(text, sizeof text, "%08x", number);
#else
  std::snprintf(text, sizeof text, "customers/of/all/us/%08x", number);
#endif
  return text;
}

[[gnu::noipa]] uint64_t find(const std::vector<std::string>& keys, const std::string& key) {
  return static_cast<uint64_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
}

}  // namespace

int main(int count, char** arguments) {
  uint32_t size = count > 1 ? static_cast<uint32_t>(std::atoi(arguments[1])) : kMaxKeys;
  if (size == 0 || size > kMaxKeys) return 1;
  std::vector<std::string> keys;
  keys.reserve(size);
  for (uint32_t i = 0; i < size; ++i) keys.push_back(key_of(next()));
  std::sort(keys.begin(), keys.end());
  uint64_t sum = 0;
  for (uint32_t i = 0; i < kSearches; ++i) sum = sum * 3 + find(keys, key_of(next()));
  std::printf("%lu\n", sum);
}
