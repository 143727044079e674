// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/hotspots/hotspots.h"

namespace hm::hotspots {

// Numbers the distinct combinations of sort keys from 0, in order of appearance; allocates per combination,
// not per sample.
class Grouping {
 public:
  Grouping(const profile::Profile& profile, const std::vector<SortKey>& keys, bool inlines)
      : profile_(profile), keys_(keys), inlines_(inlines) {}

  uint32_t group_of(size_t sample);
  // What a person reads for the sample's key; after group_of().
  [[nodiscard]] std::string text_of(SortKey key, size_t sample) const;

 private:
  struct PairHash {
    size_t operator()(const std::pair<uint64_t, uint64_t>& pair) const {
      return std::hash<uint64_t>()(pair.first * 0x9e3779b97f4a7c15 ^ pair.second);
    }
  };

  struct Line {
    uint64_t number = 0;
    std::string text;
  };

  // A number that is equal for two samples just where the key's texts belong to one row.
  uint64_t number_of(SortKey key, size_t sample);
  uint64_t line_number(uint32_t location);
  [[nodiscard]] symbol::SourceLine source_line(uint32_t location) const;
  uint64_t text_number(const std::string& text);

  const profile::Profile& profile_;
  const std::vector<SortKey>& keys_;
  bool inlines_;
  // (group of the keys so far, number of the next key) -> group; one map a key.
  std::vector<std::unordered_map<std::pair<uint64_t, uint64_t>, uint32_t, PairHash>> groups_;
  std::unordered_map<uint32_t, Line> lines_;  // by location
  std::unordered_map<std::string, uint64_t> texts_;
};

}  // namespace hm::hotspots
