// SPDX-License-Identifier: MIT
#include "app/query/annotate_query.h"

#include <memory>

#include "app/answer/answer.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "view/json/annotation_json.h"

namespace hm::cli {
namespace {

struct AnnotateFlags {
  query::AnnotateOptions query;
  bool json = false;
  bool intel = false;
  bool no_inline = false;
  size_t limit = 20;
};

Result<int> print_annotation(const AnnotateFlags& flags) {
  query::AnnotateOptions options = flags.query;
  options.annotate.inlines = !flags.no_inline;
  if (flags.intel) options.annotate.syntax = symbol::Syntax::kIntel;
  Result<query::Annotated> found = query::annotate_function(options, query::resolver_for(options.reading));
  if (!found) return found.error();
  return print(flags.json ? json::annotation_json(found->profile, found->annotation)
                          : answer::annotation_text(*found, output_style(), flags.limit));
}

}  // namespace

Run add_annotate(CommandLine& line) {
  auto flags = std::make_shared<AnnotateFlags>();
  add_input_option(line, flags->query.input);
  add_format_options(line, flags->json);
  add_reading_options(line, flags->query.reading);
  add_filter_options(line, flags->query.annotate.filter);
  line.add_option(
      "-S,--function,FUNCTION", flags->query.annotate.filter.function,
      "the function, a part of its name or a pattern (parse_*); if several match, the one with the most samples");
  line.add_option("--limit", flags->limit, "at most this many lines in the table of lines; 0 is all")
      .show_default();
  line.add_flag("--mem", flags->query.annotate.latencies, "show latencies of accesses, in cycles");
  line.add_flag("--intel", flags->intel, "Intel syntax; AT&T is the default");
  add_inline_option(line, flags->no_inline);
  return [flags] { return print_annotation(*flags); };
}

}  // namespace hm::cli
