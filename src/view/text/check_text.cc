// SPDX-License-Identifier: MIT
#include "view/text/check_text.h"

#include <fmt/format.h>

#include <optional>

#include "view/text/format.h"

namespace hm::text {
namespace {

std::string sentences(const char* title, const std::vector<std::string>& list) {
  std::string out = fmt::format("{}: {}\n", title, list.size());
  for (const std::string& sentence : list) out += fmt::format("  {}\n", printable(sentence));
  return out;
}

std::string problems_and_notes(const analysis::CheckResult& result) {
  std::string problems =
      result.problems.empty() ? "problems: none\n" : sentences("problems", result.problems);
  return result.notes.empty() ? problems : problems + sentences("notes", result.notes);
}

}  // namespace

std::string check_report(const analysis::CheckResult& result,
                         const std::vector<record::EventDescription>& events, const Style& style) {
  Table records({{"records", Align::kLeft}, {"count"}});
  for (const auto& [kind, count] : result.records) records.add({kind, grouped(count)});
  Table samples({{"event", Align::kLeft}, {"samples"}});
  for (size_t i = 0; i < events.size() && i < result.samples_per_event.size(); ++i) {
    samples.add({events[i].name, grouped(result.samples_per_event[i])});
  }
  Table sums({{"in the samples", Align::kLeft}, {"sum"}});
  for (const analysis::SumName& name : analysis::sum_names()) {
    if (std::optional<uint64_t> sum = result.sum(name.sum)) sums.add({std::string(name.text), grouped(*sum)});
  }
  sums.add({"lost", grouped(result.lost)});
  return fmt::format("{}\n{}\n{}\n{}", records.render(style), samples.render(style), sums.render(style),
                     problems_and_notes(result));
}

}  // namespace hm::text
