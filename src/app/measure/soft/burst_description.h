// SPDX-License-Identifier: MIT
// What a run that was measured in bursts says of them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/measure/soft/result.h"

namespace hm::measure {

// Not all was counted, or may not be.
[[nodiscard]] bool was_in_bursts(const SoftResult& result);

// "1,240 bursts of 8,192 instructions and data accesses, 0.2 % of the program; ..."; empty where everything
// was measured.
[[nodiscard]] std::string describe_bursts(const SoftResult& result);

// What the budget was, and what was used of it; empty where there was none.
[[nodiscard]] std::string describe_budget(const SoftResult& result);

// Of a recording's description: the same in figures, with each event's "relative_error": half of its 95 %
// interval, null where the bursts do not tell.
[[nodiscard]] nlohmann::json bursts_json(const SoftResult& result);

// What was counted in bursts alone, if there were any, scaled to all of the program; 0 where there was none.
[[nodiscard]] uint64_t scaled(const SoftResult& result, uint64_t count);

// The event's total: an estimate where only bursts were measured.
[[nodiscard]] uint64_t total_of(const SoftResult& result, event::EventId id);

// Likewise the cost model's cycles.
[[nodiscard]] std::optional<uint64_t> cycles_of(const SoftResult& result);

}  // namespace hm::measure
