// SPDX-License-Identifier: MIT
#include <memory>

#include "app/query/comparison_query.h"
#include "app/query/fleet_query.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/store_options.h"
#include "view/json/fleet_json.h"
#include "view/text/fleet_text.h"

namespace hm::cli {
namespace {

struct DiffFlags {
  bool full_names = false;
  query::DiffOptions query;
  std::string save;
  double min_percent = 0.5;
  bool json = false;
  std::string format = "text";
  text::DiffView view;
  StoreFlags store;
  SelectionFlags selection;
};

Result<int> print_diff(const DiffFlags& flags) {
  Result<diff::Diff> result = query::compare(flags.query, query::resolver_for(flags.query.rows.reading));
  if (!result) return result.error();
  return print_comparison(*result, flags.view, flags.format, flags.full_names);
}

Result<int> print_fleet_diff(const DiffFlags& flags) {
  const std::string& builds = flags.selection.build;
  size_t dots = builds.find("..");
  if (dots == 0 || dots == std::string::npos || dots + 2 == builds.size())
    return make_error(ErrorCode::kInvalidArgument, "diff of a store needs two builds: --build A..B");
  if (flags.query.diff.events.size() > 1)
    return make_error(ErrorCode::kInvalidArgument, "a store query takes one event at a time");
  if (flags.format != "text" && flags.format != "json")
    return make_error(ErrorCode::kInvalidArgument, "diff of a store prints text or json, not {}",
                      flags.format);
  Result<std::unique_ptr<store::Store>> store = open_store(flags.store);
  if (!store) return store.error();
  Result<store::Selection> selection = read_selection(flags.selection);
  if (!selection) return selection.error();
  query::FleetOptions options;
  options.selection = *std::move(selection);
  if (!flags.query.diff.events.empty()) options.selection.event = flags.query.diff.events.front();
  if (!flags.query.rows.sort.empty()) options.sort = flags.query.rows.sort;
  options.limit = flags.view.limit;
  symbol::BuildNames names;
  options.names = &names;
  Result<fleet::Comparison> comparison =
      query::fleet_diff(**store, options, builds.substr(0, dots), builds.substr(dots + 2));
  if (!comparison) return comparison.error();
  return print(flags.format == "json" ? json::fleet_comparison_json(*comparison)
                                      : text::fleet_comparison(*comparison, output_style(flags.full_names)));
}

Result<int> save_baseline(const DiffFlags& flags) {
  if (flags.query.sides.size() != 1 || !flags.query.limits.empty()) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "--save-baseline takes one recording and does not compare; compare with the baseline afterwards");
  }
  Result<std::string> baseline =
      query::make_baseline({flags.query.sides.front(), flags.query.rows, flags.min_percent / 100},
                           query::resolver_for(flags.query.rows.reading));
  if (!baseline) return baseline.error();
  if (Status written = write_file(flags.save, *baseline); !written) return written.error();
  return 0;
}

}  // namespace

Run add_diff(CommandLine& line) {
  auto flags = std::make_shared<DiffFlags>();
  line.add_option(
          "recordings", flags->query.sides,
          "BEFORE and AFTER: recordings or baselines, repeated runs of a side separated by commas (default: perf.data.old and perf.data)")
      .type("BEFORE AFTER");
  line.add_option("-e,--event", flags->query.diff.events, "only these events")
      .separated_by(',')
      .one_at_a_time();
  line.add_option(
      "-s,--sort", flags->query.rows.sort,
      "rows by function (the default), line, ip, dso, thread, process, comm, event: one or more; rows are matched by name");
  line.add_flag("--any-dso", flags->query.rows.any_dso,
                "match functions regardless of their program or library, for renamed programs");
  line.add_flag("--all", flags->view.all, "also show rows whose change is not significant");
  line.add_option("--limit", flags->view.limit, "at most this many rows for each event; 0 is all")
      .show_default();
  add_limit_option(line, flags->query.limits);
  line.add_option(
          "--save-baseline", flags->save,
          "do not compare: write the totals and largest rows of a recording to a small JSON file, which diff accepts in place of a recording")
      .type("FILE");
  line.add_option("--min-share", flags->min_percent,
                  "with --save-baseline: omit rows with less than this percentage of an event's samples")
      .between(0.0, 100.0)
      .show_default();
  add_names_option(line, flags->full_names);
  line.add_flag("--force", flags->query.diff.force, "compare recordings of different PMUs");
  add_reading_options(line, flags->query.rows.reading);
  add_store_options(line, flags->store);
  add_selection_options(line, flags->selection);
  add_format_options(line, flags->json);
  add_comparison_format(line, flags->format);
  return [flags, &line] {
    Status fits =
        check_store_use(line, flags->store,
                        {"--event", "--sort", "--limit", "--format", "--json", "--stdio", "--full-names"});
    if (!fits) return Result<int>(fits.error());
    if (flags->json) flags->format = "json";
    if (!flags->store.address.empty()) return print_fleet_diff(*flags);
    return flags->save.empty() ? print_diff(*flags) : save_baseline(*flags);
  };
}

}  // namespace hm::cli
