// SPDX-License-Identifier: MIT
// Outputs for the snapshots of `hardmeter llc`: printing, serving metrics, or a full screen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "base/result.h"
#include "cli/llc_flags.h"

namespace hm::cli {

class LlcOutput {
 public:
  LlcOutput() = default;
  LlcOutput(const LlcOutput&) = delete;
  LlcOutput& operator=(const LlcOutput&) = delete;
  virtual ~LlcOutput() = default;

  // Interval at which is_due() and poll() must be called.
  [[nodiscard]] virtual uint64_t every_ns() const = 0;
  [[nodiscard]] virtual bool is_due() const { return true; }
  virtual void poll() {}

  [[nodiscard]] virtual Status take(const occupancy::Snapshot& snapshot) = 0;
  // Returns whether the output needs no more snapshots.
  [[nodiscard]] virtual bool finished() const = 0;
  // Called when nothing is left to measure. Returns whether the output needs a final snapshot.
  [[nodiscard]] virtual bool wants_end() const = 0;
  // Returns when the user has closed the output.
  virtual void stay() {}

  // Returns what rows should stand for now; nullopt: the initial choice.
  [[nodiscard]] virtual std::optional<occupancy::By> wanted_by() const { return std::nullopt; }
};

// Returns where the measured programs' output goes: discarded beside a full screen, to standard error if
// figures are printed, and unchanged if figures are only printed at the end.
[[nodiscard]] pmu::CommandOutput command_output(const LlcFlags& flags, const LlcPlan& plan);

// `possible`: what rows can stand for; the first is selected at the beginning.
[[nodiscard]] Result<std::unique_ptr<LlcOutput>> open_llc_output(const LlcFlags& flags, const LlcPlan& plan,
                                                                 std::vector<occupancy::By> possible);

}  // namespace hm::cli
