// SPDX-License-Identifier: MIT
#include "pmu/linux/resolve.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <charconv>

#include "event/event_template.h"
#include "event/hardware/encode.h"
#include "pmu/linux/pid_and_cpu.h"
#include "pmu/linux/probe.h"
#include "pmu/linux/tracing_data.h"

namespace hm::linux_pmu {
namespace {

constexpr uint64_t kUsualClockPeriodNs = 1000000;
constexpr uint64_t kUsualHardwarePeriod = 100000;
constexpr uint64_t kUsualMissPeriod = 10000;  // misses are rarer

bool is_page_fault(const event::KernelEvent& event) {
  return event.type == PERF_TYPE_SOFTWARE &&
         (event.config == PERF_COUNT_SW_PAGE_FAULTS || event.config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
          event.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

bool is_hardware(const event::KernelEvent& event) {
  return event.type == PERF_TYPE_HARDWARE || event.type == PERF_TYPE_RAW;
}

uint64_t usual_period(const event::KernelEvent& event) {
  if (event::is_clock(event)) return kUsualClockPeriodNs;
  return is_hardware(event) ? kUsualHardwarePeriod : 1;
}

// A clock's sample needs the registers: the address of a memory access can be computed from them.
uint64_t telling_fields(const event::KernelEvent& event) {
  if (event::is_clock(event)) return PERF_SAMPLE_REGS_INTR;
  if (is_page_fault(event) || event.type == PERF_TYPE_BREAKPOINT) return PERF_SAMPLE_ADDR;
  if (event.type == PERF_TYPE_TRACEPOINT) return PERF_SAMPLE_RAW;
  return 0;
}

Event kernel_event(const event::Selection& selection, const event::KernelEvent& programming) {
  Event event;
  event.name = selection.name;
  event.programming = programming;
  event.usual_period = usual_period(programming);
  event.sample_fields = telling_fields(programming);
  event.skids = event::is_clock(programming) || is_hardware(programming);
  return event;
}

Result<event::KernelEvent> find_tracepoint(Kernel& kernel, const std::string& name) {
  std::string path = name;
  std::ranges::replace(path, ':', '/');
  if (path.find("..") != std::string::npos || path.starts_with('/'))
    return make_error(ErrorCode::kInvalidArgument, "'{}' is not a tracepoint, such as sched:sched_switch",
                      name);
  std::string root = tracing_folder(kernel);
  uint64_t id = 0;
  std::string text = kernel.file(fmt::format("{}/events/{}/id", root, path)).value_or("");
  if (std::from_chars(text.data(), text.data() + text.size(), id).ec == std::errc())
    return event::KernelEvent{.type = PERF_TYPE_TRACEPOINT, .config = id};
  if (!kernel.is_root())
    return make_error(
        ErrorCode::kPermission,
        "cannot find the tracepoint {}: the kernel shows its tracepoints to root only; run as root", name);
  if (root.empty())
    return make_error(ErrorCode::kUnsupported,
                      "cannot find the tracepoint {}: tracefs is not mounted; {} shows the tracepoints", name,
                      kMountTracing);
  return make_error(ErrorCode::kNotFound,
                    "unknown event {}: it is neither in `hardmeter list` nor a tracepoint", name);
}

std::string device_file(const std::string& pmu, std::string_view file) {
  return fmt::format("/sys/bus/event_source/devices/{}/{}", pmu, file);
}

// Sets the number that the kernel assigned to the PMU at boot, and the CPUs that have this PMU.
Status place_on_pmu(Kernel& kernel, const event::Encoding& encoding, Event& event) {
  if (encoding.type) {
    event.programming.type = *encoding.type;
  } else {
    std::string text = kernel.file(device_file(encoding.pmu, "type")).value_or("");
    if (std::from_chars(text.data(), text.data() + text.size(), event.programming.type).ec != std::errc())
      return make_error(ErrorCode::kUnsupported,
                        "cannot measure {}: the kernel shows no PMU {} here, as in most virtual machines",
                        event.name, encoding.pmu);
  }
  if (std::optional<std::string> list = kernel.file(device_file(encoding.pmu, "cpus"))) {
    if (Result<std::vector<int>> cpus = parse_cpu_list(*list); cpus.ok()) event.cpus = *std::move(cpus);
  }
  return {};
}

uint64_t telling_fields(const event::Encoding& encoding) {
  uint64_t fields = encoding.max_precise_ip > 0 ? uint64_t{PERF_SAMPLE_REGS_INTR} : 0;
  if (encoding.data_address) fields |= PERF_SAMPLE_ADDR;
  if (encoding.weight) fields |= PERF_SAMPLE_WEIGHT_STRUCT;
  if (encoding.data_source) fields |= PERF_SAMPLE_DATA_SRC;
  return fields;
}

Result<Event> hardware_event(Kernel& kernel, const event::Selection& selection,
                             const event::Encoding& encoding) {
  Event event;
  event.name = selection.name;
  if (encoding.delivery == event::Delivery::kAux)
    return make_error(
        ErrorCode::kUnsupported,
        "cannot sample {}: {} writes a packet format that hardmeter does not read; `hardmeter stat` counts it",
        event.name, encoding.pmu);
  event.programming = {.config = encoding.config, .config1 = encoding.config1, .config2 = encoding.config2};
  event.period_multiple = encoding.period_multiple;
  event.period_unit = encoding.period_unit;
  event.usual_period = event::event_template(*selection.id).group == event::EventGroup::kMemory
                           ? kUsualMissPeriod
                           : kUsualHardwarePeriod;
  event.max_precise = encoding.max_precise_ip;
  event.skids = !encoding.precise || encoding.max_precise_ip > 0;
  event.sample_fields = telling_fields(encoding);
  event.keep = encoding.keep;
  event.helper = encoding.helper;
  event.filters_modes = encoding.privilege_filter;
  const event::FormatBits& filter = encoding.privilege_bits;
  if (!filter.format.empty() && kernel.file(device_file(encoding.pmu, "format/" + filter.format))) {
    event.filters_modes = true;
    event.filter_config = filter.config;
    event.filter_config2 = filter.config2;
  }
  event.native = encoding.native;
  event.note = encoding.note;
  if (Status placed = place_on_pmu(kernel, encoding, event); !placed) return placed.error();
  return event;
}

Result<std::vector<Event>> table_event(Kernel& kernel, const event::Selection& selection, event::Use use) {
  if (selection.id == event::EventId::kClock) {
    event::Encoding clock = event::software_clock();
    return std::vector{kernel_event(selection, {clock.type.value_or(PERF_TYPE_SOFTWARE), clock.config})};
  }
  Result<std::vector<event::Encoding>> encodings = event::encode(*selection.id, kernel.cpu(), use);
  if (!encodings) return encodings.error();
  std::vector<Event> events;
  for (const event::Encoding& encoding : *encodings) {
    Result<Event> event = hardware_event(kernel, selection, encoding);
    if (!event) return event.error();
    bool another_part = !events.empty() && !event->helper;  // another kind of core or of operation
    if (another_part) event->name += fmt::format("@{}:{}", encoding.pmu, encoding.native);
    events.push_back(*std::move(event));
  }
  return events;
}

// Fails if breakpoints never trigger on this machine: the count would always be 0.
Result<Event> own_event(Kernel& kernel, const event::Selection& selection) {
  if (selection.kernel->type == PERF_TYPE_BREAKPOINT && stores_noticed_of_two(kernel) == 0)
    return make_error(
        ErrorCode::kUnsupported,
        "cannot measure {}: breakpoints open on this machine but report no access, as in some virtual machines; measure on another machine",
        selection.name);
  return kernel_event(selection, *selection.kernel);
}

Result<std::vector<Event>> unmarked(Kernel& kernel, const event::Selection& selection, event::Use use) {
  if (selection.id) return table_event(kernel, selection, use);
  if (selection.kernel) {
    Result<Event> event = own_event(kernel, selection);
    if (!event) return event.error();
    return std::vector{*std::move(event)};
  }
  Result<event::KernelEvent> tracepoint = find_tracepoint(kernel, selection.tracepoint);
  if (!tracepoint) return tracepoint.error();
  return std::vector{kernel_event(selection, *tracepoint)};
}

}  // namespace

Result<std::vector<Event>> resolve(Kernel& kernel, const event::Selection& selection, event::Use use) {
  Result<std::vector<Event>> events = unmarked(kernel, selection, use);
  if (!events) return events.error();
  for (Event& event : *events) {
    event.group = selection.group;
    if (!selection.user && !selection.kernel_mode) continue;
    event.user = selection.user;
    event.kernel = selection.kernel_mode;
  }
  return events;
}

Result<std::vector<Event>> resolve_all(Kernel& kernel, const std::vector<event::Selection>& selections,
                                       event::Use use) {
  std::vector<Event> all;
  for (const event::Selection& selection : selections) {
    Result<std::vector<Event>> events = resolve(kernel, selection, use);
    if (!events) return events.error();
    std::ranges::move(*events, std::back_inserter(all));
  }
  return all;
}

}  // namespace hm::linux_pmu
