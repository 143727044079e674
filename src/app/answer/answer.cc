// SPDX-License-Identifier: MIT
#include "app/answer/answer.h"

#include <fmt/format.h>

#include <vector>

#include "view/text/annotation_text.h"
#include "view/text/causes_text.h"
#include "view/text/event_list_text.h"
#include "view/text/format.h"
#include "view/text/hardware_events_text.h"
#include "view/text/hotspots_text.h"
#include "view/text/occupancy_over_time_text.h"
#include "view/text/reconciliation_text.h"
#include "view/text/recording_text.h"

namespace hm::answer {
namespace {

// Returns the lines at the head of a text about a recording.
template <typename Result>
std::string head(const Result& result, const text::Style& style) {
  return text::recording_header(result.profile, result.totals, style.width);
}

}  // namespace

std::string overview_text(const query::Overview& overview, const std::string& path,
                          const text::Style& style) {
  std::string out = head(overview, style);
  if (overview.reconciliation) out += '\n' + text::reconciliation(*overview.reconciliation, style);
  if (overview.scripts)
    out += '\n' + text::scripts_title(*overview.scripts) + text::hotspots_table(*overview.scripts, style);
  for (const hotspots::Hotspots& functions : overview.functions)
    out += '\n' + text::hotspots_title(functions) + text::hotspots_table(functions, style);
  out += text::worst_places(overview.worst, style);
  out += text::contested_lines(overview.contested, style);
  if (overview.causes) out += text::causes(*overview.causes, style);
  std::string more = fmt::format(
      "# more: hardmeter explain -i {0}; hardmeter report -i {0}; hardmeter annotate -i {0}", path);
  return out + '\n' + text::wrapped(more, style.width, 2) + '\n';
}

std::string report_text(const query::Report& report, const text::Style& style) {
  return head(report, style) + text::hotspots_title(report.hotspots) +
         text::hotspots_table(report.hotspots, style);
}

std::string explanation_text(const query::Explanation& found, const text::Style& style) {
  std::string who = found.over_time ? text::contention_lines(*found.over_time, style) : std::string();
  return head(found, style) + text::causes(found.causes, style) + who;
}

std::string annotation_text(const query::Annotated& found, const text::Style& style, size_t max_lines) {
  return head(found, style) + text::annotation(found.annotation, style, max_lines);
}

std::string events_text(const event::HardwareEvents& hardware, bool encodings, const text::Style& style) {
  std::vector<const event::EventTemplate*> events;
  for (const event::HardwareEvent& each : hardware.events) events.push_back(each.event);
  std::string out = text::event_list(events, style);
  return encodings ? out + '\n' + text::hardware_events(hardware, style) : out;
}

}  // namespace hm::answer
