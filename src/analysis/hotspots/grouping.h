// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/hotspots/data_source_key.h"
#include "analysis/hotspots/heap_site_key.h"
#include "analysis/hotspots/sort_key.h"
#include "profile/profile.h"

namespace hm::hotspots {

// Numbers the distinct combinations of sort keys from 0, in order of appearance. A key depends on the
// sample's location, thread or event alone, so that keys are looked at once for each of these, not for each
// sample.
class Grouping {
 public:
  Grouping(const profile::Profile& profile, const symbol::Resolver& resolver,
           const std::vector<SortKey>& keys, bool inlines);

  uint32_t group_of(size_t sample);
  // What a person reads for the sample's key; after group_of().
  [[nodiscard]] std::string text_of(SortKey key, size_t sample) const;

 private:
  struct PairHash {
    size_t operator()(const std::pair<uint64_t, uint64_t>& pair) const {
      return std::hash<uint64_t>()(pair.first * 0x9e3779b97f4a7c15 ^ pair.second);
    }
  };
  // Numbers pairs from 0, in order of appearance.
  class Pairs {
   public:
    uint32_t number(uint64_t first, uint64_t second) {
      return numbers_.try_emplace({first, second}, static_cast<uint32_t>(numbers_.size())).first->second;
    }

   private:
    std::unordered_map<std::pair<uint64_t, uint64_t>, uint32_t, PairHash> numbers_;
  };

  // The keys that depend on one column of the samples, and the number of their combination for each of the
  // column's values.
  struct Part {
    const std::vector<uint32_t>& column;
    std::vector<SortKey> keys;
    std::vector<uint32_t> numbers;
    std::vector<Pairs> combinations;  // one a key, with the number of the keys before
  };

  struct Line {
    uint64_t number = 0;
    std::string text;
  };

  void add_part(const std::vector<uint32_t>& column, size_t values, bool (*belongs)(SortKey));
  uint32_t number_in(Part& part, size_t sample);
  // A number that is equal for two samples just where the key's texts belong to one row.
  uint64_t number_of(SortKey key, size_t sample);
  uint64_t line_number(uint32_t location);
  uint64_t text_number(const std::string& text);

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  const std::vector<SortKey>& keys_;
  bool inlines_;
  std::vector<Part> parts_;
  std::optional<HeapSiteKey> sites_;      // where the heap's blocks are asked for
  std::optional<DataSourceKey> sources_;  // where who answered is asked for
  std::vector<Pairs> groups_;  // one for each part but the first, with the number of the parts before
  std::unordered_map<uint32_t, Line> lines_;  // by location
  std::unordered_map<std::string, uint64_t> texts_;
};

}  // namespace hm::hotspots
