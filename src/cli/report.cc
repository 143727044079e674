// SPDX-License-Identifier: MIT
#include "app/query/report_query.h"

#include <memory>

#include "app/answer/answer.h"
#include "app/query/fleet_query.h"
#include "app/query/occupancy_query.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_header.h"
#include "cli/recording_options.h"
#include "cli/store_options.h"
#include "view/json/branches_json.h"
#include "view/json/fleet_json.h"
#include "view/json/hotspots_json.h"
#include "view/json/occupancy_over_time_json.h"
#include "view/text/branches_text.h"
#include "view/text/fleet_text.h"
#include "view/text/occupancy_over_time_text.h"
#include "web/api.h"
#include "web/single_file.h"

namespace hm::cli {
namespace {

struct ReportFlags {
  query::ReportOptions query;
  bool json = false;
  bool no_inline = false;
  bool full_names = false;
  bool children = false, no_children = false;
  bool branches = false;
  bool occupancy = false;
  std::vector<std::string> sizes;
  std::string html;  // empty: no HTML report
  StoreFlags store;
  SelectionFlags selection;
};

Result<int> print_branches(const ReportFlags& flags) {
  Result<query::BranchReport> report =
      query::report_branches(flags.query, query::resolver_for(flags.query.reading));
  if (!report) return report.error();
  return print(flags.json ? json::branches_json(report->profile, report->branches)
                          : recording_header(report->profile, report->totals) +
                                text::branches_table(report->branches, output_style(flags.full_names)));
}

Result<int> print_hotspots(const ReportFlags& flags) {
  query::ReportOptions options = flags.query;
  options.hotspots.inlines = !flags.no_inline;
  options.hotspots.inclusive = !flags.no_children;
  options.hotspots.by_inclusive = flags.children;
  Result<query::Report> report = query::report(options, query::resolver_for(options.reading));
  if (!report) return report.error();
  return print(flags.json ? json::hotspots_json(report->profile, report->hotspots)
                          : answer::report_text(*report, output_style(flags.full_names)));
}

Result<int> print_fleet(const ReportFlags& flags) {
  Result<std::unique_ptr<store::Store>> store = open_store(flags.store);
  if (!store) return store.error();
  query::FleetOptions options;
  Result<store::Selection> selection = read_selection(flags.selection);
  if (!selection) return selection.error();
  options.selection = *std::move(selection);
  const std::vector<std::string>& events = flags.query.hotspots.filter.events;
  if (events.size() > 1)
    return make_error(ErrorCode::kInvalidArgument, "a store query takes one event at a time");
  if (!events.empty()) options.selection.event = events.front();
  options.selection.function = flags.query.hotspots.filter.function.value_or("");
  options.sort = flags.query.sort;
  options.limit = flags.query.hotspots.limit;
  symbol::BuildNames names;
  options.names = &names;
  Result<fleet::Table> table = query::fleet_report(**store, options);
  if (!table) return table.error();
  return print(flags.json ? json::fleet_json(*table)
                          : text::fleet_table(*table, output_style(flags.full_names)));
}

Result<int> write_page(const ReportFlags& flags) {
  web::Api api({flags.query.input}, flags.query.reading, HM_VERSION);
  Result<std::string> page = web::single_file(api);
  if (!page) return page.error();
  if (flags.html == "-") return print(*page);
  if (Status written = write_file(flags.html, *page); !written) return written.error();
  return 0;
}

Result<int> print_occupancy(const ReportFlags& flags) {
  constexpr size_t kCells = 40;
  Result<query::OccupancyReport> report =
      query::report_occupancy({flags.query.input, flags.query.reading, kCells, flags.sizes},
                              query::resolver_for(flags.query.reading));
  if (!report) return report.error();
  return print(flags.json ? json::occupancy_over_time_json(report->over_time)
                          : recording_header(report->profile, report->totals) +
                                text::occupancy_over_time(report->over_time, output_style()));
}

}  // namespace

Run add_report(CommandLine& line) {
  auto flags = std::make_shared<ReportFlags>();
  add_input_option(line, flags->query.input);
  add_format_options(line, flags->json);
  add_reading_options(line, flags->query.reading);
  add_filter_options(line, flags->query.hotspots.filter);
  line.add_option(
          "-s,--sort", flags->query.sort,
          "one or more of function, line, ip, dso, thread, process, comm, cgroup, event, object, field, type, site, mem, snoop, tlb, locked, access; site is the code that allocated the heap block of the data, mem the level that answered the access")
      .show_default();
  line.add_option(
      "-S,--function", flags->query.hotspots.filter.function,
      "only this function, or those with this part or pattern (parse_*) in their name; FILE:FUNCTION is one of several of that name");
  line.add_flag("-g,--call-graph", flags->query.hotspots.callers,
                "show callers, if the recording has call chains");
  line.add_flag("--children", flags->children,
                "sort functions by their inclusive shares, which include the functions that they call");
  line.add_flag("--no-children", flags->no_children,
                "show neither inclusive shares nor rows that only callers have");
  line.add_flag("--mem", flags->query.hotspots.latencies,
                "show latencies of accesses, in cycles, largest total first");
  line.add_flag("-b,--branches,--branch-stack", flags->branches,
                "show executed branches by source and target: rows by function or ip");
  line.add_flag("--llc", flags->occupancy,
                "show the occupancy of the last-level cache, and who slowed whom down (needs record --llc)");
  add_sizes_option(line, flags->sizes);
  line.add_option(
          "--html", flags->html,
          "write everything to one HTML file, which opens in any browser without a network; - is standard output")
      .type("FILE");
  line.add_option("--limit", flags->query.hotspots.limit, "at most this many rows; 0 is all").show_default();
  add_inline_option(line, flags->no_inline);
  add_names_option(line, flags->full_names);
  add_store_options(line, flags->store);
  add_selection_options(line, flags->selection);
  return [flags, &line] {
    Status fits =
        check_store_use(line, flags->store,
                        {"--event", "--sort", "--function", "--limit", "--json", "--stdio", "--full-names"});
    if (!fits) return Result<int>(fits.error());
    if (!flags->sizes.empty() && !flags->occupancy)
      return Result<int>(make_error(ErrorCode::kInvalidArgument, "--sizes needs --llc"));
    if (flags->children && flags->no_children) {
      return Result<int>(
          make_error(ErrorCode::kInvalidArgument, "--children and --no-children exclude each other"));
    }
    if (!flags->store.address.empty()) return print_fleet(*flags);
    if (!flags->html.empty()) return write_page(*flags);
    if (flags->occupancy) return print_occupancy(*flags);
    return flags->branches ? print_branches(*flags) : print_hotspots(*flags);
  };
}

}  // namespace hm::cli
