// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::rdt {

// Runs Xen's command xl, found in PATH, and returns its output. xl has no terminal and receives no signals
// from it. Fails with kUnsupported if xl is missing. Fails with kIo and the first words of its error output
// if xl fails, takes longer than 30 s, or prints more than 1 MiB.
[[nodiscard]] Result<std::string> run_xl(const std::vector<std::string>& arguments);

}  // namespace hm::rdt
