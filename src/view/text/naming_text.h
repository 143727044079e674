// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analysis/fleet/naming.h"

namespace hm::text {

// Returns lines that begin with # about locations for which no name was found. Empty if all names were found.
[[nodiscard]] std::string naming_lines(const std::optional<fleet::Naming>& naming);

}  // namespace hm::text
