// SPDX-License-Identifier: MIT
// Programs that run under the software PMU side by side, with one last-level cache for all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/llc/rows.h"
#include "base/result.h"
#include "model/geometry.h"
#include "pmu/rdt/provider.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/engine_choice.h"
#include "pmu/soft/launcher/run.h"
#include "pmu/source.h"

namespace hm::llc {

struct ProgramsOptions {
  std::vector<std::vector<std::string>> commands;
  soft::EngineWish engine = soft::EngineWish::kAuto;
  soft::GeometryOptions geometry;
  soft::CommandOutput output = soft::CommandOutput::kToStandardError;
};

// A source without samples.
class SharedPrograms : public pmu::Source {
 public:
  // From start() on.
  [[nodiscard]] virtual rdt::Provider& provider() = 0;
  // Programs by their number, from 1 on, with what they start.
  [[nodiscard]] virtual std::vector<WantedRow> rows() const = 0;
  // The machine in words.
  [[nodiscard]] virtual std::string machine() const = 0;
};

// kInvalidArgument where the modelled machine has no third level.
[[nodiscard]] Result<std::unique_ptr<SharedPrograms>> share_cache(const ProgramsOptions& options);

// "a 1 , b 2": the words between commas that stand alone; kInvalidArgument where one has no words.
[[nodiscard]] Result<std::vector<std::vector<std::string>>> split_commands(
    const std::vector<std::string>& words);

}  // namespace hm::llc
