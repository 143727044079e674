// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "view/ci/formats.h"
#include "view/text/diff.h"
#include "view/text/format.h"

namespace hm::ci {
namespace {

// For attributes. text::printable() has replaced control characters, which XML cannot express.
std::string for_xml(std::string_view text) {
  std::string out;
  for (char letter : text::printable(text)) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += letter;
    }
  }
  return out;
}

// Returns the element inside the test case; "" for a limit that is kept.
std::string outcome_of(const diff::Check& check) {
  if (check.verdict == diff::Verdict::kWithin) return {};
  std::string_view element = check.verdict == diff::Verdict::kUntold ? "skipped" : "failure";
  return fmt::format("<{} message=\"{}\"/>", element, for_xml(text::check_sentence(check)));
}

}  // namespace

std::string junit(const diff::Diff& result) {
  auto failures = std::ranges::count_if(result.checks, diff::is_violated, &diff::Check::verdict);
  auto skipped = std::ranges::count(result.checks, diff::Verdict::kUntold, &diff::Check::verdict);
  std::string cases;
  for (const diff::Check& check : result.checks) {
    cases += fmt::format("  <testcase classname=\"hardmeter\" name=\"{}\" time=\"0\">{}</testcase>\n",
                         for_xml(check.limit.spec), outcome_of(check));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"hardmeter\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"0\">\n"
      "{}</testsuite>\n",
      result.checks.size(), failures, skipped, cases);
}

}  // namespace hm::ci
