// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "event/event_template.h"
#include "view/json/event_list.h"
#include "view/text/event_list.h"

namespace hm::cli {
namespace {

struct ListOptions {
  std::string pattern;
  bool json = false;
};

bool matches(const event::EventTemplate& event, std::string_view pattern) {
  return event.name.find(pattern) != std::string_view::npos ||
         event.alias.find(pattern) != std::string_view::npos;
}

Result<int> run_list(const ListOptions& chosen) {
  std::vector<const event::EventTemplate*> events;
  for (const event::EventTemplate& event : event::all_events()) {
    if (matches(event, chosen.pattern)) events.push_back(&event);
  }
  if (events.empty())
    return make_error(ErrorCode::kNotFound, "no event has '{}' in its name", chosen.pattern);
  std::string out = chosen.json ? json::event_list_json(events) : text::event_list(events, output_style());
  if (Status written = write_output(out); !written.ok()) return written.error();
  return 0;
}

}  // namespace

Run add_list(CLI::App& app) {
  auto options = std::make_shared<ListOptions>();
  add_format_options(app, options->json);
  app.add_option("PATTERN", options->pattern, "only events with this in their name");
  return [options] { return run_list(*options); };
}

}  // namespace hm::cli
