// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "view/ci/check_level.h"
#include "view/ci/formats.h"
#include "view/text/diff_text.h"
#include "view/text/format.h"

namespace hm::ci {
namespace {

// Escapes the characters that end a command or a property. `more` are those that only properties escape.
std::string for_command(std::string_view text, std::string_view more = "") {
  std::string out;
  for (char letter : text) {
    if (letter == '%' || letter == '\r' || letter == '\n' || more.find(letter) != std::string_view::npos) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    } else {
      out += letter;
    }
  }
  return out;
}

std::string title_of(const diff::NamedDiff& result, const std::string& text) {
  std::string title = "hardmeter: ";
  if (!result.name.empty()) title += result.name + ": ";
  return for_command(text::printable(title + text), ":,");
}

std::string commands_for(const diff::NamedDiff& result) {
  std::string out;
  if (!result.failure.empty()) {
    out += fmt::format("::error title={}::{}\n", title_of(result, "measurement"),
                       for_command(text::printable(result.failure)));
  }
  for (const diff::Check& check : result.diff.checks) {
    if (check.verdict == diff::Verdict::kWithin) continue;
    out += fmt::format("::{} title={}::{}\n", level_of(check.verdict), title_of(result, check.limit.spec),
                       for_command(text::check_sentence(check)));
  }
  return out;
}

}  // namespace

std::string workflow_commands(Results results) {
  std::string out;
  for (const diff::NamedDiff& each : results) out += commands_for(each);
  return out;
}

}  // namespace hm::ci
