// SPDX-License-Identifier: MIT
#include "app/query/explain.h"

#include <memory>

#include "app/answer/answer.h"
#include "app/query/fleet_explain.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/store_options.h"
#include "view/json/causes.h"
#include "view/json/fleet_causes.h"
#include "view/text/fleet_causes.h"

namespace hm::cli {
namespace {

struct ExplainWords {
  query::ExplainOptions query;
  bool json = false;
  bool no_inline = false;
  bool full_names = false;
  double min_percent = 1;
  StoreWords store;
  SelectionWords selection;
};

Result<int> print_fleet_causes(const ExplainWords& words) {
  Result<std::unique_ptr<store::Store>> store = open_store(words.store);
  if (!store) return store.error();
  Result<store::Selection> selection = read_selection(words.selection);
  if (!selection) return selection.error();
  symbol::BuildNames names;
  query::FleetExplainOptions options{.selection = *std::move(selection),
                                     .events = words.query.cause.filter.events,
                                     .limit = words.query.cause.limit,
                                     .min_share = words.min_percent / 100,
                                     .names = &names};
  options.selection.function = words.query.cause.filter.function.value_or("");
  Result<fleet::FleetCauses> causes = query::fleet_explain(**store, options);
  if (!causes) return causes.error();
  return print(words.json ? json::fleet_causes_json(*causes) : text::fleet_causes(*causes, output_style()));
}

Result<int> print_causes(const ExplainWords& words) {
  query::ExplainOptions options = words.query;
  options.cause.min_share = words.min_percent / 100;
  options.cause.inlines = !words.no_inline;
  Result<query::Explanation> found = query::explain(options, query::resolver_for(options.reading));
  if (!found) return found.error();
  if (words.json) return print(json::causes_json(found->profile, found->causes, found->over_time));
  return print(answer::explanation_text(*found, output_style(words.full_names)));
}

}  // namespace

Run add_explain(CommandLine& line) {
  auto words = std::make_shared<ExplainWords>();
  add_input_option(line, words->query.input);
  add_format_options(line, words->json);
  add_reading_options(line, words->query.reading);
  add_filter_options(line, words->query.cause.filter);
  line.add_option(
      "-S,--function", words->query.cause.filter.function,
      "only this function, or those with this part or pattern (parse_*) in their name; FILE:FUNCTION is one of several of that name");
  line.add_option("--limit", words->query.cause.limit, "at most this many locations of each event; 0 is all")
      .show_default();
  line.add_option("--min-share", words->min_percent,
                  "omit locations with less than this percentage of the event's samples")
      .between(0.0, 100.0)
      .show_default();
  add_inline_option(line, words->no_inline);
  add_names_option(line, words->full_names);
  add_sizes_option(line, words->query.sizes);
  add_store_options(line, words->store);
  add_selection_options(line, words->selection);
  return [words] { return words->store.address.empty() ? print_causes(*words) : print_fleet_causes(*words); };
}

}  // namespace hm::cli
