// SPDX-License-Identifier: MIT
#include "view/text/callers_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "symbol/display_name.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr double kHalf = 0.5;
constexpr std::string_view kMain = "main";  // the callers of main are the same everywhere
constexpr size_t kMaxShown = 3;             // maximum number of callers shown where paths branch

std::string with_share(const callers::Caller& caller) {
  return fmt::format("{} {}", caller_text(caller), percent(caller.share));
}

}  // namespace

std::string caller_text(const callers::Caller& caller) {
  std::string_view file = caller.file;
  std::string text = symbol::display_name(printable(caller.function));
  if (caller.inlined) text += " (inlined)";
  if (caller.line != 0)
    text += fmt::format(" {}:{}", printable(file.substr(file.rfind('/') + 1)), caller.line);
  return text;
}

std::string callers_path(const std::vector<callers::Caller>& callers) {
  std::string text;
  const std::vector<callers::Caller>* next = &callers;
  double share = 0;
  for (; !next->empty() && next->front().share >= kHalf; next = &next->front().callers) {
    if (!text.empty()) text += ", ";
    text += caller_text(next->front());
    share = next->front().share;
    if (next->front().function == kMain) return text + fmt::format(" ({})", percent(share));
  }
  if (!text.empty()) text += fmt::format(" ({})", percent(share));
  for (size_t i = 0; i < std::min(next->size(), kMaxShown); ++i)
    text += (text.empty() ? "" : i == 0 ? "; then " : ", ") + with_share((*next)[i]);
  return text;
}

}  // namespace hm::text
