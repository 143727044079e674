// SPDX-License-Identifier: MIT
// Columns of the table of rows, limited by the width of the screen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "view/screen/llc_rows.h"
#include "view/screen/llc_texts.h"

namespace hm::screen {

enum class LlcColumnIs : uint8_t {
  kMark,
  kPid,
  kHeld,
  kShare,
  kMemory,
  kLocal,
  kSum,
  kInterval,
  kMeasured,
  kHistory,
  kName,
};

struct LlcColumn {
  LlcColumnIs is;
  std::string title;
  size_t width;
  std::optional<LlcSort> sort;  // the sort order that uses this column's values
};

// Returns the sort orders for which the snapshot has values.
[[nodiscard]] std::vector<LlcSort> sorts_of(const occupancy::Snapshot& snapshot);

// Columns are separated by a space. The name is the last column and takes the remaining width.
[[nodiscard]] std::vector<LlcColumn> llc_columns(const occupancy::Snapshot& snapshot, const LlcOrder& order,
                                                 size_t width);

[[nodiscard]] std::string llc_heading(const std::vector<LlcColumn>& columns, const LlcOrder& order,
                                      bool drawing);
// Returns the line of a row. Its marks and histories are blank.
[[nodiscard]] std::string llc_line(const std::vector<LlcColumn>& columns, const occupancy::Snapshot& snapshot,
                                   const ShownRow& shown, LlcUnit unit);
// Returns the first screen column of `which`; nullopt if there was no room for it.
[[nodiscard]] std::optional<size_t> place_of(LlcColumnIs which, const std::vector<LlcColumn>& columns);

}  // namespace hm::screen
