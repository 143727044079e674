// SPDX-License-Identifier: MIT
#include "profile/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "profile/dso_names.h"
#include "record/cpu_use.h"
#include "record/run_description.h"
#include "symbol/files/names.h"

namespace hm::profile {

using record::flag_in;
using record::list_in;
using record::text_in;

namespace {

// Returns the strings of a list; empty if it is not a list of strings.
std::vector<std::string> words_in(const nlohmann::json& json, const char* key) {
  std::vector<std::string> words;
  for (const nlohmann::json& each : list_in(json, key)) {
    if (!each.is_string()) return {};
    words.push_back(each.get<std::string>());
  }
  return words;
}

std::map<std::string, uint64_t> totals_in(const nlohmann::json& json) {
  std::map<std::string, uint64_t> totals;
  auto found = json.find("totals");
  if (found == json.end() || !found->is_object()) return totals;
  for (const auto& [name, value] : found->items()) {
    if (value.is_number_unsigned()) totals[name] = value.get<uint64_t>();
  }
  return totals;
}

// Returns the relative error of each event's count, for a recording in bursts.
std::map<std::string, double> relative_errors_in(const nlohmann::json& json) {
  std::map<std::string, double> errors;
  auto bursts = json.find("bursts");
  if (bursts == json.end() || !bursts->is_object()) return errors;
  auto found = bursts->find("relative_error");
  if (found == bursts->end() || !found->is_object()) return errors;
  for (const auto& [name, value] : found->items()) {
    if (value.is_number()) errors[name] = value.get<double>();
  }
  return errors;
}

// Returns nullopt if the member is missing.
std::optional<uint64_t> whole_number_in(const nlohmann::json& json, const char* name) {
  auto found = json.find(name);
  if (found == json.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<uint64_t>();
}
uint64_t number_in(const nlohmann::json& json, const char* name) {
  return whole_number_in(json, name).value_or(0);
}

std::vector<uint64_t> times_in(const nlohmann::json& json, const char* name) {
  std::vector<uint64_t> times;
  for (const nlohmann::json& each : list_in(json, name)) {
    if (each.is_number_unsigned()) times.push_back(each.get<uint64_t>());
  }
  std::ranges::sort(times);
  return times;
}

void read_bursts(const nlohmann::json& json, Origin& origin) {
  auto bursts = json.find("bursts");
  origin.in_bursts = bursts != json.end();
  if (!origin.in_bursts || !bursts->is_object()) return;
  origin.relative_errors = relative_errors_in(json);
  if (auto share = bursts->find("unseen_waits"); share != bursts->end() && share->is_number())
    origin.unseen_waits = share->get<double>();
  if (auto error = bursts->find("wait_share_error"); error != bursts->end() && error->is_number())
    origin.wait_share_error = error->get<double>();
  origin.bursts = number_in(*bursts, "count");
  bool has_begun = json.contains("so_far") || json.contains("elapsed_ns") || json.contains("totals");
  origin.has_burst_count = has_begun || origin.bursts != 0;
  uint64_t exact = number_in(*bursts, "exact_slots"), all = number_in(*bursts, "all_slots");
  origin.mostly_exact = all != 0 && exact >= all / 2;
  origin.begins_exactly = exact != 0;
  origin.part_begins_ns = times_in(*bursts, "part_begins_ns");
  origin.episode_begins_ns = times_in(*bursts, "episode_begins_ns");
  origin.measured_ns = whole_number_in(*bursts, "measured_ns");
}

// Returns the program in "perf record -o FILE -- PROGRAM". Without "--", returns the whole line except the
// output file.
std::vector<std::string> program_in(std::vector<std::string> cmdline) {
  auto dashes = std::ranges::find(cmdline, "--");
  if (dashes != cmdline.end()) return {dashes + 1, cmdline.end()};
  auto output =
      std::ranges::find_if(cmdline, [](const auto& word) { return word == "-o" || word == "--output"; });
  if (cmdline.end() - output >= 2) cmdline.erase(output, output + 2);
  return cmdline;
}

// perf does not record the PMU, so it is inferred from the types of the events.
bool only_software_events(const std::vector<Event>& events) {
  return std::ranges::all_of(events, [](const Event& event) {
    return event.attr.type == PERF_TYPE_SOFTWARE || event.attr.type == PERF_TYPE_TRACEPOINT;
  });
}

}  // namespace

bool DsoRow::is_named_jit() const { return is_jit_code(path) && !is_unnamed_jit; }

std::string_view DsoRow::name() const {
  if (is_unnamed_jit) return "[JIT]";
  std::string_view text = path;
  if (text.starts_with(symbol::kKernelPrefix)) return symbol::kKernelPrefix;
  if (text.starts_with(symbol::kKernelCodePrefix)) return symbol::kKernelCodePrefix;
  if (text.starts_with('/')) text.remove_prefix(text.rfind('/') + 1);
  return text;
}

std::optional<std::string> Profile::pmu() const {
  nlohmann::json json = record::run_description(features);
  auto found = json.find("pmu");
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

// Used if the recording does not name its PMU. Returns "unknown" for a truncated recording, which may have
// named it.
std::string Profile::pmu_of_others() const {
  bool is_own = features.version.value_or("").starts_with("hardmeter ");
  if (is_own || (!features.version && !problems.empty())) return "unknown";
  return only_software_events(events) ? "kernel" : "hardware";
}

Origin Profile::origin() const {
  nlohmann::json json = record::run_description(features);
  Origin origin;
  origin.pmu = text_in(json, "pmu");
  if (origin.pmu.empty()) origin.pmu = pmu_of_others();
  origin.engine = text_in(json, "engine");
  origin.machine = text_in(json, "machine");
  origin.reproducible = text_in(json, "reproducible");
  origin.layout = number_in(json, "layout");
  origin.cores = number_in(json, "cores");
  origin.processor_features = text_in(json, "processor_features");
  origin.processor_caches = text_in(json, "processor_caches");
  origin.command = words_in(json, "command");
  if (origin.command.empty()) origin.command = program_in(features.cmdline);
  for (const nlohmann::json& each : list_in(json, "delivery")) {
    if (each.is_object() && text_in(each, "event") == "collected") origin.collected = text_in(each, "how");
  }
  origin.totals = totals_in(json);
  origin.cycles = whole_number_in(json, "cycles");
  origin.costs = record::cost_source_named(text_in(json, "cost_source"));
  bool is_older = !json.contains("cost_source") && json.contains("costs");
  if (is_older) origin.costs = record::CostSource::kCalibrated;
  origin.costs_text = text_in(json, "costs");
  if (origin.costs_text.empty() && json.contains("cost_source")) origin.costs_text = "stated latencies";
  if (auto so_far = json.find("so_far"); so_far != json.end() && so_far->is_object()) {
    origin.totals_so_far = totals_in(*so_far);
    origin.cycles_so_far = whole_number_in(*so_far, "cycles");
  }
  read_bursts(json, origin);
  origin.interrupted = flag_in(json, "interrupted");
  origin.random_addresses = flag_in(json, "random_addresses");
  return origin;
}

std::vector<std::string> Profile::delivery() const {
  std::vector<std::string> lines;
  nlohmann::json json = record::run_description(features);
  for (const nlohmann::json& each : list_in(json, "delivery")) {
    if (!each.is_object()) continue;
    std::string event = text_in(each, "event"), how = text_in(each, "how");
    if (!event.empty() && !how.empty()) lines.push_back(fmt::format("{}: {}", event, how));
  }
  for (const nlohmann::json& each : list_in(json, "shortfalls")) {
    if (each.is_string()) lines.push_back(each.get<std::string>());
  }
  if (std::optional<record::CpuUse> cpu = record::cpu_use_in(json); cpu && !cpu->kernel_measured)
    lines.push_back(record::unseen_kernel_text(*cpu));
  if (std::string few = few_bursts_text(origin()); !few.empty()) lines.push_back(few);
  return lines;
}

std::string few_bursts_text(const Origin& origin) {
  if (!origin.has_few_bursts()) return {};
  if (!origin.has_burst_count)
    return "the number of bursts is not in the recording, because its recorder did not finish, so no shares are shown";
  return fmt::format("too few bursts yet: {} of {}, so no shares are shown; measure for longer",
                     origin.bursts, Origin::kFewestBursts);
}

std::string Profile::object_text(uint32_t object) const {
  const ObjectRow& row = objects[object];
  switch (row.kind) {
    case ObjectKind::kUnknown:
      return "[unknown]";
    case ObjectKind::kGlobal:
      return fmt::format("global {} ({})", row.name, dsos[row.dso].name());
    case ObjectKind::kSection:
      return fmt::format("section {} ({})", row.name.empty() ? "[unnamed]" : row.name, dsos[row.dso].name());
    case ObjectKind::kStack: {
      const Thread& thread = threads[row.thread];
      return thread.pid == thread.tid ? "stack of main"
                                      : fmt::format("stack of {} ({})", thread.comm, thread.tid);
    }
    case ObjectKind::kHeapBlock:
      return row.name.empty() ? "heap block" : "heap block of " + row.name;
    case ObjectKind::kFile:
      return fmt::format("file {}", dsos[row.dso].path);
    case ObjectKind::kShared:
      return "shared memory";
    case ObjectKind::kAnonymous:
      return "anonymous memory";
    case ObjectKind::kBreak:
      return "program break";
    case ObjectKind::kVdso:
      return "vDSO";
    case ObjectKind::kKernel:
      return row.name.empty() ? "kernel" : "kernel: " + row.name;
  }
  return {};
}

}  // namespace hm::profile
