// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"

namespace hm::soft {

// Where the engines are installed, beside the program; an error where `file` is not there.
Result<std::string> engine_folder(const char* file);

}  // namespace hm::soft
