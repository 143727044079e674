// SPDX-License-Identifier: MIT
#include "app/query/explain_query.h"

#include <memory>

#include "app/answer/answer.h"
#include "app/query/fleet_explain.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/store_options.h"
#include "view/json/causes_json.h"
#include "view/json/fleet_causes_json.h"
#include "view/text/fleet_causes_text.h"

namespace hm::cli {
namespace {

struct ExplainFlags {
  query::ExplainOptions query;
  bool json = false;
  bool no_inline = false;
  bool full_names = false;
  double min_percent = 1;
  StoreFlags store;
  SelectionFlags selection;
};

Result<int> print_fleet_causes(const ExplainFlags& flags) {
  Result<std::unique_ptr<store::Store>> store = open_store(flags.store);
  if (!store) return store.error();
  Result<store::Selection> selection = read_selection(flags.selection);
  if (!selection) return selection.error();
  symbol::BuildNames names;
  query::FleetExplainOptions options{.selection = *std::move(selection),
                                     .events = flags.query.cause.filter.events,
                                     .limit = flags.query.cause.limit,
                                     .min_share = flags.min_percent / 100,
                                     .names = &names};
  options.selection.function = flags.query.cause.filter.function.value_or("");
  Result<fleet::FleetCauses> causes = query::fleet_explain(**store, options);
  if (!causes) return causes.error();
  return print(flags.json ? json::fleet_causes_json(*causes) : text::fleet_causes(*causes, output_style()));
}

Result<int> print_causes(const ExplainFlags& flags) {
  query::ExplainOptions options = flags.query;
  options.cause.min_share = flags.min_percent / 100;
  options.cause.inlines = !flags.no_inline;
  Result<query::Explanation> found = query::explain(options, query::resolver_for(options.reading));
  if (!found) return found.error();
  if (flags.json) return print(json::causes_json(found->profile, found->causes, found->over_time));
  return print(answer::explanation_text(*found, output_style(flags.full_names)));
}

}  // namespace

Run add_explain(CommandLine& line) {
  auto flags = std::make_shared<ExplainFlags>();
  add_input_option(line, flags->query.input);
  add_format_options(line, flags->json);
  add_reading_options(line, flags->query.reading);
  add_filter_options(line, flags->query.cause.filter);
  line.add_option(
      "-S,--function", flags->query.cause.filter.function,
      "only this function, or those with this part or pattern (parse_*) in their name; FILE:FUNCTION is one of several of that name");
  line.add_option("--limit", flags->query.cause.limit, "at most this many locations of each event; 0 is all")
      .show_default();
  line.add_option("--min-share", flags->min_percent,
                  "omit locations with less than this percentage of the event's samples")
      .between(0.0, 100.0)
      .show_default();
  add_inline_option(line, flags->no_inline);
  add_names_option(line, flags->full_names);
  add_sizes_option(line, flags->query.sizes);
  add_store_options(line, flags->store);
  add_selection_options(line, flags->selection);
  return [flags, &line] {
    Status fits = check_store_use(line, flags->store,
                                  {"--event", "--function", "--limit", "--min-share", "--json", "--stdio"});
    if (!fits) return Result<int>(fits.error());
    return flags->store.address.empty() ? print_causes(*flags) : print_fleet_causes(*flags);
  };
}

}  // namespace hm::cli
