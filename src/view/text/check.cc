// SPDX-License-Identifier: MIT
#include "view/text/check.h"

#include <fmt/format.h>

#include <optional>

#include "view/text/format.h"

namespace hm::text {
namespace {

std::string or_not_recorded(const std::optional<uint64_t>& value) {
  return value ? grouped(*value) : "not recorded";
}

std::string problems_text(const std::vector<std::string>& problems) {
  if (problems.empty()) return "problems: none\n";
  std::string out = fmt::format("problems: {}\n", problems.size());
  for (const std::string& problem : problems) out += fmt::format("  {}\n", printable(problem));
  return out;
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
  sums.add({"period", or_not_recorded(result.period_sum)});
  sums.add({"branch entries", or_not_recorded(result.branch_entries)});
  sums.add({"call chain entries", or_not_recorded(result.callchain_ips)});
  sums.add({"lost", grouped(result.lost)});
  return fmt::format("{}\n{}\n{}\n{}", records.render(style), samples.render(style), sums.render(style),
                     problems_text(result.problems));
}

}  // namespace hm::text
