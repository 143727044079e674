// SPDX-License-Identifier: MIT
// Sums up the branches that ran: entries of the samples' branch stacks (LBR, BRS or the software PMU's),
// grouped by source and target.
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

// Parses "function" (or perf's "symbol_from,symbol_to") or "ip". Fails with kInvalidArgument for other names.
Result<GroupBy> parse_group(std::string_view text);

struct Options {
  GroupBy group = GroupBy::kFunction;
  profile::FilterOptions filter;  // applied to the samples that own the branch stacks
  size_t limit = 0;               // maximum number of rows; 0 = all
};

// Source or target of branches.
struct BranchEndpoint {
  std::string function;
  std::string dso;
  std::optional<uint64_t> address;  // address in the object file; nullopt if rows are functions

  bool operator==(const BranchEndpoint&) const = default;
};

struct Row {
  BranchEndpoint from;
  BranchEndpoint to;
  uint64_t entries = 0;
  double share = 0;  // fraction of all branches, by the periods of the samples
  // Entries that the hardware reports as mispredicted or predicted; both 0 if it reports neither.
  uint64_t mispredicted = 0;
  uint64_t predicted = 0;
  // Mean cycles since the previous branch; nullopt if no entry has a time.
  std::optional<double> mean_cycles;
  // Mispredicted part of the branches; nullopt if the hardware does not report it.
  std::optional<double> misprediction_rate{};
};

struct Branches {
  GroupBy group = GroupBy::kFunction;
  uint64_t samples = 0;        // samples with a branch stack
  uint64_t entries = 0;        // entries of these stacks, without the empty ones
  uint64_t empty_entries = 0;  // entries from 0 to 0: unused slots of the stack
  std::vector<Row> rows;       // largest share first
  size_t all_rows = 0;         // number of rows before the limit
};

// Ignores call stacks (record::is_call_stack), because they become call chains (profile/call_chain.h). Fails
// with kNotFound if no sample that passes the filter has a branch stack, and with kInvalidArgument if the
// filter names an unknown event.
// `resolver`: not null if the filter's function may be inlined.
Result<Branches> find_branches(const profile::Profile& profile, const Options& options,
                               const symbol::Resolver* resolver = nullptr);

}  // namespace hm::branches
