// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "app/answer/answer.h"
#include "app/query/comparison_query.h"
#include "mcp/tools.h"
#include "symbol/source_files.h"
#include "view/json/annotation_json.h"
#include "view/json/causes_json.h"
#include "view/json/diff_json.h"
#include "view/json/hotspots_json.h"
#include "view/text/diff_text.h"

namespace hm::mcp {
namespace {

constexpr double kMaxRows = 1e6;
constexpr const char* kUsualRecording = "perf.data";

// Returns `own` with the arguments of every tool that reads a recording.
std::vector<Argument> with_reading(std::vector<Argument> own) {
  own.push_back(
      {"raw_ip", Type::kFlag, "do not attribute samples of the clock to the instruction that waited"});
  own.push_back(
      {"trust_files", Type::kFlag,
       "use this machine's files even if the recording was made elsewhere and lacks their build IDs"});
  own.push_back({"source_map", Type::kTexts,
                 "FROM=TO: look for source files whose path begins with FROM below TO instead"});
  return own;
}

// Returns `own` with the arguments that select samples of a recording.
std::vector<Argument> with_selection(std::vector<Argument> own) {
  std::vector<Argument> all{
      {"recording", Type::kText, "path of the recording (default: perf.data, which `run` writes)"},
      {"events", Type::kTexts, "only these events"},
      {"function", Type::kText,
       "only this function, or those with this part or pattern (parse_*) in their name"}};
  all.insert(all.end(), own.begin(), own.end());
  all.push_back({"comm", Type::kText, "only threads with this name"});
  all.push_back({"pid", Type::kCount, "only this process", false, {}, 0, 0x7fffffff});
  all.push_back({"tid", Type::kCount, "only this thread", false, {}, 0, 0x7fffffff});
  all.push_back(
      {"cgroup", Type::kText, "only this container (name or ID) or control group (systemd unit or path)"});
  all.push_back({"dso", Type::kText, "only this program or library, by path or file name"});
  return with_reading(std::move(all));
}

Argument limit_argument(std::string_view description) {
  return {"limit", Type::kCount, description, false, {}, 0, kMaxRows};
}

Argument inline_argument() {
  return {"no_inline", Type::kFlag, "show functions with a symbol, not the functions inlined into them"};
}

profile::FilterOptions filter_of(const Arguments& arguments) {
  profile::FilterOptions filter;
  filter.events = arguments.texts("events");
  filter.comm = arguments.text("comm");
  filter.pid = arguments.id("pid");
  filter.tid = arguments.id("tid");
  filter.cgroup = arguments.text("cgroup");
  filter.dso = arguments.text("dso");
  filter.function = arguments.text("function");
  return filter;
}

Result<query::Reading> reading_of(const Arguments& arguments) {
  query::Reading reading{.raw_ip = arguments.flag("raw_ip"), .trust_files = arguments.flag("trust_files")};
  reading.source_rules = arguments.texts("source_map");
  for (const std::string& rule : reading.source_rules) {
    if (std::string wrong = symbol::check_source_rule(rule); !wrong.empty())
      return make_error(ErrorCode::kInvalidArgument, "source_map: {}", wrong);
  }
  return reading;
}

Result<Answer> report(const Call& call) {
  const Arguments& arguments = call.arguments;
  Result<query::Reading> reading = reading_of(arguments);
  if (!reading) return reading.error();
  query::ReportOptions options{.input = arguments.text("recording", kUsualRecording), .reading = *reading};
  options.sort = arguments.text("sort", options.sort);
  options.hotspots.filter = filter_of(arguments);
  options.hotspots.limit = arguments.count("limit", 20);
  options.hotspots.callers = arguments.flag("callers");
  options.hotspots.latencies = arguments.flag("latencies");
  options.hotspots.inlines = !arguments.flag("no_inline");
  options.hotspots.inclusive = true;
  options.hotspots.by_inclusive = arguments.flag("by_inclusive");
  Result<query::Report> found = query::report(options, query::resolver_for(*reading));
  if (!found) return found.error();
  return Answer{{answer::report_text(*found, {})}, json::hotspots_json(found->profile, found->hotspots)};
}

Result<Answer> explain(const Call& call) {
  const Arguments& arguments = call.arguments;
  Result<query::Reading> reading = reading_of(arguments);
  if (!reading) return reading.error();
  query::ExplainOptions options{.input = arguments.text("recording", kUsualRecording), .reading = *reading};
  options.cause.filter = filter_of(arguments);
  options.cause.limit = arguments.count("limit", options.cause.limit);
  options.cause.min_share = arguments.number("min_share", 1) / 100;
  options.cause.inlines = !arguments.flag("no_inline");
  Result<query::Explanation> found = query::explain(options, query::resolver_for(*reading));
  if (!found) return found.error();
  return Answer{{answer::explanation_text(*found, {})},
                json::causes_json(found->profile, found->causes, found->over_time)};
}

Result<Answer> annotate(const Call& call) {
  constexpr uint64_t kUsualLines = 20;
  const Arguments& arguments = call.arguments;
  Result<query::Reading> reading = reading_of(arguments);
  if (!reading) return reading.error();
  query::AnnotateOptions options{.input = arguments.text("recording", kUsualRecording), .reading = *reading};
  options.annotate.filter = filter_of(arguments);
  options.annotate.latencies = arguments.flag("latencies");
  options.annotate.inlines = !arguments.flag("no_inline");
  if (arguments.text("syntax", "") == "intel") options.annotate.syntax = symbol::Syntax::kIntel;
  Result<query::Annotated> found = query::annotate_function(options, query::resolver_for(*reading));
  if (!found) return found.error();
  return Answer{{answer::annotation_text(*found, {}, arguments.count("limit", kUsualLines))},
                json::annotation_json(found->profile, found->annotation)};
}

Result<Answer> diff(const Call& call) {
  const Arguments& arguments = call.arguments;
  Result<query::Reading> reading = reading_of(arguments);
  if (!reading) return reading.error();
  query::DiffOptions options;
  options.sides = {arguments.text("before", "perf.data.old"), arguments.text("after", kUsualRecording)};
  options.rows = {arguments.text("sort", ""), arguments.flag("any_dso"), *reading};
  options.limits = arguments.texts("fail_above");
  options.diff.events = arguments.texts("events");
  options.diff.force = arguments.flag("force");
  text::DiffView view;
  view.all = arguments.flag("all");
  view.limit = arguments.count("limit", view.limit);
  Result<diff::Diff> found = query::compare(options, query::resolver_for(*reading));
  if (!found) return found.error();
  return Answer{{text::diff_report(*found, view, {}) + text::limit_messages(*found)},
                json::diff_json(*found)};
}

}  // namespace

Tool report_tool() {
  return {
      .name = "report",
      .title = "Where the samples are",
      .description =
          "Reports where the events of a recording happen: functions, lines, data objects or threads, with their shares and 95 % confidence intervals.",
      .arguments = with_selection(
          {{"sort", Type::kText,
            "the rows: one or more of function (the default), line, ip, dso, thread, process, comm, cgroup, event, object, field, type, site, mem, snoop, tlb, locked, access, separated by commas; site is the code that allocated the data, mem the level that answered the access"},
           limit_argument("at most this many rows (default: 20); 0 is all"),
           {"callers", Type::kFlag, "show callers, if the recording has call chains"},
           {"by_inclusive", Type::kFlag,
            "sort functions by their inclusive shares, which include the functions that they call"},
           {"latencies", Type::kFlag, "show latencies of accesses, in cycles"},
           inline_argument()}),
      .call = report};
}

Tool explain_tool() {
  return {
      .name = "explain",
      .title = "Why places miss, and what to change",
      .description =
          "Explains the hottest places of a recording: the line, the classes of its misses (compulsory, capacity, conflict), the accessed data, the access pattern, which threads fight over a line (false sharing), and a change with the gain to expect.",
      .arguments =
          with_selection({limit_argument("at most this many places of each event (default: 5); 0 is all"),
                          {"min_share",
                           Type::kNumber,
                           "omit places with less than this percentage of the event's samples (default: 1)",
                           false,
                           {},
                           0,
                           100},
                          inline_argument()}),
      .call = explain};
}

Tool annotate_tool() {
  return {
      .name = "annotate",
      .title = "One function's lines and instructions",
      .description = "Shows the source lines and the instructions of one function, with the samples of each.",
      .arguments = with_selection(
          {limit_argument("at most this many lines in the table of lines (default: 20); 0 is all"),
           {"latencies", Type::kFlag, "show latencies of accesses, in cycles"},
           {"syntax", Type::kText, "of the instructions (default: att)", false, {"att", "intel"}},
           inline_argument()}),
      .call = annotate};
}

Tool diff_tool() {
  return {
      .name = "diff",
      .title = "What changed between two recordings",
      .description =
          "Compares two recordings, for example before and after a change: the totals, the functions with more or fewer events, their confidence intervals, and limits of growth.",
      .arguments = with_reading(
          {{"before", Type::kText,
            "a recording or baseline; repeated runs are separated by commas (default: perf.data.old, the recording that `run` replaced)"},
           {"after", Type::kText,
            "a recording or baseline; repeated runs are separated by commas (default: perf.data)"},
           {"events", Type::kTexts, "only these events"},
           {"sort", Type::kText,
            "the rows: one or more of function (the default), line, ip, dso, thread, process, comm, event, separated by commas"},
           {"any_dso", Type::kFlag, "match functions regardless of their program or library"},
           {"all", Type::kFlag, "in the text, also show rows whose change is not significant"},
           limit_argument("in the text, at most this many rows for each event (default: 10); 0 is all"),
           {"fail_above", Type::kTexts,
            "limits of growth: EVENT:2%, EVENT:+5000, EVENT@FUNCTION:10%, EVENT/kinst:+0.5 (per 1000 instructions)"},
           {"force", Type::kFlag, "compare recordings of different PMUs"}}),
      .call = diff};
}

}  // namespace hm::mcp
