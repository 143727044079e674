// SPDX-License-Identifier: MIT
// The standard files of a command, as pmu::CommandOutput describes them.
#pragma once

#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "pmu/target.h"

namespace hm::pmu {

// Descriptors that replace those of the command; invalid ones replace nothing.
struct CommandFiles {
  UniqueFd input;
  UniqueFd output;
  bool also_errors = false;  // `output` replaces standard error, too
};

// `file` is the path for CommandOutput::kToFile, which is created or emptied. Fails with kIo if a file cannot
// be opened.
[[nodiscard]] Result<CommandFiles> open_command_files(CommandOutput output, const std::string& file);

}  // namespace hm::pmu
