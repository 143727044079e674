// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "analysis/branches/branches.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/totals.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "profile/lookup.h"
#include "symbol/file_resolver.h"
#include "view/json/branches.h"
#include "view/json/report.h"
#include "view/text/branches.h"
#include "view/text/recording.h"
#include "view/text/report.h"

namespace hm::cli {
namespace {

struct ReportOptions {
  std::string input = "perf.data";
  std::string sort = "function";
  bool json = false;
  bool raw_ip = false;
  bool no_inline = false;
  bool branches = false;
  hotspots::Options hotspots;
};

std::string header_of(const profile::Profile& profile) {
  return text::recording_header(profile, totals::find_totals(profile));
}

Result<int> print(const std::string& out) {
  if (Status written = write_output(out); !written.ok()) return written.error();
  return 0;
}

Result<int> report_branches(const ReportOptions& chosen) {
  Result<branches::GroupBy> group = branches::parse_group(chosen.sort);
  if (!group.ok()) return group.error();
  profile::Needs needs = profile::kPlacesOnly;
  needs.branches = true;
  symbol::FileResolver resolver;
  Result<profile::Profile> profile = load_profile(chosen.input, resolver, needs, chosen.raw_ip);
  if (!profile.ok()) return profile.error();
  Result<branches::Branches> result = branches::find_branches(
      *profile, {.group = *group, .filter = chosen.hotspots.filter, .limit = chosen.hotspots.limit});
  if (!result.ok()) return result.error();
  return print(chosen.json ? json::branches_json(*profile, *result)
                           : header_of(*profile) + text::branches_table(*result, output_style()));
}

Result<int> report_hotspots(const ReportOptions& chosen) {
  hotspots::Options options = chosen.hotspots;
  options.inlines = !chosen.no_inline;
  Result<std::vector<hotspots::SortKey>> keys = hotspots::parse_sort_keys(chosen.sort);
  if (!keys.ok()) return keys.error();
  options.keys = *std::move(keys);
  profile::Needs needs = profile::kPlacesOnly;
  needs.chains = options.callers;
  needs.details = needs.objects = std::ranges::any_of(options.keys, hotspots::is_of_data);
  needs.details =
      needs.details || std::ranges::find(options.keys, hotspots::SortKey::kSite) != options.keys.end();
  symbol::FileResolver resolver;
  Result<profile::Profile> profile = load_profile(chosen.input, resolver, needs, chosen.raw_ip);
  if (!profile.ok()) return profile.error();
  Result<hotspots::Hotspots> result = hotspots::find_hotspots(*profile, resolver, options);
  if (!result.ok()) return result.error();
  profile::take_problems(resolver, *profile);
  return print(chosen.json ? json::hotspots_json(*profile, *result)
                           : header_of(*profile) + text::hotspots_table(*result, output_style()));
}

}  // namespace

Run add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  add_input_option(app, options->input);
  add_format_options(app, options->json);
  add_raw_ip_option(app, options->raw_ip);
  add_filter_options(app, options->hotspots.filter);
  app.add_option(
         "-s,--sort", options->sort,
         "function, line, ip, dso, thread, process, comm, event, object, field, type, site: one or more; "
         "site is who allocated the heap block that holds the data")
      ->capture_default_str();
  app.add_option("-S,--function", options->hotspots.filter.function, "only this function");
  app.add_flag("-g,--call-graph", options->hotspots.callers,
               "show who called, where the recording has call chains");
  app.add_flag("-b,--branches,--branch-stack", options->branches,
               "show which branches ran, from where to where: rows by function or ip");
  app.add_option("--limit", options->hotspots.limit, "at most this many rows; 0 is all")
      ->capture_default_str();
  app.add_flag("--no-inline", options->no_inline,
               "by line: the line of the function itself, not of what is inlined");
  return [options] { return options->branches ? report_branches(*options) : report_hotspots(*options); };
}

}  // namespace hm::cli
