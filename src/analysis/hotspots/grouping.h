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
#include "profile/lookup.h"
#include "profile/profile.h"

namespace hm::hotspots {

// Numbers the distinct combinations of sort keys from 0, in order of appearance. A key depends only on the
// sample's location, thread or event. Keys are therefore evaluated once per location, thread or event, not
// once per sample.
class Grouping {
 public:
  // `inlined_lines`: lines are those of inlined functions; `inlined_functions`: functions are, too.
  Grouping(const profile::Profile& profile, const symbol::Resolver& resolver,
           const std::vector<SortKey>& keys, bool inlined_lines, bool inlined_functions);

  uint32_t group_of(size_t sample);
  // Returns how many frames of the sample's location belong to its row if rows are functions: those of the
  // row's function, and of what is inlined into it. Call group_of() for the sample first.
  [[nodiscard]] size_t frames_of_function(size_t sample) const;
  // Returns the text of the sample's key for display. Call group_of() for the sample first.
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

  // The keys that depend on one column of the samples. `numbers` holds, for each value of the column, the
  // number of the keys' combination.
  struct Part {
    const std::vector<uint32_t>& column;
    std::vector<SortKey> keys;
    std::vector<uint32_t> numbers;
    std::vector<Pairs> combinations;  // one per key; pairs the key with the number of the preceding keys
  };

  struct Line {
    uint64_t number = 0;
    std::string text;
  };

  void add_part(const std::vector<uint32_t>& column, size_t values, bool (*belongs)(SortKey));
  uint32_t number_in(Part& part, size_t sample);
  // Returns a number that is equal for two samples if and only if the key's texts belong to one row.
  uint64_t number_of(SortKey key, size_t sample);
  uint64_t function_number(uint32_t location);
  [[nodiscard]] std::optional<uint32_t> function_named(const std::string& key);
  uint64_t line_number(uint32_t location);
  uint64_t text_number(const std::string& text);

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  const std::vector<SortKey>& keys_;
  bool inlined_lines_, inlined_functions_;
  std::vector<Part> parts_;
  std::optional<HeapSiteKey> sites_;      // set if a key needs allocation sites
  std::optional<DataSourceKey> sources_;  // set if a key needs data sources
  std::vector<Pairs>
      groups_;  // one for each part but the first; pairs the part with the number of the preceding parts
  // Inlined functions, by location; without a name if none is inlined there.
  std::unordered_map<uint32_t, profile::InlinedFunction> inlined_;
  // Functions with symbols, by object and name; nullopt if several have the name.
  std::unordered_map<std::string, std::optional<uint32_t>> by_name_;
  std::unordered_map<uint32_t, Line> lines_;  // by location
  std::unordered_map<std::string, uint64_t> texts_;
};

}  // namespace hm::hotspots
