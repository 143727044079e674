// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "view/ci/formats.h"
#include "view/text/diff_text.h"
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
  std::string_view element = check.verdict == diff::Verdict::kUndetermined ? "skipped" : "failure";
  return fmt::format("<{} message=\"{}\"/>", element, for_xml(text::check_sentence(check)));
}

struct Suite {
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  std::string cases;

  void add(const std::string& class_name, const std::string& name, const std::string& outcome) {
    ++tests;
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"0\">{}</testcase>\n",
                         for_xml(class_name), for_xml(name), outcome);
  }

  void add(const diff::NamedDiff& result) {
    const std::string class_name = result.name.empty() ? "hardmeter" : "hardmeter." + result.name;
    if (!result.failure.empty()) {
      ++errors;
      add(class_name, "measurement", fmt::format("<error message=\"{}\"/>", for_xml(result.failure)));
    }
    for (const diff::Check& check : result.diff.checks) {
      failures += diff::is_violated(check.verdict) ? 1 : 0;
      skipped += check.verdict == diff::Verdict::kUndetermined ? 1 : 0;
      add(class_name, check.limit.spec, outcome_of(check));
    }
  }
};

}  // namespace

std::string junit(Results results) {
  Suite suite;
  for (const diff::NamedDiff& each : results) suite.add(each);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"hardmeter\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\">\n"
      "{}</testsuite>\n",
      suite.tests, suite.failures, suite.errors, suite.skipped, suite.cases);
}

}  // namespace hm::ci
