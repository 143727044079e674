// SPDX-License-Identifier: MIT
#include "analysis/annotate/annotate.h"

#include <memory>

#include "analysis/totals/totals.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "profile/lookup.h"
#include "symbol/file_resolver.h"
#include "view/json/annotate.h"
#include "view/text/annotate.h"
#include "view/text/recording.h"

namespace hm::cli {
namespace {

struct AnnotateOptions {
  std::string input = "perf.data";
  bool json = false;
  bool raw_ip = false;
  bool intel = false;
  size_t limit = 20;
  annotate::Options annotate;
};

Result<int> run_annotate(const AnnotateOptions& chosen) {
  annotate::Options options = chosen.annotate;
  if (chosen.intel) options.syntax = symbol::Syntax::kIntel;
  symbol::FileResolver resolver;
  Result<profile::Profile> profile =
      load_profile(chosen.input, resolver, profile::kPlacesOnly, chosen.raw_ip);
  if (!profile.ok()) return profile.error();
  Result<annotate::Annotation> result = annotate::annotate(*profile, resolver, options);
  if (!result.ok()) return result.error();
  profile::take_problems(resolver, *profile);
  std::string out = chosen.json ? json::annotation_json(*profile, *result)
                                : text::recording_header(*profile, totals::find_totals(*profile)) +
                                      text::annotation(*result, output_style(), chosen.limit);
  if (Status written = write_output(out); !written.ok()) return written.error();
  return 0;
}

}  // namespace

Run add_annotate(CLI::App& app) {
  auto options = std::make_shared<AnnotateOptions>();
  add_input_option(app, options->input);
  add_format_options(app, options->json);
  add_raw_ip_option(app, options->raw_ip);
  add_filter_options(app, options->annotate.filter);
  app.add_option("-S,--function,FUNCTION", options->annotate.filter.function,
                 "the function; without it, the one with the most samples");
  app.add_option("--limit", options->limit, "at most this many lines in the table of lines; 0 is all")
      ->capture_default_str();
  app.add_flag("--intel", options->intel, "Intel syntax; AT&T is the default");
  return [options] { return run_annotate(*options); };
}

}  // namespace hm::cli
