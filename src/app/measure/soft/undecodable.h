// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "app/measure/soft/passing_records.h"
#include "pmu/soft/launcher/collector.h"
#include "pmu/soft/launcher/engine.h"

namespace hm::measure {

// One sentence for each place where a program met an instruction that the engine cannot run: which
// instruction, which function, what to do.
[[nodiscard]] std::vector<std::string> explain_undecodable(const std::vector<soft::Undecodable>& found,
                                                           const PassingRecords& passing,
                                                           const soft::Engine& engine);

}  // namespace hm::measure
