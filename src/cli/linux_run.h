// SPDX-License-Identifier: MIT
// The kernel's PMU behind `record`, `run` and `stat`.
#pragma once

#include "cli/soft_run.h"

namespace hm::cli {

[[nodiscard]] Result<Recorded> record_linux(const Measurement& measurement, const RecordingOptions& options,
                                            const std::string& reason);

[[nodiscard]] Result<Counted> count_linux(const Measurement& measurement, const ProgramOptions& options);

}  // namespace hm::cli
