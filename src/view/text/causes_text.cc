// SPDX-License-Identifier: MIT
#include "view/text/causes_text.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "symbol/name_in_file.h"
#include "view/text/callers_text.h"
#include "view/text/cause_words.h"
#include "view/text/counts.h"
#include "view/text/format.h"
#include "view/text/function_names.h"

namespace hm::text {
namespace {

std::string levels_text(const cause::HotLocation& place) {
  std::string text;
  for (const cause::LevelShare& each : place.levels)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.level, share_text(each.share));
  return text;
}

// Explains loads that waited for an older store.
std::string replays_text(const profile::Share& aliases) {
  if (aliases.value == 0) return "an older store wrote a part of the loaded bytes";
  std::string elsewhere = "4-KiB alias: an older store wrote elsewhere, at the same offset of a page";
  return aliases.value == 1
             ? elsewhere
             : fmt::format("{} {}; else a part of the loaded bytes", elsewhere, share_text(aliases));
}

std::string classes_text(const cause::HotLocation& place) {
  if (place.aliases) return replays_text(*place.aliases);
  std::string text;
  for (const cause::ClassShare& each : place.classes) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", cause::name_of(each.miss_class), share_text(each.share));
  }
  if (place.unclassified != 0 && !place.classes.empty())
    text += fmt::format("; no class is known for {}", count_of(place.unclassified, "sample", "samples"));
  if (!text.empty()) return text;
  if (!place.estimate) return place.levels.empty() ? "not measured" : "answered by " + levels_text(place);
  return fmt::format("probably {}: {}", cause::name_of(place.estimate->miss_class), place.estimate->why);
}

// Returns the share of misses that the kernel caused in system calls; empty if there are none.
std::string by_kernel_text(const cause::HotLocation& place) {
  if (!place.by_kernel) return {};
  return fmt::format("; {} by the kernel, on behalf of the program: the system call uses this memory",
                     share_text(*place.by_kernel));
}

// Explains why no reasons are given.
std::string too_little_text(const cause::HotLocation& place) {
  if (place.too_little == cause::TooLittle::kSamples)
    return fmt::format("not shown: too few samples, {}", grouped(place.samples));
  return fmt::format("not shown: {} of the program's waits for data", percent(place.waits_share.value_or(0)));
}

std::string why_text(const cause::HotLocation& place) {
  return place.too_little ? too_little_text(place) : classes_text(place) + by_kernel_text(place);
}

std::string remedy_text(const cause::Advice& advice) {
  return fmt::format("{}: {}", cause::name_of(advice.pattern), cause::remedy_of(advice));
}

std::string latency_text(const profile::Latency& latency) {
  return fmt::format("{} cycles in the median, 90% within {}, 99% within {}, at most {}",
                     grouped(latency.median), grouped(latency.p90), grouped(latency.p99),
                     grouped(latency.most));
}

std::string objects_text(const cause::HotLocation& place) {
  std::string text;
  for (const cause::ObjectShare& each : place.objects) {
    if (!text.empty()) text += ", ";
    text += printable(each.object);
    if (!each.field.empty()) text += fmt::format(", {}", printable(each.field));
    text += " " + percent(each.share.value);
  }
  return text;
}

std::string shape_text(const cause::Walk& walk) {
  uint64_t step = cause::magnitude(walk.step_bytes.value_or(0));
  switch (walk.shape) {
    case cause::Shape::kUnknown:
      return "unknown";
    case cause::Shape::kOnePlace:
      return "one place";
    case cause::Shape::kSequential:
      return "sequential";
    case cause::Shape::kStrided:
      return fmt::format("strided by {} bytes", grouped(step));
    case cause::Shape::kPointerChase:
      return "pointer chase: the next address is loaded from here";
    case cause::Shape::kIndirect:
      return "indirect: the address comes from another load";
    case cause::Shape::kComputed:
      return "computed addresses, such as of a hash table";
    case cause::Shape::kIrregular:
      return "irregular";
    case cause::Shape::kNotClear:
      return fmt::format("unclear: {} bytes apart ({} of steps), which the code does not explain",
                         grouped(step), percent(walk.step_share));
  }
  return "unknown";
}

std::string walk_text(const cause::HotLocation& place) {
  std::string text = shape_text(place.walk);
  bool steady = place.walk.shape == cause::Shape::kSequential || place.walk.shape == cause::Shape::kStrided;
  if (steady && place.walk.step_share == 0) text += " (from the code)";
  if (steady && place.walk.step_share != 0)
    text += fmt::format(" ({} of steps)", percent(place.walk.step_share));
  if (place.access_bytes)
    text += fmt::format(", {} at a time", count_of(*place.access_bytes, "byte", "bytes"));
  if (place.lines != 0) {
    text += fmt::format("; {} in {} seen", count_of(place.lines, "line", "lines"),
                        count_of(place.pages, "page", "pages"));
  }
  return text;
}

