// SPDX-License-Identifier: MIT
#include <memory>

#include "analysis/cause/cause.h"
#include "analysis/totals/totals.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "profile/lookup.h"
#include "symbol/file_resolver.h"
#include "view/json/causes.h"
#include "view/text/causes.h"
#include "view/text/recording.h"

namespace hm::cli {
namespace {

struct ExplainOptions {
  std::string input = "perf.data";
  bool json = false;
  bool raw_ip = false;
  double min_percent = 1;
  cause::Options cause;
};

Result<int> run_explain(const ExplainOptions& chosen) {
  cause::Options options = chosen.cause;
  options.min_share = chosen.min_percent / 100;
  profile::Needs needs = profile::kPlacesOnly;
  needs.details = needs.objects = true;
  symbol::FileResolver resolver;
  Result<profile::Profile> profile = load_profile(chosen.input, resolver, needs, chosen.raw_ip);
  if (!profile.ok()) return profile.error();
  Result<cause::Causes> result = cause::find_causes(*profile, resolver, options);
  if (!result.ok()) return result.error();
  profile::take_problems(resolver, *profile);
  std::string out = chosen.json ? json::causes_json(*profile, *result)
                                : text::recording_header(*profile, totals::find_totals(*profile)) +
                                      text::causes(*result, output_style());
  if (Status written = write_output(out); !written.ok()) return written.error();
  return 0;
}

}  // namespace

Run add_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  add_input_option(app, options->input);
  add_format_options(app, options->json);
  add_raw_ip_option(app, options->raw_ip);
  add_filter_options(app, options->cause.filter);
  app.add_option("-S,--function", options->cause.filter.function, "only this function");
  app.add_option("--limit", options->cause.limit, "at most this many places of each event; 0 is all")
      ->capture_default_str();
  app.add_option("--min-share", options->min_percent,
                 "leave out places with less of the event's samples, in per cent")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  return [options] { return run_explain(*options); };
}

}  // namespace hm::cli
