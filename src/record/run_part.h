// SPDX-License-Identifier: MIT
// What a recording says of a run of which it has only a part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "record/features.h"

namespace hm::record {

struct RunPart {
  uint64_t number = 0;           // from 1
  uint64_t begin_ns = 0;         // of the run
  uint64_t end_ns = 0;           // likewise
  uint64_t began_ns = 0;         // by CLOCK_MONOTONIC
  nlohmann::json bursts_before;  // bursts_in() of the parts before; null: there are none
};

// Returns what is said of the bursts, an empty object if there were none.
[[nodiscard]] nlohmann::json bursts_in(const Features& features);

// Takes away what is known only of the whole run, such as exact counts, and says which part this is.
void restrict_to_part(const RunPart& part, Features& features);

// How a recording reached its limit.
struct SizeLimit {
  uint64_t max_bytes = 0;
  uint64_t reached_ns = 0;  // of the run
  uint64_t elapsed_ns = 0;  // the whole run
};

// Says so in a run's description: the member "stopped", and a line for results.
[[nodiscard]] std::string with_size_limit(const std::string& description, const SizeLimit& limit);
// The line.
[[nodiscard]] std::string size_limit_text(const SizeLimit& limit);
// nullopt if the recording did not reach its limit.
[[nodiscard]] std::optional<SizeLimit> size_limit_in(const nlohmann::json& description);

// JSON of either for a result: {"max_bytes", "reached_ns", "elapsed_ns"}, {"number", "begin_ns", "end_ns"};
// null if there is none.
[[nodiscard]] nlohmann::json size_limit_json(const nlohmann::json& description);
[[nodiscard]] nlohmann::json part_json(const nlohmann::json& description);

}  // namespace hm::record
