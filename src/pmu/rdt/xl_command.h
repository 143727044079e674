// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::rdt {

// Runs Xen's command xl, found in PATH, with these arguments and returns its output. xl has no terminal and
// gets no signals from the terminal. Fails with kUnsupported if there is no xl. Fails with kIo if xl fails
// (with xl's first error line), runs longer than 30 s, or prints more than 1 MiB.
[[nodiscard]] Result<std::string> run_xl(const std::vector<std::string>& arguments);

}  // namespace hm::rdt
