// SPDX-License-Identifier: MIT
// Describes the parts of a software PMU run that were collected.
#pragma once

#include <string>
#include <vector>

#include "app/measure/soft/soft_result.h"

namespace hm::measure {

// Returns "only inside walk (entered 1,000 times), from 500 ms on"; empty if everything was collected.
[[nodiscard]] std::string describe_collection(const SoftResult& result);

// Describes the models that did not run, because no event needs them; empty if all ran.
[[nodiscard]] std::string describe_models(const SoftResult& result);

// Returns a sentence for each reason why nothing was collected despite the user's request.
[[nodiscard]] std::vector<std::string> explain_collection(const SoftResult& result);

// Returns a sentence for each allocator that the user named but the program lacks.
[[nodiscard]] std::vector<std::string> explain_allocators(const SoftResult& result);

}  // namespace hm::measure
