// SPDX-License-Identifier: MIT
#include "view/text/counting_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "event/event_template.h"
#include "view/text/format.h"
#include "view/text/totals_text.h"
#include "view/text/verdict_text.h"

namespace hm::text {
namespace {

// The verdict has the shares of the waits; their counts are shown to users who name them.
bool is_shown(const totals::Counting& counting, const std::string& name) {
  const event::EventTemplate* known = event::find_event(name);
  bool is_wait = known != nullptr && known->group == event::EventGroup::kWait;
  return !is_wait || std::ranges::find(counting.requested, name) != counting.requested.end();
}

// Returns "-1.20 to +3.40 %", relative to the median.
std::string range_text(const totals::CountRange& range, uint64_t median) {
  if (median == 0) return fmt::format("{} to {}", grouped(range.lowest), grouped(range.highest));
  const auto change = [&](uint64_t count) {
    return 100 * (static_cast<double>(count) / static_cast<double>(median) - 1);
  };
  constexpr double kShown = 0.005;
  if (range.lowest == range.highest) return "equal";
  if (-change(range.lowest) < kShown && change(range.highest) < kShown) return "below 0.01 %";
  return fmt::format("{:+.2f} to {:+.2f} %", change(range.lowest), change(range.highest));
}

std::string range_text(const totals::EventTotal& event) {
  return event.range ? range_text(*event.range, event.count.exact->value) : "";
}

std::string events_table(const totals::Counting& counting, const Style& style) {
  bool has_range = counting.layouts > 1;
  std::vector<Table::Heading> headings{{"event", Align::kLeft}, {has_range ? "median" : "counted"}};
  if (has_range) headings.push_back({fmt::format("range of {} layouts", counting.layouts)});
  headings.push_back({"per 1000 instructions"});
  if (!has_range) headings.push_back({"per second", Align::kRight, Presence::kOptional});
  Table table(std::move(headings));
  for (const totals::EventTotal& event : counting.totals.events) {
    if (!is_shown(counting, event.name)) continue;
    std::vector<std::string> cells{event.name, exact_text(event.count.exact)};
    if (has_range) cells.push_back(range_text(event));
    cells.push_back(rate_text(event.per_thousand_instructions));
    if (!has_range) cells.push_back(rate_text(event.per_second));
    table.add(std::move(cells));
  }
  return table.render(style);
}

std::string cycles_line(const totals::Counting& counting) {
  if (!counting.modelled->cycles) return "cycles by the cost model were not measured";
  std::string out = fmt::format("{} cycles by the cost model", grouped(*counting.modelled->cycles));
  if (auto ipc = counting.instructions_per_cycle()) out += fmt::format(", {:.2f} instructions a cycle", *ipc);
  if (counting.cycles_range)
    out += fmt::format(", in {} layouts {}", counting.layouts,
                       range_text(*counting.cycles_range, *counting.modelled->cycles));
  return out;
}

std::string processes_line(const totals::Modelled& modelled) {
  std::string out = fmt::format("{}, {}", count_of(modelled.processes, "process", "processes"),
                                count_of(modelled.threads, "thread", "threads"));
  if (modelled.unrecorded_processes != 0) {
    out += fmt::format("; {} could not be counted",
                       count_of(modelled.unrecorded_processes, "more process", "more processes"));
  }
  return out + '\n';
}

// Empty if the kernel was measured, or if its CPU time is unknown.
std::string unseen_kernel(const totals::Counting& counting) {
  return counting.cpu ? record::unseen_kernel_text(*counting.cpu) : "";
}

std::string seconds(uint64_t ns) { return fmt::format("{:.3f}", static_cast<double>(ns) / 1e9); }

}  // namespace

std::string counting_report(const totals::Counting& counting, const Style& style) {
  std::string out = fmt::format("{} counted {}\n", counting.pmu, printable(counting.target));
  const auto add = [&](const std::string& text, size_t indent) {
    out += wrapped(text, style.width, indent) + '\n';
  };
  if (counting.modelled) add(counting.modelled->machine, 2);
  if (std::string kernel = unseen_kernel(counting); !kernel.empty()) add(kernel, 2);
  if (auto verdict = totals::find_verdict(counting)) out += '\n' + verdict_lines(*verdict, "", style.width);
  out += fmt::format("\n{}", events_table(counting, style));
  for (const std::string& note : counting.notes) add("  " + printable(note), 4);
  out += '\n';
  if (counting.modelled) add(cycles_line(counting), 2);
  if (counting.modelled && counting.modelled->cycles)
    add(fmt::format("  ({})", counting.modelled->cost_model), 4);
  if (counting.totals.elapsed_ns)
    out += fmt::format("{} seconds elapsed\n", seconds(*counting.totals.elapsed_ns));
  return counting.modelled ? out + processes_line(*counting.modelled) : out;
}

}  // namespace hm::text
