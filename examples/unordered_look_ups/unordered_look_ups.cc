// SPDX-License-Identifier: MIT
// unordered_look_ups [KEYS=65536]: looks up keys in a std::unordered_map, which keeps each entry in a node of
// its own. Mended: a flat table with open addressing, like absl::flat_hash_map.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

constexpr uint32_t kMaxKeys = 65536, kLookUps = 600000;

uint64_t key_of(uint32_t number) { return number * uint64_t{0x2545f4914f6cdd1d} | 1; }

#ifdef MENDED
class Table {
 public:
  explicit Table(uint32_t keys) {
    size_t size = 1;
    while (size < 2 * size_t{keys}) size *= 2;
    entries_.resize(size);
  }
  void insert(uint64_t key, uint64_t value) { *slot_of(key) = {key, value}; }
  uint64_t at(uint64_t key) { return slot_of(key)->second; }

 private:
  std::pair<uint64_t, uint64_t>* slot_of(uint64_t key) {
    size_t i = (key * 0x9e3779b97f4a7c15 >> 20) & (entries_.size() - 1);
    while (entries_[i].first != 0 && entries_[i].first != key) i = (i + 1) & (entries_.size() - 1);
    return &entries_[i];
  }
  std::vector<std::pair<uint64_t, uint64_t>> entries_;
};
#else
class Table {
 public:
  explicit Table(uint32_t keys) { entries_.reserve(keys); }
  void insert(uint64_t key, uint64_t value) { entries_.emplace(key, value); }
  uint64_t at(uint64_t key) { return entries_.find(key)->second; }

 private:
  std::unordered_map<uint64_t, uint64_t> entries_;
};
#endif

[[gnu::noipa]] uint64_t find(Table& table, uint64_t key) { return table.at(key); }

}  // namespace

int main(int count, char** arguments) {
  uint32_t keys = count > 1 ? static_cast<uint32_t>(std::atoi(arguments[1])) : kMaxKeys;
  if (keys == 0 || keys > kMaxKeys) return 1;
  Table table(keys);
  for (uint32_t i = 0; i < keys; ++i) table.insert(key_of(i), i);
  uint64_t state = 1, sum = 0;
  for (uint32_t i = 0; i < kLookUps; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    sum = sum * 3 + find(table, key_of(static_cast<uint32_t>(state >> 33) % keys));
  }
  std::printf("%lu\n", sum);
}
