// SPDX-License-Identifier: MIT
#include "view/text/counts.h"

#include <fmt/format.h>

namespace hm::text {

std::string share_text(const std::optional<profile::Share>& share) {
  if (!share) return "-";
  return fmt::format("{} ±{:.1f}", percent(share->value), (share->high - share->low) / 2 * 100);
}

}  // namespace hm::text
