// SPDX-License-Identifier: MIT
#include "cli/top_as_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/status_line.h"
#include "view/screen/terminal_modes.h"
#include "view/text/causes_text.h"
#include "view/text/hotspots_text.h"
#include "view/text/progress_text.h"

namespace hm::cli {
namespace {

constexpr size_t kRows = 8;  // of each event

std::string event_text(const query::TopEvent& event, const text::Style& style) {
  hotspots::Hotspots table = event.functions;
  table.rows.resize(std::min(table.rows.size(), kRows));
  std::string text = table.no_shares.empty() ? std::string() : table.no_shares + "\n\n";
  return text + text::hotspots_title(table) + text::hotspots_table(table, style) + '\n' +
         text::causes(event.causes, style);
}

std::string view_text(const TopMeasurement& measurement) {
  text::Style style = output_style();
  size_t width = style.width == 0 ? SIZE_MAX : style.width;
  constexpr std::string_view kTitle = "hardmeter top: ";
  std::string text = fmt::format("{}{}\n", kTitle,
                                 joined_to_fit(text::progress_fields(measurement.progress()),
                                               width - std::min(width, kTitle.size() + 1)));
  const query::TopView* view = measurement.view();
  if (view == nullptr) return text + "\nno samples yet\n";
  if (std::vector<std::string> head = top_head(*view); !head.empty()) {
    text += '\n';
    for (const std::string& line : head) text += line + '\n';
  }
  if (view->events.empty()) text += "\nno samples yet\n";
  for (const query::TopEvent& event : view->events) text += '\n' + event_text(event, style);
  return text;
}

}  // namespace

Result<std::string> top_as_text(const TopOptions& options, const symbol::Resolver& resolver) {
  screen::TerminalModes modes;  // handles Ctrl-Z, if there is a terminal
  TopMeasurement measurement(options, resolver, false);
  while (interrupts() == 0 && !measurement.had_enough()) {
    if (screen::TerminalModes::wants_stop()) {
      measurement.stop();
      modes.stop([] { return interrupts() != 0; });
      measurement.start();
      continue;
    }
    std::optional<Result<measure::Recorded>> end = measurement.ended();  // before the last view is taken
    if (measurement.look(true, end.has_value())) {
      Status written = write_output(view_text(measurement) + '\n');
      if (!written && interrupts() == 0) return written.error();  // else the terminal is gone (SIGHUP)
    }
    if (end) return measurement.farewell(*end);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return measurement.farewell_after_views();
}

}  // namespace hm::cli
