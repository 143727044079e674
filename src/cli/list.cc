// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "app/answer/answer.h"
#include "app/query/events.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "event/hardware/known_cpus.h"
#include "view/json/event_list_json.h"

namespace hm::cli {
namespace {

struct ListFlags {
  query::EventsOptions query;
  bool hardware = false;
  bool json = false;
};

std::string hardware_cpu_list() {
  std::string list = fmt::format("{:18}{}\n", "host", "this machine (the default)");
  for (const event::KnownCpu& cpu : event::known_cpus())
    list += fmt::format("{:18}{}\n", cpu.name, cpu.title);
  return list;
}

// The hardware encodings are shown only for a single event or on request, to keep the whole list readable.
bool with_encodings(const ListFlags& flags) {
  return flags.hardware || !flags.query.cpu.empty() || event::find_event(flags.query.pattern) != nullptr;
}

Result<int> print_events(const ListFlags& flags) {
  if (flags.query.cpu == "help") return print(hardware_cpu_list());
  Result<event::HardwareEvents> hardware = query::list_events(flags.query);
  if (!hardware) return hardware.error();
  return print(flags.json ? json::event_list_json(*hardware)
                          : answer::events_text(*hardware, with_encodings(flags), output_style()));
}

}  // namespace

Run add_list(CommandLine& line) {
  auto flags = std::make_shared<ListFlags>();
  add_format_options(line, flags->json);
  line.add_flag("-v,--verbose", flags->hardware, "also show the hardware event encodings");
  line.add_option("--cpu", flags->query.cpu,
                  "events of another processor than the host; help lists the processors")
      .type("NAME");
  line.add_option("PATTERN", flags->query.pattern, "only events whose name contains this");
  return [flags] { return print_events(*flags); };
}

}  // namespace hm::cli
