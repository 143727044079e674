// SPDX-License-Identifier: MIT
// Texts for a snapshot of the last-level cache; amounts have a fixed unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "view/screen/llc_rows.h"
#include "view/screen/plot.h"

namespace hm::screen {

enum class LlcUnit : uint8_t { kAuto, kKib, kMib };

[[nodiscard]] std::string amount_text(double bytes, LlcUnit unit);
// Returns "-" if not measured.
[[nodiscard]] std::string rate_text(const std::optional<double>& bytes_per_s, LlcUnit unit);
// Prefixes values of an earlier measurement with "~".
[[nodiscard]] std::string held_text(const occupancy::Row& row, LlcUnit unit);
// Returns for example "1.20 to 4.50 MiB"; empty if it is a single number or not measured.
[[nodiscard]] std::string interval_text(const occupancy::Row& row, LlcUnit unit);
[[nodiscard]] std::string share_text(const std::optional<uint64_t>& bytes, uint64_t cache_bytes);

// Returns the name of what a row stands for, for example "process".
[[nodiscard]] const char* by_text(occupancy::By by);
// Returns for example "software PMU (modelled)".
[[nodiscard]] std::string who_measured(const occupancy::Snapshot& snapshot);
// Returns for example "at least 9.3 MiB of 16.0 MiB held (58.1%)".
[[nodiscard]] std::string sum_text(const occupancy::Snapshot& snapshot, LlcUnit unit);

// Returns all details of one row.
[[nodiscard]] std::vector<std::string> detail_lines(const occupancy::Snapshot& snapshot,
                                                    const ShownRow& shown,
                                                    const std::vector<PlotValue>& history, LlcUnit unit);
[[nodiscard]] const std::vector<std::string>& llc_help();

}  // namespace hm::screen