std::string reuse_text(const cause::Reuse& reuse) {
  uint64_t bytes = reuse.lines * reuse.line_bytes;
  std::string size = bytes < 1024 ? grouped(bytes) + " bytes" : grouped(bytes / 1024) + " KiB";
  return fmt::format("after {}{} other {}, {}, in the median", reuse.at_least ? "at least " : "",
                     grouped(reuse.lines), reuse.lines == 1 ? "line" : "lines", size);
}

void append_answer(std::string& out, std::string_view condition,
                   const std::optional<profile::Share>& would_hit, const Style& style) {
  if (would_hit)
    append_line(out, "what if", fmt::format("{}: {} would hit", condition, share_text(would_hit)), style);
}

std::string user_text(const cause::LineUser& user, uint64_t of_events) {
  std::string bytes = user.bytes <= 1
                          ? "byte " + std::to_string(user.offset)
                          : fmt::format("bytes {} to {}", user.offset, user.offset + user.bytes - 1);
  std::string what = printable(user.object);
  if (!user.field.empty()) what += ", " + printable(user.field);
  return fmt::format("{}: {} {} ({}){}{}", printable(user.thread), user.writes ? "writes" : "reads", bytes,
                     percent(static_cast<double>(user.events) / static_cast<double>(of_events)),
                     what.empty() ? "" : " of ", what);
}

// Lists the accesses to the line.
void append_users(std::string& out, const cause::SharedLine& line, const Style& style) {
  constexpr size_t kMost = 6;
  append_line(out, "line", fmt::format("{:x}: {}", line.address, count_of(line.samples, "sample", "samples")),
              style);
  for (size_t i = 0; i < line.users.size() && i < kMost; ++i)
    append_line(out, "", user_text(line.users[i], line.events), style);
}

void append_names(std::string& out, std::string_view head, const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (!out.empty()) out += "; ";
  out += head;
  for (size_t i = 0; i < names.size(); ++i) out += (i == 0 ? " " : ", ") + printable(names[i]);
}

std::string order_text(const cause::FieldOrder& order) {
  std::string text;
  append_names(text, "together", order.together);
  append_names(text, "used elsewhere", order.others);
  append_names(text, "not met", order.not_met);
  return text;
}

// The names of the functions and source files of the places in one text, as long as distinguishes them.
class PlaceNames {
 public:
  PlaceNames(const std::vector<const cause::HotLocation*>& places, const Style& style)
      : files_(files_of(places)), functions_(functions_of(places), style) {}

  // `place`: one of the constructor's places.
  [[nodiscard]] std::string where(const cause::HotLocation& place) const {
    std::string line =
        place.line == 0 ? "" : fmt::format("{}:{}", symbol::short_file(place.file, files_), place.line);
    std::string function = functions_.of(place.function);
    if (!place.physical_function.empty() && place.physical_function != place.function)
      function += fmt::format(" (in {})", functions_.of(place.physical_function));
    return fmt::format("{}  {}  ({})", function, printable(line), printable(place.dso));
  }

 private:
  static std::set<std::string> files_of(const std::vector<const cause::HotLocation*>& places) {
    std::set<std::string> files;
    for (const cause::HotLocation* place : places) files.insert(place->file);
    return files;
  }
  static std::vector<std::string> functions_of(const std::vector<const cause::HotLocation*>& places) {
    std::vector<std::string> functions;
    for (const cause::HotLocation* place : places) {
      functions.push_back(place->function);
      functions.push_back(place->physical_function);
    }
    return functions;
  }

  std::set<std::string> files_;
  FunctionNames functions_;
};

std::string place_share(const cause::HotLocation& place) {
  return place.share ? share_text(*place.share) : count_of(place.samples, "sample", "samples");
}

void append_title(std::string& out, std::string_view title, const Style& style) {
  constexpr size_t kIndent = 4;
  out += wrapped(title, style.width, kIndent) + '\n';
}

