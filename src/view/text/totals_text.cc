// SPDX-License-Identifier: MIT
#include "view/text/totals_text.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "view/text/format.h"

namespace hm::text {
namespace {

std::string or_not_measured(const std::optional<uint64_t>& value) {
  return value ? grouped(*value) : kNotMeasured;
}

std::string best_text(const totals::Count& count) {
  std::optional<double> best = count.best();
  return best ? grouped(static_cast<uint64_t>(std::llround(*best))) : kNotMeasured;
}

std::string events_table(const totals::Totals& totals, const Style& style) {
  Table table({{"event", Align::kLeft},
               {"counted"},
               {"estimated"},
               {"samples"},
               {"per 1000 instructions"},
               {"per second", Align::kRight, Presence::kOptional}});
  for (const totals::EventTotal& event : totals.events) {
    table.add({event.name, exact_text(event.count.exact), or_not_measured(event.count.estimated),
               grouped(event.count.samples), rate_text(event.per_thousand_instructions),
               rate_text(event.per_second)});
  }
  return table.render(style);
}

std::string threads_table(const totals::Totals& totals, const Style& style) {
  std::vector<Table::Heading> headings{{"thread", Align::kLeft}, {"pid"}, {"tid"}};
  for (const totals::EventTotal& event : totals.events) headings.push_back({printable(event.name)});
  Table table(std::move(headings));
  for (const totals::ThreadTotal& thread : totals.threads) {
    std::vector<std::string> cells{thread.comm, std::to_string(thread.pid), std::to_string(thread.tid)};
    for (const totals::Count& count : thread.counts) cells.push_back(best_text(count));
    table.add(std::move(cells));
  }
  return table.render(style);
}

}  // namespace

std::string rate_text(const std::optional<double>& value) {
  if (!value) return kNotMeasured;
  return *value < 100 ? fmt::format("{:.2f}", *value) : grouped(static_cast<uint64_t>(std::llround(*value)));
}

// Scales up a counter that ran only part of the time, and marks it as scaled.
std::string exact_text(const std::optional<totals::Exact>& exact) {
  if (!exact) return kNotMeasured;
  if (exact->unseen()) return "none seen";
  std::optional<double> scaled = exact->scaled();
  if (!scaled) return "never ran";
  std::string text = grouped(static_cast<uint64_t>(std::llround(*scaled)));
  if (exact->relative_error) return fmt::format("{} ± {}", text, percent(*exact->relative_error));
  if (exact->in_bursts) return text + " ± unknown";
  if (!exact->shared()) return text;
  return fmt::format(
      "{} (ran {} of the time)", text,
      percent(static_cast<double>(exact->time_running_ns) / static_cast<double>(exact->time_enabled_ns)));
}

std::string event_lines(const totals::Totals& totals) {
  std::string out;
  for (const totals::EventTotal& event : totals.events) {
    out += fmt::format("# event {}: {}", printable(event.name),
                       count_of(event.count.samples, "sample", "samples"));
    if (event.count.exact && event.count.exact->unseen())
      out += ", no event seen in the bursts";
    else if (event.count.exact)
      out += fmt::format(", {} events counted", exact_text(event.count.exact));
    else if (event.count.estimated)
      out += fmt::format(", about {} events", grouped(*event.count.estimated));
    else if (event.count.fewer_than)
      out += fmt::format(", fewer than {} events on each counter", grouped(*event.count.fewer_than));
    out += '\n';
  }
  return out;
}

std::string totals_report(const totals::Totals& totals, const Style& style) {
  std::string out = events_table(totals, style);
  if (totals.threads.size() > 1) out += '\n' + threads_table(totals, style);
  return out;
}

}  // namespace hm::text
