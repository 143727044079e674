// SPDX-License-Identifier: MIT
// Where this program is installed.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace hm {

// Returns the folder that contains bin/ with this program. Fails with kUnsupported without /proc.
[[nodiscard]] Result<std::filesystem::path> installation_folder();

}  // namespace hm
