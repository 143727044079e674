// SPDX-License-Identifier: MIT
// What of a run of the software PMU was collected, in words.
#pragma once

#include <string>
#include <vector>

#include "app/measure/soft/result.h"

namespace hm::measure {

// "only inside walk (entered 1,000 times), from 500 ms on"; empty where everything was.
[[nodiscard]] std::string describe_collection(const SoftResult& result);

// Why nothing was collected of what the user wanted: a sentence for each reason.
[[nodiscard]] std::vector<std::string> explain_collection(const SoftResult& result);

// Which allocators that the user has named were not there, likewise.
[[nodiscard]] std::vector<std::string> explain_allocators(const SoftResult& result);

}  // namespace hm::measure
