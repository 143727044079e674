// SPDX-License-Identifier: MIT
#include "event/selection.h"

#include <fmt/format.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "event/event_template.h"
#include "event/perf_names.h"

namespace hm::event {
namespace {

struct NamedKernelEvent {
  std::string_view name;
  std::string_view alias;
  uint32_t type;
  uint64_t config;
};

// perf-list(1): names and aliases.
constexpr auto kKernelEvents = std::to_array<NamedKernelEvent>({
    {"cpu-clock", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"cycles", "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"ref-cycles", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
});

Error bad_word(std::string_view word, std::string_view why) {
  return make_error(ErrorCode::kInvalidArgument, "cannot read the event '{}': {}", word, why);
}

// Parses all of `text`, in hex if it begins with 0x or if `base` is 16.
std::optional<uint64_t> number_in(std::string_view text, int base = 10) {
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const EventTemplate& event : all_events()) names.push_back(event.name);
  for (const NamedKernelEvent& event : kKernelEvents) names.push_back(event.name);
  return names;
}

// Parses "mem:ADDRESS[/LENGTH][:ACCESS]". The kernel rejects what x86 does not support: watching reads only.
Result<KernelEvent> parse_breakpoint(std::string_view word) {
  std::string_view rest = word.substr(std::string_view("mem:").size());
  size_t colon = rest.find(':');
  std::string_view access = colon == std::string_view::npos ? "rw" : rest.substr(colon + 1);
  rest = rest.substr(0, colon);
  size_t slash = rest.find('/');
  std::optional<uint64_t> address = number_in(rest.substr(0, slash), 16);
  KernelEvent event{.type = PERF_TYPE_BREAKPOINT};
  for (char mode : access) {
    if (mode != 'r' && mode != 'w' && mode != 'x') return bad_word(word, "the access is of r, w and x");
    event.breakpoint_type |= mode == 'r' ? HW_BREAKPOINT_R : mode == 'w' ? HW_BREAKPOINT_W : HW_BREAKPOINT_X;
  }
  uint64_t usual = event.breakpoint_type == HW_BREAKPOINT_X ? sizeof(long) : 4;
  std::optional<uint64_t> length =
      slash == std::string_view::npos ? usual : number_in(rest.substr(slash + 1));
  if (!address || !length) return bad_word(word, "a breakpoint is mem:ADDRESS[/LENGTH][:rwx]");
  event.config1 = *address;
  event.config2 = *length;
  return event;
}

// Removes ":u", ":k" or ":uk" after a name. perf's other modifiers are not supported.
Status take_modifiers(std::string_view& word, Selection& selection) {
  size_t colon = word.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == word.size()) return {};
  std::string_view modifiers = word.substr(colon + 1);
  if (modifiers.find_first_not_of("uk") != std::string_view::npos) return {};
  selection.user = modifiers.find('u') != std::string_view::npos;
  selection.kernel_mode = modifiers.find('k') != std::string_view::npos;
  word = word.substr(0, colon);
  return {};
}

Result<Selection> parse_selection(std::string_view word) {
  Selection selection;
  selection.name = word;
  if (word.starts_with("mem:")) {
    Result<KernelEvent> breakpoint = parse_breakpoint(word);
    if (!breakpoint) return breakpoint.error();
    selection.kernel = *breakpoint;
    return selection;
  }
  if (Status taken = take_modifiers(word, selection); !taken) return taken.error();
  if (const EventTemplate* event = find_event(word)) {
    selection.id = event->id;
    if (!selection.user && !selection.kernel_mode) selection.name = event->name;
    return selection;
  }
  auto known = std::ranges::find_if(kKernelEvents, [&](const NamedKernelEvent& event) {
    return event.name == word || (!event.alias.empty() && event.alias == word);
  });
  if (known != kKernelEvents.end()) {
    selection.kernel = KernelEvent{.type = known->type, .config = known->config};
    return selection;
  }
  if (std::optional<uint64_t> raw; word.starts_with('r') && (raw = number_in(word.substr(1), 16))) {
    selection.kernel = KernelEvent{.type = PERF_TYPE_RAW, .config = *raw};
    return selection;
  }
  if (word.find(':') != std::string_view::npos) {
    selection.tracepoint = word;
    return selection;
  }
  return unknown_event(word, all_names());
}

}  // namespace

bool is_clock(const KernelEvent& event) {
  return event.type == PERF_TYPE_SOFTWARE &&
         (event.config == PERF_COUNT_SW_CPU_CLOCK || event.config == PERF_COUNT_SW_TASK_CLOCK);
}

bool is_clock(const Selection& selection) {
  return selection.id == EventId::kClock || (selection.kernel && is_clock(*selection.kernel));
}

Result<std::vector<Selection>> parse_selections(std::string_view list) {
  std::vector<Selection> selections;
  unsigned groups = 0;
  bool in_group = false;
  while (true) {
    size_t comma = list.find(',');
    std::string_view word = list.substr(0, comma);
    if (word.starts_with('{')) {
      if (in_group) return bad_word(word, "groups cannot be nested");
      word.remove_prefix(1);
      in_group = true;
      ++groups;
    }
    bool ends_group = word.ends_with('}');
    if (ends_group && !in_group) return bad_word(word, "a } has no { before it");
    if (ends_group) word.remove_suffix(1);
    Result<Selection> selection = parse_selection(word);
    if (!selection) return selection.error();
    selection->group = in_group ? groups : 0;
    if (std::ranges::find(selections, selection->name, &Selection::name) != selections.end())
      return make_error(ErrorCode::kInvalidArgument, "event '{}' is given twice", word);
    selections.push_back(*std::move(selection));
    if (ends_group) in_group = false;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  if (in_group) return bad_word(list, "a group has no closing }");
  return selections;
}

namespace {

std::string same_here(const Selection& selection) {
  std::string_view name = own_name(selection.name);
  return name.empty() ? "" : fmt::format("; there it is {}", name);
}

}  // namespace

Result<std::vector<EventId>> only_table_events(const std::vector<Selection>& selections) {
  std::vector<EventId> ids;
  for (const Selection& each : selections) {
    if (!each.id || each.kernel_mode)
      return make_error(
          ErrorCode::kUnsupported,
          "the software PMU cannot deliver {}: it runs a program's own code and has only the events of `hardmeter list`{}{}",
          each.name, same_here(each), each.kernel_mode ? "; -e clock:k measures the kernel by time" : "");
    ids.push_back(*each.id);
  }
  return ids;
}

}  // namespace hm::event
