// SPDX-License-Identifier: MIT
#include "symbol/files/symbol_table.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace hm::symbol {
namespace {

constexpr uint64_t kPage = 4096;
constexpr size_t kMaxNames = std::numeric_limits<uint32_t>::max();

size_t leading_underscores(std::string_view name) {
  return std::min(name.find_first_not_of('_'), name.size());
}

bool better(const RawSymbol& a, const RawSymbol& b) {
  auto rank = [](const RawSymbol& symbol) {
    return std::tuple(symbol.size == 0, symbol.weak, !symbol.global, leading_underscores(symbol.name),
                      std::numeric_limits<size_t>::max() - symbol.name.size());
  };
  auto rank_a = rank(a), rank_b = rank(b);
  return rank_a != rank_b ? rank_a < rank_b : a.name < b.name;
}

uint64_t saturating_add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

}  // namespace

SymbolTable::SymbolTable(std::vector<RawSymbol> raw) {
  std::ranges::sort(raw, [](const RawSymbol& a, const RawSymbol& b) {
    return a.start != b.start ? a.start < b.start : better(a, b);
  });
  close_open_ends(keep(raw));
  lay_segments();
}

std::vector<uint64_t> SymbolTable::keep(const std::vector<RawSymbol>& sorted) {
  std::vector<uint64_t> limits;
  for (const RawSymbol& symbol : sorted) {
    if (!entries_.empty() && entries_.back().start == symbol.start) continue;
    if (symbol.name.size() > kMaxNames - names_.size() || entries_.size() == kNone) break;
    entries_.push_back({symbol.start, saturating_add(symbol.start, symbol.size),
                        static_cast<uint32_t>(names_.size()), static_cast<uint32_t>(symbol.name.size())});
    names_ += symbol.name;
    limits.push_back(symbol.limit);
  }
  return limits;
}

void SymbolTable::close_open_ends(const std::vector<uint64_t>& limits) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.end != entry.start) continue;
    bool last = i + 1 == entries_.size();
    entry.end = last ? saturating_add(entry.start, 2 * kPage - entry.start % kPage) : entries_[i + 1].start;
    if (limits[i] > entry.start) entry.end = std::min(entry.end, limits[i]);
  }
}

// A single sweep: `open` holds the symbols that cover the current address, innermost last.
void SymbolTable::lay_segments() {
  std::vector<uint32_t> open;
  auto close_until = [&](uint64_t address) {
    while (!open.empty() && entries_[open.back()].end <= address) {
      uint64_t end = entries_[open.back()].end;
      while (!open.empty() && entries_[open.back()].end <= end) open.pop_back();
      segments_.push_back({end, open.empty() ? kNone : open.back()});
    }
  };
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    close_until(entries_[i].start);
    if (!segments_.empty() && segments_.back().begin == entries_[i].start) segments_.pop_back();
    segments_.push_back({entries_[i].start, i});
    open.push_back(i);
  }
  close_until(UINT64_MAX);
}

std::optional<Symbol> SymbolTable::find(uint64_t address) const {
  auto after = std::ranges::upper_bound(segments_, address, {}, &Segment::begin);
  if (after == segments_.begin()) return std::nullopt;
  uint32_t entry = std::prev(after)->entry;
  if (entry == kNone) return std::nullopt;
  return at(entry);
}

std::optional<Symbol> SymbolTable::find_name(std::string_view name) const {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (Symbol symbol = at(i); symbol.name == name) return symbol;
  }
  return std::nullopt;
}

Symbol SymbolTable::at(size_t index) const {
  const Entry& entry = entries_[index];
  return {entry.start, entry.end - entry.start,
          std::string_view(names_).substr(entry.name_offset, entry.name_size)};
}

}  // namespace hm::symbol
