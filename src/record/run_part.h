// SPDX-License-Identifier: MIT
// The run description of a recording that covers only a part of the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "record/features.h"

namespace hm::record {

struct RunPart {
  uint64_t number = 0;           // from 1
  uint64_t begin_ns = 0;         // time since the start of the run
  uint64_t end_ns = 0;           // time since the start of the run
  uint64_t began_ns = 0;         // CLOCK_MONOTONIC time
  nlohmann::json bursts_before;  // bursts_in() of the earlier parts; null: none
};

// Returns the description of the bursts; an empty object if there were none.
[[nodiscard]] nlohmann::json bursts_in(const Features& features);

// Removes values that are valid only for the whole run, for example exact counts, and records the number of
// this part.
void restrict_to_part(const RunPart& part, Features& features);

// When a recording reached its size limit.
struct SizeLimit {
  uint64_t max_bytes = 0;   // 0: the limit was a number of samples
  uint64_t reached_ns = 0;  // time since the start of the run
  uint64_t elapsed_ns = 0;  // duration of the whole run
};

// Adds the limit to a run description: the member "stopped", and a line for results.
[[nodiscard]] std::string with_size_limit(const std::string& description, const SizeLimit& limit);
// Returns that line.
[[nodiscard]] std::string size_limit_text(const SizeLimit& limit);
// Returns nullopt if the recording did not reach its limit.
[[nodiscard]] std::optional<SizeLimit> size_limit_in(const nlohmann::json& description);

// Return JSON for a result: {"max_bytes", "reached_ns", "elapsed_ns"} and {"number", "begin_ns", "end_ns"};
// null if the description has none.
[[nodiscard]] nlohmann::json size_limit_json(const nlohmann::json& description);
[[nodiscard]] nlohmann::json part_json(const nlohmann::json& description);

}  // namespace hm::record
