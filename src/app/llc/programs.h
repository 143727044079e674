// SPDX-License-Identifier: MIT
// Programs that are run to be measured, or beside what is measured.
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
  // Of the software PMU.
  soft::EngineWish engine = soft::EngineWish::kAuto;
  soft::GeometryOptions geometry;
};

// Programs by their number, from 1 on, with what they start.
[[nodiscard]] std::vector<WantedRow> program_rows(const std::vector<std::vector<std::string>>& commands,
                                                  const std::vector<pid_t>& processes);

// A source without samples. The programs begin in its second round, so that they can be measured, and
// bounded, from their beginning. It is over when they are; where there are none, when it is asked to end.
class Programs : public pmu::Source {
 public:
  // From start() on. What measures them; null: somebody else does.
  [[nodiscard]] virtual rdt::Provider* provider() { return nullptr; }
  [[nodiscard]] std::vector<WantedRow> rows() const { return program_rows(commands_, processes()); }

 protected:
  explicit Programs(std::vector<std::vector<std::string>> commands) : commands_(std::move(commands)) {}

  [[nodiscard]] virtual std::vector<pid_t> processes() const = 0;  // by program
  [[nodiscard]] const std::vector<std::vector<std::string>>& commands() const { return commands_; }
  // To be asked once a round.
  [[nodiscard]] bool are_to_begin() { return ++rounds_ == 2; }
  void wait_to_begin(pmu::Wait& wait) const {
    constexpr uint64_t kSoonNs = 1'000'000;
    if (rounds_ < 2) wait.at_most(kSoonNs);
  }

 private:
  std::vector<std::vector<std::string>> commands_;
  uint64_t rounds_ = 0;
};

// Under the software PMU, with one last-level cache for all of them. kInvalidArgument where the modelled
// machine has no third level.
[[nodiscard]] Result<std::unique_ptr<Programs>> modelled_programs(const ProgramsOptions& options);

// As they are.
[[nodiscard]] std::unique_ptr<Programs> native_programs(const ProgramsOptions& options);

// "a 1 , b 2": the words between commas that stand alone; kInvalidArgument where one has no words.
[[nodiscard]] Result<std::vector<std::vector<std::string>>> split_commands(
    const std::vector<std::string>& words);

}  // namespace hm::llc
