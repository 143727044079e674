// SPDX-License-Identifier: MIT
// The software PMU behind `record`, `run` and `stat`.
#pragma once

#include "analysis/totals/counting.h"
#include "app/soft_session.h"
#include "cli/program_options.h"
#include "cli/recording.h"

namespace hm::cli {

// kUnsupported for what only the kernel's PMU can do.
[[nodiscard]] Result<app::SoftOptions> soft_options(const Measurement& measurement,
                                                    const ProgramOptions& options);

[[nodiscard]] Result<Recorded> record_soft(const Measurement& measurement, const RecordingOptions& options,
                                           const std::string& reason);

struct Counted {
  totals::Counting counting;
  bool interrupted = false;
  std::vector<std::string> obstacles;  // sentences
  std::string not_started;             // why the command could not be executed: nothing was counted
};
[[nodiscard]] Result<Counted> count_soft(const Measurement& measurement, const ProgramOptions& options);

// The status with which a shell would answer, and its sentence on standard error, where there is no such
// program or the software PMU cannot run it; nullopt where it can.
[[nodiscard]] std::optional<int> refuse_program(const std::string& program);

}  // namespace hm::cli
