// SPDX-License-Identifier: MIT
#include "app/query/timeline.h"

#include <charconv>
#include <cmath>
#include <memory>

#include "app/measure/sampling_words.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/recording_options.h"
#include "cli/timeline_on_screen.h"
#include "symbol/file_resolver.h"
#include "view/csv/timeline.h"
#include "view/json/timeline.h"
#include "view/text/occupancy_over_time.h"
#include "view/text/recording.h"
#include "view/text/timeline.h"

namespace hm::cli {
namespace {

// Of the clock: as fine as the paper's.
constexpr const char *kUsualEvent = "clock", *kUsualPeriod = "100us", *kUsualLivePeriod = "1ms";
constexpr uint64_t kUsualSpanNs = 10'000'000'000;  // of running processes, how much is seen at first

struct TimelineWords {
  query::TimelineOptions query;
  timeline::Window window;
  std::string input;         // empty: perf.data
  RecordingWords recording;  // of a program that is run first
  std::string by = "thread", way = "mix";
  std::string from, to, bin;  // empty: the whole run, and as many bins as fit
  std::optional<size_t> columns;
  bool json = false, csv = false, stdio = false;
  bool live = false;

  // What is printed, and nothing to look around in.
  [[nodiscard]] bool wants_text() const {
    return json || csv || stdio || columns || !bin.empty() || window.samples != 0;
  }
};

// A number with a unit, such as 3.2s or 250us, in ns; nullopt where it is none.
std::optional<uint64_t> parse_time(std::string_view word) {
  std::optional<uint64_t> unit = measure::take_time_unit(word);
  if (!unit) return std::nullopt;
  double number = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  constexpr double kMost = 1e18;
  double ns = number * static_cast<double>(*unit);
  bool good = error == std::errc() && end == word.data() + word.size() && number >= 0 && ns < kMost;
  return good ? std::optional(static_cast<uint64_t>(std::llround(ns))) : std::nullopt;
}

std::string check_time(std::string& word) {
  return parse_time(word) ? "" : word + " is no time such as 3.2s or 250us";
}

void read_words(TimelineWords& words) {
  timeline::Window& window = words.window;
  window.by = *timeline::by_named(words.by);
  window.from_ns = parse_time(words.from).value_or(0);
  window.to_ns = parse_time(words.to).value_or(UINT64_MAX);
  window.bin_ns = parse_time(words.bin).value_or(0);
  window.columns = words.columns.value_or(text::timeline_columns(output_style()));
  words.query.history.way = *timeline::way_named(words.way);
  words.query.history.rates = words.json;
}

Result<int> show_timeline(TimelineWords words, int status) {
  read_words(words);
  const timeline::Window& window = words.window;
  bool on_screen = has_screen() && !words.wants_text();
  words.query.with_cpus = on_screen || window.by == timeline::By::kCpu;
  Result<query::RecordedHistory> recorded = query::history_of(words.query, symbol::FileResolver());
  if (!recorded) return recorded.error();
  Result<query::ShownWindow> found = query::show_window(recorded->history, *recorded->profile, window);
  if (!found) return found.error();
  const auto& [timeline, episodes, over_time] = *found;
  if (on_screen) {
    Status shown = show_on_screen(*recorded, window);
    if (shown) return status_after(interrupts() > 0, status);
    if (shown.error().code != ErrorCode::kUnsupported) return shown.error();
  }
  if (words.csv) return print(csv::timeline_lines(timeline), status);
  if (words.json)
    return print(json::timeline_json(*recorded->profile, timeline, episodes, over_time), status);
  text::Style style = output_style();
  return print(text::recording_header(*recorded->profile, recorded->totals) +
                   text::timeline_view(timeline, episodes, style) +
                   (over_time ? '\n' + text::occupancy_lanes(*over_time, style) : std::string()),
               status);
}

Result<int> watch_processes(TimelineWords words) {
  const TargetWords& target = words.recording.program.target;
  if (target.pids.empty() && !target.whole_system)
    return make_error(ErrorCode::kInvalidArgument,
                      "--live needs to know of what: processes (-p PID) or all (-a)");
  if (!has_screen() || words.wants_text())
    return make_error(ErrorCode::kInvalidArgument,
                      "what runs is shown on a terminal, and this is none, or something else is asked for: "
                      "record it (hardmeter record -p PID), and print the time line of the recording");
  read_words(words);
  words.query.with_cpus = true;
  ProgramWords& program = words.recording.program;
  program.usual_events = kUsualEvent;
  live::LiveTimelineOptions options;
  Result<measure::MeasureOptions> what = read_program_options(program);
  if (!what) return what.error();
  options.live.record.what = *std::move(what);
  options.live.record.sampling = words.recording.sampling;
  options.query = words.query;
  if (Status watched = watch_on_screen(options, words.window, kUsualSpanNs, symbol::FileResolver()); !watched)
    return watched.error();
  return status_after(interrupts() > 0, 0);
}

Result<int> run_timeline(TimelineWords words) {
  ProgramWords& program = words.recording.program;
  measure::SamplingOptions& sampling = words.recording.sampling;
  bool is_clock = program.events.empty();
  bool watches = words.live || !program.target.pids.empty() || program.target.whole_system;
  if (is_clock && sampling.period.empty() && !sampling.frequency_hz)
    sampling.period = watches ? kUsualLivePeriod : kUsualPeriod;
  bool runs_program = !program.line->rest().empty();
  if (runs_program + watches + !words.input.empty() > 1)
    return make_error(ErrorCode::kInvalidArgument,
                      "a recording (-i), what runs (--live -p PID) or a program: one of them, not several");
  if (watches) return watch_processes(words);
  if (!runs_program) {
    words.query.input = words.input.empty() ? "perf.data" : words.input;
    words.query.history.filter.events = program.events;
    return show_timeline(std::move(words), 0);
  }
  words.query.input = words.recording.output;
  return record_first(words.recording, kUsualEvent, [&](int status) { return show_timeline(words, status); });
}

void add_what_to_show(CommandLine& line, TimelineWords& words) {
  add_recorded_or_run_options(line, words.input, words.recording);
  line.set_footer(
      "Of a recording (-i), of what runs (--live), or of a program that is run first: hardmeter timeline "
      "[OPTIONS] [--] "
      "PROGRAM [ARGUMENTS...]. On a terminal it takes the whole screen, where ? tells of the keys; --stdio "
      "and "
      "the options that say what to print do not.");
  TargetWords& target = words.recording.program.target;
  line.add_flag("--live", words.live,
                "watch what runs already while it runs: processes (-p) or all (-a); on a terminal");
  line.add_option("-p", target.pids, "running processes, with those that they start")
      .separated_by(',')
      .one_at_a_time()
      .positive()
      .type("PID");
  line.add_flag("-a,--all-cpus", target.whole_system, "the whole system");
  line.add_option("-b,--branch-filter", words.recording.sampling.branches,
                  "record the last branches with each sample: any (the default), call, ret")
      .value_may_be_left_out()
      .check(measure::check_branches, "any,call,ret")
      .type("")
      .show_default("any");
}

}  // namespace

Run add_timeline(CommandLine& line) {
  auto words = std::make_shared<TimelineWords>();
  timeline::Window& window = words->window;
  add_what_to_show(line, *words);
  line.add_flag("--json", words->json, "print JSON");
  line.add_flag("--stdio", words->stdio, "print text, also on a terminal");
  line.add_flag("--csv", words->csv, "print comma-separated values: begin_ns, lane, function, ns");
  line.add_option("--by", words->by, "a row for each of these")
      .one_of({"thread", "process", "cpu"})
      .show_default();
  line.add_option("--from", words->from, "begin so long after the first sample, such as 3.2s")
      .check(check_time, "")
      .type("TIME");
  line.add_option("--to", words->to, "end so long after the first sample").check(check_time, "").type("TIME");
  line.add_option("--columns", words->columns, "cut the time into so many cells (default: as many as fit)")
      .between(uint64_t{1}, uint64_t{100'000})
      .type("COUNT");
  line.add_option("--bin", words->bin, "cells of this length instead, such as 10ms")
      .check(check_time, "")
      .type("TIME");
  line.add_option("--rate", words->query.history.counts,
                  "show in a row how many of this event were counted in each cell; repeat it for several")
      .type("EVENT");
  line.add_option(
          "--way", words->way,
          "how a sample's branches share the time since the sample before: none, all of it to the sampled "
          "function; even, equal parts; share, to each its function's share of all samples, and the rest to "
          "the sampled one; ratio, in the ratio of these shares; dwell, in that of the mean times that the "
          "functions run from branch to branch; mix, by dwell, half by this sample and half by the one "
          "before, as it is not known "
          "what ran in which order before the oldest branch; cycles, in that of the cycles between branches, "
          "where the "
          "processor counted them")
      .one_of({"none", "even", "share", "ratio", "dwell", "mix", "cycles"})
      .show_default();
  line.add_option("--samples", window.samples,
                  "show so many samples of the window one by one, with their branches in order")
      .type("COUNT");
  line.add_option("--functions", window.functions, "tell so many functions apart; 0 is all").show_default();
  line.add_option("--lanes", window.lanes, "show so many threads, processes or CPUs; 0 is all")
      .show_default();
  add_reading_options(line, words->query.reading);
  add_task_filter_options(line, words->query.history.filter);
  line.add_option("-S,--function", words->query.history.filter.function,
                  "only this function, or those with this part or pattern (parse_*) in their name");
  return [words] { return run_timeline(*words); };
}

}  // namespace hm::cli
