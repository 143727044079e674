// SPDX-License-Identifier: MIT
// Programs that are started to be measured, or to run beside a measurement.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/llc/rows.h"
#include "base/result.h"
#include "model/geometry.h"
#include "pmu/rdt/provider.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/engine_choice.h"
#include "pmu/source.h"
#include "pmu/target.h"

namespace hm::llc {

struct ProgramsOptions {
  std::vector<std::vector<std::string>> commands;
  pmu::CommandOutput output = pmu::CommandOutput::kToStandardError;
  // For the software PMU.
  soft::EngineWish engine = soft::EngineWish::kAuto;
  soft::GeometryOptions geometry;
};

// Returns a row for each program, numbered from 1. A row includes the program's descendant processes.
[[nodiscard]] std::vector<WantedRow> program_rows(const std::vector<std::vector<std::string>>& commands,
                                                  const std::vector<pid_t>& processes);

// A source without samples. The programs start in its second round, so that they can be measured and
// restricted from their start. It ends when all programs have ended; without programs, it ends on request.
class Programs : public pmu::Source {
 public:
  // Valid after start(). Returns the provider that measures the programs; null if another provider must do
  // so.
  [[nodiscard]] virtual rdt::Provider* provider() { return nullptr; }
  [[nodiscard]] std::vector<WantedRow> rows() const { return program_rows(commands_, processes()); }

 protected:
  explicit Programs(std::vector<std::vector<std::string>> commands) : commands_(std::move(commands)) {}

  [[nodiscard]] virtual std::vector<pid_t> processes() const = 0;  // by program
  [[nodiscard]] const std::vector<std::vector<std::string>>& commands() const { return commands_; }
  // Must be called once per round.
  [[nodiscard]] bool are_to_begin() { return ++rounds_ == 2; }
  void wait_to_begin(pmu::Wait& wait) const {
    constexpr uint64_t kSoonNs = 1'000'000;
    if (rounds_ < 2) wait.at_most(kSoonNs);
  }

 private:
  std::vector<std::vector<std::string>> commands_;
  uint64_t rounds_ = 0;
};

// Runs the programs under the software PMU with one shared last-level cache. Fails with kInvalidArgument if
// the modelled machine has no third cache level.
[[nodiscard]] Result<std::unique_ptr<Programs>> modelled_programs(const ProgramsOptions& options);

// Runs the programs natively.
[[nodiscard]] std::unique_ptr<Programs> native_programs(const ProgramsOptions& options);

// Splits "a 1 , b 2" at lone commas. Fails with kInvalidArgument if a command has no words.
[[nodiscard]] Result<std::vector<std::vector<std::string>>> split_commands(
    const std::vector<std::string>& words);

}  // namespace hm::llc
