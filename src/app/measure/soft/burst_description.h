// SPDX-License-Identifier: MIT
// Describes the bursts of a run that was measured in bursts.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/measure/soft/soft_result.h"

namespace hm::measure {

// Returns true if not everything was counted, or if this is not yet certain.
[[nodiscard]] bool was_in_bursts(const SoftResult& result);

// Returns "1,240 bursts of 8,192 instructions and data accesses, 0.2 % of the program; ...", or "" if
// everything was measured.
[[nodiscard]] std::string describe_bursts(const SoftResult& result);

// Describes the budget and its use; empty if there was none.
[[nodiscard]] std::string describe_budget(const SoftResult& result);

// Returns the figures of the bursts for the recording's metadata. Includes each event's "relative_error": the
// half-width of its 95 % interval, null if the bursts do not determine it.
[[nodiscard]] nlohmann::json bursts_json(const SoftResult& result);

// Scales a count from the bursts to the whole program; 0 if no burst was measured. Returns the count
// unchanged if the run was not in bursts.
[[nodiscard]] uint64_t scaled(const SoftResult& result, uint64_t count);

// Returns the event's total, an estimate if only bursts were measured.
[[nodiscard]] uint64_t total_of(const SoftResult& result, event::EventId id);

// Returns the estimated time of the cycles; nullopt if their costs are those of no machine.
[[nodiscard]] std::optional<uint64_t> estimated_ns(const SoftResult& result);

// Returns the cost model's cycles, an estimate if only bursts were measured.
[[nodiscard]] std::optional<uint64_t> cycles_of(const SoftResult& result);

}  // namespace hm::measure
