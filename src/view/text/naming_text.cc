// SPDX-License-Identifier: MIT
#include "view/text/naming_text.h"

#include <fmt/format.h>

#include "view/text/format.h"
#include "view/text/recording_text.h"

namespace hm::text {
namespace {

// Returns the first build IDs, shortened to the usual number of digits.
std::string builds_text(const std::vector<std::string>& builds) {
  constexpr size_t kShown = 3, kDigits = 12;
  std::string text;
  for (size_t i = 0; i < builds.size() && i < kShown; ++i)
    text += (i == 0 ? " " : ", ") + printable(builds[i].substr(0, kDigits));
  if (builds.size() > kShown) text += fmt::format(" and {} more", builds.size() - kShown);
  return text;
}

std::string_view where_text(const fleet::Naming& naming) {
  return naming.queries_servers ? "here or at DEBUGINFOD_URLS" : "here, and DEBUGINFOD_URLS is not set";
}

}  // namespace

std::string naming_lines(const std::optional<fleet::Naming>& naming) {
  if (!naming) return {};
  std::string out;
  if (naming->unnamed != 0) {
    out = fmt::format("# {} of {} have no name: ", grouped(naming->unnamed),
                      count_of(naming->places, "place that came without", "places that came without"));
    out += naming->unknown.empty() ? std::string("the debug files do not name them\n")
                                   : fmt::format("{}{} {}\n",
                                                 naming->unknown.size() == 1 ? "no debug file of build"
                                                                             : "no debug files of builds",
                                                 builds_text(naming->unknown), where_text(*naming));
  }
  if (naming->more)
    out += fmt::format("# more places came without a name: only the hottest {} were looked for\n",
                       grouped(naming->places));
  return out + problem_lines(naming->problems);
}

}  // namespace hm::text
