// SPDX-License-Identifier: MIT
// What becomes of the snapshots of `hardmeter llc`: they are printed or served, or shown on a full screen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "base/result.h"
#include "cli/llc_words.h"

namespace hm::cli {

class LlcOutput {
 public:
  LlcOutput() = default;
  LlcOutput(const LlcOutput&) = delete;
  LlcOutput& operator=(const LlcOutput&) = delete;
  virtual ~LlcOutput() = default;

  // So often it is to be looked at: by is_due(), and poll().
  [[nodiscard]] virtual uint64_t every_ns() const = 0;
  [[nodiscard]] virtual bool is_due() const { return true; }
  virtual void poll() {}

  [[nodiscard]] virtual Status take(const occupancy::Snapshot& snapshot) = 0;
  // It has all that it wants.
  [[nodiscard]] virtual bool finished() const = 0;
  // Nothing is left to measure. Whether it wants to know how it was at the end.
  [[nodiscard]] virtual bool wants_end() const = 0;
  // Returns when whoever looks on has seen enough.
  virtual void stay() {}

  // What rows are to stand for now; nullopt: as at the beginning.
  [[nodiscard]] virtual std::optional<occupancy::By> wanted_by() const { return std::nullopt; }
};

// Where what programs print goes: nowhere beside a full screen, to standard error where figures are printed,
// and as it is where there are none before the end.
[[nodiscard]] pmu::CommandOutput command_output(const LlcWords& words, const LlcPlan& plan);

// `possible`: what rows may stand for; the first is what they stand for at the beginning.
[[nodiscard]] Result<std::unique_ptr<LlcOutput>> open_llc_output(const LlcWords& words, const LlcPlan& plan,
                                                                 std::vector<occupancy::By> possible);

}  // namespace hm::cli
