// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "event/hardware/hardware_events.h"
#include "event/hardware/known_cpus.h"
#include "view/json/event_list.h"
#include "view/text/event_list.h"
#include "view/text/hardware_events.h"

namespace hm::cli {
namespace {

struct ListOptions {
  std::string pattern;
  std::string cpu;
  bool hardware = false;
  bool json = false;
};

bool matches(const event::EventTemplate& event, std::string_view pattern) {
  return event.name.find(pattern) != std::string_view::npos ||
         event.alias.find(pattern) != std::string_view::npos;
}

std::string cpu_list() {
  std::string list = fmt::format("{:18}{}\n", "host", "this machine (the default)");
  for (const event::KnownCpu& cpu : event::known_cpus())
    list += fmt::format("{:18}{}\n", cpu.name, cpu.title);
  return list;
}

Result<event::CpuModel> chosen_cpu(const std::string& name) {
  if (name.empty() || name == "host") return event::host_cpu();
  const event::KnownCpu* known = event::find_known_cpu(name);
  if (known == nullptr) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "the hardware events of a processor '{}' are not known; `hardmeter list --cpu help` lists those "
        "that are",
        name);
  }
  return known->model;
}

// The whole list stays readable: what the hardware does is shown for one event, or where it was asked for.
std::string text_of(const ListOptions& chosen, const std::vector<const event::EventTemplate*>& events,
                    const event::HardwareEvents& hardware) {
  std::string out = text::event_list(events, output_style());
  if (!chosen.hardware && chosen.cpu.empty() && event::find_event(chosen.pattern) == nullptr) return out;
  return out + '\n' + text::hardware_events(hardware, output_style());
}

Result<int> run_list(const ListOptions& chosen) {
  if (chosen.cpu == "help") {
    Status written = write_output(cpu_list());
    return written ? Result<int>(0) : written.error();
  }
  Result<event::CpuModel> cpu = chosen_cpu(chosen.cpu);
  if (!cpu) return cpu.error();
  std::vector<const event::EventTemplate*> events;
  for (const event::EventTemplate& event : event::all_events()) {
    if (matches(event, chosen.pattern)) events.push_back(&event);
  }
  if (events.empty())
    return make_error(ErrorCode::kNotFound, "no event has '{}' in its name", chosen.pattern);
  event::HardwareEvents hardware = event::hardware_events(events, *cpu);
  std::string out = chosen.json ? json::event_list_json(hardware) : text_of(chosen, events, hardware);
  if (Status written = write_output(out); !written.ok()) return written.error();
  return 0;
}

}  // namespace

Run add_list(CommandLine& line) {
  auto options = std::make_shared<ListOptions>();
  add_format_options(line, options->json);
  line.add_flag("-v,--verbose", options->hardware, "also what the hardware would be programmed with");
  line.add_option("--cpu", options->cpu, "the hardware of another processor than the host; help lists them")
      .type("NAME");
  line.add_option("PATTERN", options->pattern, "only events with this in their name");
  return [options] { return run_list(*options); };
}

}  // namespace hm::cli
