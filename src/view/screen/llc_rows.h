// SPDX-License-Identifier: MIT
// Selection and order of the rows of a snapshot that are shown.
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
  bool reversed = false;  // amounts are in descending order, PIDs and names ascending, unless reversed
  bool tree = false;      // rows stand below their parents
  std::string filter;     // show only rows with this text in their name or PID; empty: all
};

struct ShownRow {
  const occupancy::Row* row = nullptr;
  std::string branch;  // tree branches to draw before the name
  size_t below = 0;    // number of rows shown below it in the tree
  // Sum of this row and the rows below it; nullopt if none of them was measured.
  std::optional<uint64_t> sum_bytes;
  bool is_least = false;  // lower bound: some of these rows were not measured
};

// The result points into the snapshot. Rows that were not measured come last. The filter ignores the case of
// letters.
[[nodiscard]] std::vector<ShownRow> arranged(const occupancy::Snapshot& snapshot, const LlcOrder& order,
                                             bool drawing);

[[nodiscard]] bool has_text(const occupancy::Row& row, std::string_view text);

}  // namespace hm::screen
