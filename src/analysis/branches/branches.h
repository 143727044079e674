// SPDX-License-Identifier: MIT
// Which branches ran: the entries of the samples' branch stacks (LBR, BRS, the software PMU's), added up by
// where they come from and where they go to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/filter.h"
#include "profile/profile.h"

namespace hm::branches {

enum class GroupBy { kFunction, kAddress };

// "function" (perf's symbol_from,symbol_to) or "ip". kInvalidArgument for another.
Result<GroupBy> parse_group(std::string_view text);

struct Options {
  GroupBy group = GroupBy::kFunction;
  profile::FilterOptions filter;  // of the samples that the stacks belong to
  size_t limit = 0;               // rows; 0: all
};

struct Place {
  std::string function;
  std::string dso;
  std::optional<uint64_t> address;  // in the object; nullopt where rows are functions

  bool operator==(const Place&) const = default;
};

struct Row {
  Place from;
  Place to;
  uint64_t entries = 0;
  double share = 0;  // of all branches that the entries stand for, by their samples' periods
  // Entries of which the hardware says that they were, or were not, as predicted; both 0: it says nothing.
  uint64_t mispredicted = 0;
  uint64_t predicted = 0;
  // Mean time since the branch before; nullopt where no entry has a time.
  std::optional<double> mean_cycles;
  // Mispredicted part of the branches; nullopt if the hardware does not report it.
  std::optional<double> misprediction_rate{};
};

struct Branches {
  GroupBy group = GroupBy::kFunction;
  uint64_t samples = 0;        // that have a branch stack
  uint64_t entries = 0;        // in them, without the empty ones
  uint64_t empty_entries = 0;  // from 0 to 0: slots that held no branch
  std::vector<Row> rows;       // largest share first
  size_t all_rows = 0;         // before the limit
};

// Stacks of calls (record::is_call_stack) do not count: they become call chains (profile/call_chain.h).
// kNotFound where no sample that the filter lets through has a branch stack; kInvalidArgument where it names
// an unknown event.
Result<Branches> find_branches(const profile::Profile& profile, const Options& options);

}  // namespace hm::branches
