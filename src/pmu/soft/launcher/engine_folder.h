// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"

namespace hm::soft {

// Returns the folder of the engines, next to the program. Fails if `file` is not in it.
Result<std::string> engine_folder(const char* file);

}  // namespace hm::soft
