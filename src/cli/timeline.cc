// SPDX-License-Identifier: MIT
#include "app/query/timeline.h"

#include <charconv>
#include <cmath>
#include <memory>

#include "app/measure/sampling_words.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"
#include "view/csv/timeline.h"
#include "view/json/timeline.h"
#include "view/text/recording.h"
#include "view/text/timeline.h"

namespace hm::cli {
namespace {

struct TimelineWords {
  query::TimelineOptions query;
  std::string input;         // empty: perf.data
  RecordingWords recording;  // of a program that is run first
  std::string by = "thread", way = "dwell";
  std::string from, to, bin;  // empty: the whole run, and as many bins as fit
  std::optional<size_t> columns;
  bool json = false, csv = false;
};

// A number with a unit, such as 3.2s or 250us, in ns; nullopt where it is none.
std::optional<uint64_t> parse_time(std::string_view word) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  for (auto [suffix, ns] : kUnits) {
    if (!word.ends_with(suffix)) continue;
    word.remove_suffix(suffix.size());
    double number = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    constexpr double kMost = 1e18;
    bool good =
        error == std::errc() && end == word.data() + word.size() && number >= 0 && number * ns < kMost;
    return good ? std::optional(static_cast<uint64_t>(std::llround(number * ns))) : std::nullopt;
  }
  return std::nullopt;
}

std::string check_time(const std::string& word) {
  return parse_time(word) ? "" : word + " is no time such as 3.2s or 250us";
}

Result<int> print_timeline(TimelineWords words, int status) {
  timeline::Options& options = words.query.timeline;
  options.by = *timeline::by_named(words.by);
  options.way = *timeline::way_named(words.way);
  options.from_ns = parse_time(words.from).value_or(0);
  options.to_ns = parse_time(words.to).value_or(UINT64_MAX);
  options.bin_ns = parse_time(words.bin).value_or(0);
  options.columns = words.columns.value_or(text::timeline_columns(output_style()));
  Result<query::TimelineAnswer> found = query::timeline_of(words.query, symbol::FileResolver());
  if (!found) return found.error();
  if (words.csv) return print(csv::timeline_lines(found->timeline), status);
  return print(words.json ? json::timeline_json(found->profile, found->timeline)
                          : text::recording_header(found->profile, found->totals) +
                                text::timeline_view(found->timeline, output_style()),
               status);
}

Result<int> run_timeline(TimelineWords words) {
  ProgramWords& program = words.recording.program;
  if (program.line->rest().empty()) {
    words.query.input = words.input.empty() ? "perf.data" : words.input;
    words.query.timeline.filter.events = program.events;
    return print_timeline(std::move(words), 0);
  }
  if (!words.input.empty())
    return make_error(ErrorCode::kInvalidArgument, "a recording (-i) or a program: one of them, not both");
  program.usual_events = "clock";
  words.query.input = words.recording.output;
  Result<Recorded> recorded = make_recording(words.recording);
  if (!recorded || !recorded->written) return recorded ? Result<int>(recorded->status) : recorded.error();
  return print_timeline(std::move(words), recorded->status);
}

void add_what_to_show(CommandLine& line, TimelineWords& words) {
  add_own_program_options(line, words.recording.program);
  line.set_footer(
      "Of a recording (-i), or of a program that is run first: hardmeter timeline [OPTIONS] [--] PROGRAM "
      "[ARGUMENTS...]");
  line.add_option("-i,--input", words.input, "the recording (default: perf.data); - is standard input")
      .type("FILE");
  line.add_option("-c,--count", words.recording.sampling.period,
                  "take a sample every so many events, or of the clock every so much time, such as 100us")
      .check(measure::check_period, "")
      .type("PERIOD");
  line.add_option("-b,--branch-filter", words.recording.sampling.branches,
                  "record the last branches with each sample: any (the default), call, ret")
      .value_may_be_left_out()
      .check(measure::check_branches, "any,call,ret")
      .type("")
      .show_default("any");
  line.add_option("-o,--output", words.recording.output,
                  "the recording of a program that is run; an old one becomes FILE.old")
      .type("FILE")
      .show_default();
  line.add_flag("-q,--quiet", words.recording.quiet, "say nothing of how recording goes");
}

}  // namespace

Run add_timeline(CommandLine& line) {
  auto words = std::make_shared<TimelineWords>();
  timeline::Options& options = words->query.timeline;
  add_what_to_show(line, *words);
  add_format_options(line, words->json);
  line.add_flag("--csv", words->csv, "print comma-separated values: begin_ns, lane, function, ns");
  line.add_option("--by", words->by, "a row for each of these")
      .one_of({"thread", "process", "cpu"})
      .show_default();
  line.add_option("--from", words->from, "begin so long after the first sample, such as 3.2s")
      .check([](std::string& word) { return check_time(word); }, "")
      .type("TIME");
  line.add_option("--to", words->to, "end so long after the first sample")
      .check([](std::string& word) { return check_time(word); }, "")
      .type("TIME");
  line.add_option("--columns", words->columns, "cut the time into so many cells (default: as many as fit)")
      .between(uint64_t{1}, uint64_t{100'000})
      .type("COUNT");
  line.add_option("--bin", words->bin, "cells of this length instead, such as 10ms")
      .check([](std::string& word) { return check_time(word); }, "")
      .type("TIME");
  line.add_option(
          "--way", words->way,
          "how a sample's branches share the time since the sample before: none, all of it to the sampled "
          "function; even, equal parts; share, to each its function's share of all samples, and the rest to "
          "the sampled one; ratio, in the ratio of these shares; dwell, in that of the mean times that the "
          "functions run from branch to branch; cycles, in that of the cycles between branches, where the "
          "processor counted them")
      .one_of({"none", "even", "share", "ratio", "dwell", "cycles"})
      .show_default();
  line.add_option("--samples", options.samples,
                  "show so many samples of the window one by one, with their branches in order")
      .type("COUNT");
  line.add_option("--functions", options.functions, "tell so many functions apart; 0 is all").show_default();
  line.add_option("--lanes", options.lanes, "show so many threads, processes or CPUs; 0 is all")
      .show_default();
  add_reading_options(line, words->query.reading);
  add_task_filter_options(line, options.filter);
  line.add_option("-S,--function", options.filter.function,
                  "only this function, or those with this part or pattern (parse_*) in their name");
  return [words] { return run_timeline(*words); };
}

}  // namespace hm::cli
