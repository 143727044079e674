// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/totals.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/recording_options.h"
#include "view/text/recording.h"
#include "view/text/report.h"

namespace hm::cli {
namespace {

constexpr size_t kRows = 10;

// The functions with the most samples, for each event.
Result<std::string> top_functions(const profile::Profile& profile) {
  std::string out = text::recording_header(profile, totals::find_totals(profile));
  for (const profile::Event& event : profile.events) {
    hotspots::Options options;
    options.filter.events = {event.name};
    options.limit = kRows;
    Result<hotspots::Hotspots> top = hotspots::find_hotspots(profile, options);
    if (!top) return top.error();
    if (!top->rows.empty()) out += '\n' + text::hotspots_table(*top, output_style());
  }
  return out;
}

Status print_report(const std::string& path) {
  Result<profile::Profile> profile = load_profile(path, profile::kPlacesOnly);
  if (!profile) return profile.error();
  Result<std::string> report = top_functions(*profile);
  if (!report) return report.error();
  return write_output(*report +
                      fmt::format("\n# more: hardmeter report -i {0}; hardmeter annotate -i {0}\n", path));
}

Result<int> run_run(const RecordingOptions& options) {
  if (options.output == "-")
    return make_error(ErrorCode::kInvalidArgument, "run reports from its recording, so -o must name a file");
  Result<Recorded> recorded = make_recording(options);
  if (!recorded) return recorded.error();
  if (!recorded->written) return recorded->status;
  if (Status printed = print_report(options.output); !printed) return printed.error();
  return recorded->status;
}

}  // namespace

Run add_run(CLI::App& app) {
  auto options = std::make_shared<RecordingOptions>();
  add_making_options(app, *options);
  return [options] { return run_run(*options); };
}

}  // namespace hm::cli
