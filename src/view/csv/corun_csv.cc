// SPDX-License-Identifier: MIT
#include "view/csv/corun_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "view/csv/text_field.h"

namespace hm::csv {

std::string corun_lines(const corun::Corun& corun, const std::vector<std::string>& names) {
  std::string lines = "program,beside,alone,extra,low,high\n";
  for (const corun::Pair& pair : corun.pairs) {
    for (size_t i = 0; i < 2; ++i) {
      const corun::Member& member = pair.members[i];
      fmt::format_to(std::back_inserter(lines), "{},{},{:.4f},{:.4f},{:.4f},{:.4f}\n",
                     text_field(names[member.program]), text_field(names[pair.members[1 - i].program]),
                     member.alone, member.extra.value, member.extra.low, member.extra.high);
    }
  }
  return lines;
}

}  // namespace hm::csv
