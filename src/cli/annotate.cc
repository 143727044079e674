// SPDX-License-Identifier: MIT
#include "app/query/annotate.h"

#include <memory>

#include "app/answer/answer.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "view/json/annotate.h"

namespace hm::cli {
namespace {

struct AnnotateWords {
  query::AnnotateOptions query;
  bool json = false;
  bool intel = false;
  bool no_inline = false;
  size_t limit = 20;
};

Result<int> print_annotation(const AnnotateWords& words) {
  query::AnnotateOptions options = words.query;
  options.annotate.inlines = !words.no_inline;
  if (words.intel) options.annotate.syntax = symbol::Syntax::kIntel;
  Result<query::Annotated> found = query::annotate_function(options, query::resolver_for(options.reading));
  if (!found) return found.error();
  return print(words.json ? json::annotation_json(found->profile, found->annotation)
                          : answer::annotation_text(*found, output_style(), words.limit));
}

}  // namespace

Run add_annotate(CommandLine& line) {
  auto words = std::make_shared<AnnotateWords>();
  add_input_option(line, words->query.input);
  add_format_options(line, words->json);
  add_reading_options(line, words->query.reading);
  add_filter_options(line, words->query.annotate.filter);
  line.add_option(
      "-S,--function,FUNCTION", words->query.annotate.filter.function,
      "the function, a part of its name or a pattern (parse_*); if several match, the one with the most samples");
  line.add_option("--limit", words->limit, "at most this many lines in the table of lines; 0 is all")
      .show_default();
  line.add_flag("--mem", words->query.annotate.latencies, "show latencies of accesses, in cycles");
  line.add_flag("--intel", words->intel, "Intel syntax; AT&T is the default");
  add_inline_option(line, words->no_inline);
  return [words] { return print_annotation(*words); };
}

}  // namespace hm::cli
