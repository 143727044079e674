// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::rdt {

// What Xen's command xl, looked for in PATH, prints with these arguments; it sees no terminal, and no signal
// that the terminal sends. kUnsupported where there is none; kIo where it fails, with its own first words,
// does not end in half a minute, or prints more than a mebibyte.
[[nodiscard]] Result<std::string> run_xl(const std::vector<std::string>& arguments);

}  // namespace hm::rdt
