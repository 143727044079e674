// SPDX-License-Identifier: MIT
// Finds the symbol that covers an address: a sorted table, built once, with binary search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hm::symbol {

struct RawSymbol {
  uint64_t start = 0;
  uint64_t size = 0;  // 0: unknown; the symbol extends to the next symbol, or to `limit`
  std::string_view name;
  bool weak = false;
  bool global = false;
  uint64_t limit = UINT64_MAX;
  bool label = false;     // a local symbol without type and size, as assemblers write for labels
  bool function = false;  // STT_FUNC
};

struct Symbol {
  uint64_t start = 0;
  uint64_t size = 0;
  std::string_view name;  // as in the file, not demangled; valid for the lifetime of the table
};

class SymbolTable {
 public:
  SymbolTable() = default;
  // If several symbols have the same address, keeps one by perf's order of preference: with a size, not weak,
  // global, fewer leading underscores, longer name. If symbols overlap, the one that starts last covers the
  // address.
  explicit SymbolTable(std::vector<RawSymbol> raw);

  [[nodiscard]] std::optional<Symbol> find(uint64_t address) const;
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] size_t size() const { return entries_.size(); }
  // Finds a symbol by its exact name in the file; takes linear time.
  [[nodiscard]] std::optional<Symbol> find_name(std::string_view name) const;
  // Returns the index-th symbol in order of address.
  [[nodiscard]] Symbol at(size_t index) const;

 private:
  struct Entry {
    uint64_t start;
    uint64_t end;
    uint32_t name_offset;
    uint32_t name_size;
  };
  // The address range from `begin` to the next segment's begin, which `entry` covers; kNone is a gap.
  struct Segment {
    uint64_t begin;
    uint32_t entry;
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  // Returns the limits of the symbols it keeps.
  std::vector<uint64_t> keep(const std::vector<RawSymbol>& sorted);
  void close_open_ends(const std::vector<uint64_t>& limits);
  void lay_segments();

  std::vector<Entry> entries_;
  std::vector<Segment> segments_;
  std::string names_;
};

}  // namespace hm::symbol
