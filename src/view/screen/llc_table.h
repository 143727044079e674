// SPDX-License-Identifier: MIT
// The columns of the rows, as many as there is room for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "view/screen/llc_rows.h"
#include "view/screen/llc_words.h"

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
  std::optional<LlcSort> sort;  // that its values have an order
};

// What rows may be sorted by: of what the snapshot has.
[[nodiscard]] std::vector<LlcSort> sorts_of(const occupancy::Snapshot& snapshot);

// A space is between two of them; the name is the last one, and takes what is left.
[[nodiscard]] std::vector<LlcColumn> llc_columns(const occupancy::Snapshot& snapshot, const LlcOrder& order,
                                                 size_t width);

[[nodiscard]] std::string llc_heading(const std::vector<LlcColumn>& columns, const LlcOrder& order,
                                      bool drawing);
// Marks and histories are blank in it.
[[nodiscard]] std::string llc_line(const std::vector<LlcColumn>& columns, const occupancy::Snapshot& snapshot,
                                   const ShownRow& shown, LlcUnit unit);
// Where the column begins; nullopt: there was no room for it.
[[nodiscard]] std::optional<size_t> place_of(LlcColumnIs which, const std::vector<LlcColumn>& columns);

}  // namespace hm::screen
