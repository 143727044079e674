// SPDX-License-Identifier: MIT
// The generic events have the names in `perf list`; their numbers are those in perf_event_open(2).
#include "profile/event_names.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>

namespace hm::profile {
namespace {

constexpr std::array<std::string_view, PERF_COUNT_HW_MAX> kHardware{
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
constexpr std::array<std::string_view, 11> kSoftware{
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output"};

std::string_view at(std::span<const std::string_view> names, uint64_t config) {
  return config < names.size() ? names[config] : std::string_view();
}

std::string name_of_attr(const perf_event_attr& attr) {
  std::string_view name;
  if (attr.type == PERF_TYPE_HARDWARE) name = at(kHardware, attr.config);
  if (attr.type == PERF_TYPE_SOFTWARE) name = at(kSoftware, attr.config);
  if (!name.empty()) return std::string(name);
  if (attr.type == PERF_TYPE_RAW) return fmt::format("r{:x}", attr.config);
  return fmt::format("type-{}-config-{:#x}", attr.type, attr.config);
}

}  // namespace

std::string EventNames::name_of(const record::EventDescription& event) {
  std::string plain = event.name.empty() ? name_of_attr(event.attr) : event.name;
  std::string name = plain;
  for (unsigned count = 2; !taken_.insert(name).second; ++count) name = fmt::format("{}#{}", plain, count);
  return name;
}

}  // namespace hm::profile
