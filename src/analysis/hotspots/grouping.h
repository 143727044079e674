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
#include "profile/process_cgroups.h"
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

  // A function in a sample's call chain; `level` counts the written functions at the location from the
  // innermost one, which is 0 (profile::written_functions_at).
  struct Origin {
    size_t sample = 0;
    uint32_t location = 0;
    uint32_t level = 0;

    bool operator==(const Origin&) const = default;
  };
  struct CallingGroup {
    uint32_t group = 0;
    Origin first;
  };

  // Returns the group of the sample itself.
  uint32_t group_of(size_t sample);
  // Returns the groups of the functions at a location in the sample's call chain, innermost first. Requires
  // that groups_functions() is true.
  void add_calling_groups(size_t sample, uint32_t location, std::vector<CallingGroup>& groups);
  // Returns true if the keys define rows for functions anywhere in a call chain: if one key is the function,
  // and the others depend only on the function's object, the thread or the event.
  [[nodiscard]] static bool groups_functions(const std::vector<SortKey>& keys);
  // Returns how many frames of the sample's location belong to its row if rows are functions: those of the
  // row's function, and of what is inlined into it. Call group_of() for the sample first.
  [[nodiscard]] size_t frames_of_function(size_t sample) const;
  // Returns the text of a key for display. Call group_of() or add_calling_groups() for the sample first.
  [[nodiscard]] std::string text_of(SortKey key, const Origin& origin) const;
  // Returns the whole path of the line at `origin`; empty if unknown or if rows are not lines.
  [[nodiscard]] std::string line_path_of(const Origin& origin) const;
  // Returns the source files of the function at `origin`, that of an inlined function as both; empty if
  // unknown or if rows are not functions.
  [[nodiscard]] profile::FunctionFiles files_of(const Origin& origin) const;
  [[nodiscard]] Origin origin_of(size_t sample) const { return {sample, profile_.samples.location[sample]}; }

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
    std::unordered_map<uint32_t, std::vector<uint32_t>> levels{};  // by location: the number of each function
  };

  struct Line {
    uint64_t number = 0;
    std::string text;
    std::string path;
  };

  void add_part(const std::vector<uint32_t>& column, size_t values, bool (*belongs)(SortKey));
  uint32_t number_in(Part& part, size_t sample);
  // Returns a number that is equal for two samples if and only if the key's texts belong to one row.
  uint64_t number_of(SortKey key, const Origin& origin);
  uint32_t combination_of(Part& part, const Origin& origin);
  uint32_t with_other_parts(uint32_t group, size_t sample);
  const std::vector<profile::WrittenFunction>& functions_at(uint32_t location);
  uint64_t function_number(const Origin& origin);
  [[nodiscard]] std::optional<uint32_t> symbol_of(uint32_t dso, const profile::WrittenFunction& function);
  const std::string& file_of_symbol(uint32_t function);
  uint64_t line_number(uint32_t location);
  uint64_t text_number(const std::string& text);

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  std::optional<profile::ProcessCgroups> cgroups_;  // if a key needs them
  const std::vector<SortKey>& keys_;
  bool inlined_lines_, inlined_functions_;
  std::vector<Part> parts_;
  std::optional<HeapSiteKey> sites_;      // set if a key needs allocation sites
  std::optional<DataSourceKey> sources_;  // set if a key needs data sources
  std::vector<Pairs>
      groups_;  // one for each part but the first; pairs the part with the number of the preceding parts
  std::unordered_map<uint32_t, std::vector<profile::WrittenFunction>> functions_;  // by location
  std::unordered_map<std::string, std::vector<uint32_t>>
      by_name_;                                             // functions with symbols, by object and name
  std::unordered_map<uint32_t, std::string> symbol_files_;  // source files of functions with symbols
  std::vector<uint32_t> first_locations_;                   // by function with a symbol
  std::unordered_map<uint32_t, Line> lines_;                // by location
  std::unordered_map<std::string, uint64_t> texts_;
};

}  // namespace hm::hotspots
