// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "analysis/diff/profile_diff.h"

namespace hm::ci {

// Returns the level of a limit that is not kept, as GitHub Actions and SARIF name it: "warning" if the
// comparison is undecided, else "error".
[[nodiscard]] inline std::string_view level_of(diff::Verdict verdict) {
  return verdict == diff::Verdict::kUndetermined ? "warning" : "error";
}

}  // namespace hm::ci