void append_place(std::string& out, const cause::HotLocation& place, const Style& style) {
  if (std::string path = callers_path(place.callers); !path.empty()) append_line(out, "callers", path, style);
  append_line(out, "why", why_text(place), style);
  if (place.estimate && !place.levels.empty()) append_line(out, "level", levels_text(place), style);
  if (!place.levels.empty() && place.latency)
    append_line(out, "latency", latency_text(*place.latency), style);
  if (!place.objects.empty()) append_line(out, "what", objects_text(place), style);
  if (place.shared_line) append_users(out, *place.shared_line, style);
  append_line(out, "walk", walk_text(place), style);
  if (place.too_little) return;
  if (place.reuse) append_line(out, "reuse", reuse_text(*place.reuse), style);
  append_answer(out, "each fetch also loaded the next line", place.next_line, style);
  append_answer(out, "pages were of 2 MiB", place.huge_pages, style);
  if (!place.instruction.empty())
    append_line(out, "code", fmt::format("{:x}: {}", place.address, place.instruction), style);
  if (!place.advice) return;
  append_line(out, "pattern", remedy_text(*place.advice), style);
  if (!place.advice->basis.empty()) append_line(out, "basis", printable(place.advice->basis), style);
  if (place.order) append_line(out, "fields", order_text(*place.order), style);
  if (place.advice->gain)
    append_line(
        out, "gain",
        gain_text(*place.advice->gain, place.share ? std::optional(place.share->value) : std::nullopt),
        style);
}

}  // namespace

std::string place_of_event(const std::string& event, const cause::HotLocation& place, const Style& style) {
  PlaceNames names({&place}, style);
  std::string out;
  std::string counts = count_of(place.samples, "sample", "samples");
  if (place.estimated) counts += ", " + count_of(*place.estimated, "event", "events");
  append_title(out,
               fmt::format("{} of {} ({}), {}", text::share_text(place.share), printable(event), counts,
                           names.where(place)),
               style);
  append_place(out, place, style);
  return out;
}

std::string cause_sentence(const cause::HotLocation& place) {
  std::string why = why_text(place);
  bool has_remedy = place.advice && !place.too_little;
  return has_remedy ? fmt::format("{}; {}", why, remedy_text(*place.advice)) : why;
}

std::string cold_text(const cause::EventCauses& event) {
  constexpr double kMatters = 0.05;
  if (!event.no_history || event.no_history->value < kMatters) return {};
  std::string_view counted = event.name == "memory_wait" ? "waits" : "events";
  return fmt::format("{} of these {} may be too many, because the modelled caches began cold",
                     share_text(event.no_history), counted);
}

std::string causes(const cause::Causes& result, const Style& style) {
  std::string out;
  std::vector<const cause::HotLocation*> places;
  for (const cause::EventCauses& event : result.events) {
    for (const cause::HotLocation& place : event.places) places.push_back(&place);
  }
  PlaceNames names(places, style);
  for (const cause::EventCauses& event : result.events) {
    out += fmt::format("\n{}: {} of {} with the most of {}\n", printable(event.name),
                       count_of(event.places.size(), "place", "places"), grouped(event.all_places),
                       count_of(event.samples, "sample", "samples"));
    for (size_t i = 0; i < event.places.size(); ++i) {
      const cause::HotLocation& place = event.places[i];
      append_title(out, fmt::format("{:>2}. {}  {}", i + 1, place_share(place), names.where(place)), style);
      append_place(out, place, style);
    }
  }
  out += contested_lines(result.contested, style);
  if (result.events.empty()) out += "no samples\n";
  return out;
}

std::string contested_lines(const cause::ContestedLines& found, const Style& style) {
  if (found.lines.empty()) return {};
  std::string out =
      fmt::format("\ncontested lines (would move between cores): {} of {}, by {} in windows of {} ms\n",
                  found.lines.size(), grouped(found.all),
                  count_of(found.accesses_sampled, "sampled access", "sampled accesses"),
                  cause::kContestWindowNs / 1'000'000);
  size_t number = 0;
  for (const cause::ContestedLine& each : found.lines) {
    out += fmt::format("{:>2}. up to {}, {}: {}, {} of which write\n", ++number,
                       count_of(each.max_handovers, "time", "times"), cause::name_of(each.sharing),
                       count_of(each.accesses, "access", "accesses"), percent(each.written));
    append_users(out, each.line, style);
    std::string code;
    FunctionNames names(each.functions, style);
    for (const std::string& function : each.functions)
      code += (code.empty() ? "" : ", ") + names.of(function);
    append_line(out, "code", code, style);
  }
  return out;
}

std::string worst_places(const std::vector<cause::WorstPlace>& places, const Style& style) {
  if (places.empty()) return {};
  std::string out = "\nmost expensive locations, all events combined:\n";
  size_t number = 0;
  std::vector<const cause::HotLocation*> all;
  all.reserve(places.size());
  for (const cause::WorstPlace& each : places) all.push_back(&each.place);
  PlaceNames names(all, style);
  for (const cause::WorstPlace& each : places) {
    append_title(out,
                 fmt::format("{:>2}. about {} cycles: {} of {}, {}", ++number,
                             grouped(static_cast<uint64_t>(each.cycles)), place_share(each.place),
                             printable(each.event), names.where(each.place)),
                 style);
    append_place(out, each.place, style);
  }
  return out;
}

}  // namespace hm::text
