// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "app/measure/soft/passing_records.h"
#include "pmu/soft/launcher/collector.h"
#include "pmu/soft/launcher/engine.h"

namespace hm::measure {

// Returns a sentence for each place with an instruction that the engine cannot run: the instruction, the
// function, and a remedy.
[[nodiscard]] std::vector<std::string> explain_undecodable(const std::vector<soft::Undecodable>& found,
                                                           const PassingRecords& passing,
                                                           const soft::Engine& engine);

}  // namespace hm::measure
