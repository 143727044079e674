// SPDX-License-Identifier: MIT
#include "view/text/cause_words.h"

#include <fmt/format.h>

#include "view/text/format.h"

namespace hm::text {

void append_line(std::string& out, std::string_view head, const std::string& text, const Style& style) {
  constexpr size_t kIndent = 13;
  out += wrapped(fmt::format("    {:<9}{}", head, text), style.width, kIndent) + '\n';
}

std::string gain_text(const cause::Gain& gain, const std::optional<double>& share) {
  std::string low = percent(gain.low), high = percent(gain.high);
  std::string part = low == high ? "some " + high : gain.low == 0 ? "up to " + high : low + " to " + high;
  std::string of_all = share ? fmt::format("{} of all", percent(gain.high * *share)) : "";
  if (gain.of_cycles)
    of_all += fmt::format("{}at most {} of the modelled cycles", share ? ", " : "", percent(*gain.of_cycles));
  if (!of_all.empty()) of_all = fmt::format(" ({})", of_all);
  return fmt::format("{} of these{}: {}", part, of_all, gain.why);
}

}  // namespace hm::text
