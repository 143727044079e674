// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"

namespace hm {

// Succeeds if the folder, /proc, shows this process. Fails with kUnsupported and the remedy if no proc file
// system is mounted there, or one of another PID namespace (proc(5)).
[[nodiscard]] Status check_proc(const std::string& folder = "/proc");

}  // namespace hm
