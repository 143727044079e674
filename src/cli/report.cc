// SPDX-License-Identifier: MIT
#include <memory>

#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/totals.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "view/json/report.h"
#include "view/text/recording.h"
#include "view/text/report.h"

namespace hm::cli {
namespace {

struct ReportOptions {
  std::string input = "perf.data";
  std::string sort = "function";
  bool json = false;
  bool no_inline = false;
  hotspots::Options hotspots;
};

Result<int> run_report(const ReportOptions& chosen) {
  hotspots::Options options = chosen.hotspots;
  options.inlines = !chosen.no_inline;
  Result<std::vector<hotspots::SortKey>> keys = hotspots::parse_sort_keys(chosen.sort);
  if (!keys.ok()) return keys.error();
  options.keys = *std::move(keys);
  Result<profile::Profile> profile = load_profile(chosen.input);
  if (!profile.ok()) return profile.error();
  Result<hotspots::Hotspots> result = hotspots::find_hotspots(*profile, options);
  if (!result.ok()) return result.error();
  std::string out = chosen.json ? json::hotspots_json(*profile, *result)
                                : text::recording_header(*profile, totals::find_totals(*profile)) +
                                      text::hotspots_table(*result, output_style());
  if (Status written = write_output(out); !written.ok()) return written.error();
  return 0;
}

}  // namespace

Run add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  add_input_option(app, options->input);
  add_format_options(app, options->json);
  add_filter_options(app, options->hotspots.filter);
  app.add_option("-s,--sort", options->sort,
                 "function, line, ip, dso, thread, process, comm, event: one or more")
      ->capture_default_str();
  app.add_option("-S,--function", options->hotspots.filter.function, "only this function");
  app.add_flag("-g,--call-graph", options->hotspots.callers,
               "show who called, where the recording has call chains");
  app.add_option("--limit", options->hotspots.limit, "at most this many rows; 0 is all")
      ->capture_default_str();
  app.add_flag("--no-inline", options->no_inline,
               "by line: the line of the function itself, not of what is inlined");
  return [options] { return run_report(*options); };
}

}  // namespace hm::cli
