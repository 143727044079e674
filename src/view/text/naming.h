// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analysis/fleet/naming.h"

namespace hm::text {

// What has no name though it was looked for: lines that begin with #; none where all of it has.
[[nodiscard]] std::string naming_lines(const std::optional<fleet::Naming>& naming);

}  // namespace hm::text
