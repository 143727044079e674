// SPDX-License-Identifier: MIT
#include "view/text/fleet_causes_text.h"

#include <fmt/format.h>

#include "view/text/cause_words.h"
#include "view/text/counts.h"
#include "view/text/fleet_rate_text.h"
#include "view/text/format.h"
#include "view/text/naming_text.h"

namespace hm::text {
namespace {

std::string part_text(const fleet::PartShare& part) {
  const std::optional<fleet::Interval>& limits = part.share.limits;
  std::string share = limits ? share_text(profile::Share{part.share.value, limits->low, limits->high})
                             : percent(part.share.value) + ", of one measurement";
  return fmt::format("{} {}", printable(part.name), share);
}

std::string parts_text(const std::vector<fleet::PartShare>& parts) {
  std::string text;
  for (const fleet::PartShare& each : parts) text += (text.empty() ? "" : ", ") + part_text(each);
  return text;
}

std::string why_text(const fleet::CausePlace& place) {
  if (place.classes.empty()) return "unknown: no class of these misses was measured";
  std::string text = parts_text(place.classes);
  if (place.unclassified != 0)
    text += fmt::format("; no class is known for {}", count_of(place.unclassified, "sample", "samples"));
  return text;
}

std::string place_name(const fleet::CausePlace& place) {
  std::string_view file = place.file;
  std::string line =
      place.line == 0 ? "" : fmt::format("  {}:{}", printable(file.substr(file.rfind('/') + 1)), place.line);
  return fmt::format("{}{}  ({})", place.function.empty() ? "[unknown]" : printable(place.function), line,
                     printable(place.module));
}

void append_place(std::string& out, const fleet::ServiceCauses& event, const fleet::CausePlace& place,
                  const Style& style) {
  RateForm form = rate_form(event.event, event.unit);
  if (place.rate) append_line(out, "rate", rate_text(place.rate, form) + " " + form.title, style);
  if (event.has_classes) append_line(out, "why", why_text(place), style);
  if (!place.objects.empty()) append_line(out, "what", parts_text(place.objects), style);
  if (!place.advice) return;
  append_line(out, "pattern",
              fmt::format("{}: {}", cause::name_of(place.advice->pattern), cause::remedy_of(*place.advice)),
              style);
  if (place.advice->gain) append_line(out, "gain", gain_text(*place.advice->gain, place.share), style);
}

std::string note_of(const fleet::ServiceCauses& event) {
  if (event.event == "clock")
    return "only the clock was measured: it shows where time goes, but neither which accesses miss nor why, so there are no classes and no advice";
  if (!event.has_classes) return "misses of this event have no classes";
  for (const fleet::CausePlace& place : event.places) {
    if (!place.classes.empty()) return {};
  }
  return "the PMU that measured this does not classify misses; the software PMU does: hardmeter run --pmu=soft PROGRAM";
}

}  // namespace

std::string fleet_causes(const fleet::FleetCauses& causes, const Style& style) {
  std::string out = fmt::format("# service {}\n{}", printable(causes.service), naming_lines(causes.naming));
  for (const fleet::ServiceCauses& event : causes.events) {
    RateForm form = rate_form(event.event, event.unit);
    bool is_informative = event.rate && event.event != "clock";  // a clock's rate per CPU time is 1
    std::string heading = fmt::format(
        "{}: {} with the most of {} in {}, measured by: {}{}", printable(event.event),
        count_of(event.places.size(), "place", "places"), count_of(event.samples, "sample", "samples"),
        count_of(event.batches, "measurement", "measurements"), printable(event.source),
        is_informative ? fmt::format("; {} {}", rate_text(event.rate, form), form.title) : "");
    out += '\n' + wrapped(heading, style.width, 4) + '\n';
    if (std::string note = note_of(event); !note.empty()) out += wrapped("# " + note, style.width, 2) + '\n';
    size_t number = 0;
    for (const fleet::CausePlace& place : event.places) {
      out += wrapped(fmt::format("{:>2}. {}  {}", ++number, percent(place.share), place_name(place)),
                     style.width, 4) +
             '\n';
      append_place(out, event, place, style);
    }
  }
  return out;
}

}  // namespace hm::text
