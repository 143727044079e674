// SPDX-License-Identifier: MIT
// Which rows of a snapshot are shown, and in what order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/occupancy/snapshot.h"

namespace hm::screen {

enum class LlcSort : uint8_t { kHeld, kMemory, kLocal, kPid, kName };

struct LlcOrder {
  LlcSort sort = LlcSort::kHeld;
  bool reversed = false;  // amounts: the largest first, unless reversed; PIDs and names: the smallest
  bool tree = false;      // rows stand below their parents
  std::string filter;     // only rows with it in their name or PID; empty: all
};

struct ShownRow {
  const occupancy::Row* row = nullptr;
  std::string branch;  // what is drawn before its name, in a tree
  size_t below = 0;    // rows that are shown below it
  // What it and those below hold; nullopt where none of them was measured.
  std::optional<uint64_t> sum_bytes;
  bool is_least = false;  // some of them were not measured
};

// Points into the snapshot. Rows that were not measured come last. Letters of either case are found alike.
[[nodiscard]] std::vector<ShownRow> arranged(const occupancy::Snapshot& snapshot, const LlcOrder& order,
                                             bool drawing);

[[nodiscard]] bool has_text(const occupancy::Row& row, std::string_view text);

}  // namespace hm::screen
