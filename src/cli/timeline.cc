// SPDX-License-Identifier: MIT
#include "app/query/timeline_query.h"

#include <charconv>
#include <cmath>
#include <memory>

#include "app/measure/sampling_arguments.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/recording_header.h"
#include "cli/recording_options.h"
#include "cli/timeline_on_screen.h"
#include "symbol/file_resolver.h"
#include "view/csv/timeline_csv.h"
#include "view/json/timeline_json.h"
#include "view/text/occupancy_over_time_text.h"
#include "view/text/timeline_text.h"

namespace hm::cli {
namespace {

// Defaults for the clock, as fine as in the paper.
constexpr const char *kUsualEvent = "clock", *kUsualPeriod = "100us", *kUsualLivePeriod = "1ms";
constexpr const char* kUsualCycles = "100000";     // period of the software PMU's clock
constexpr uint64_t kUsualSpanNs = 10'000'000'000;  // initial span shown for running processes

struct TimelineFlags {
  query::TimelineOptions query;
  timeline::Window window;
  std::string input;         // empty: perf.data
  RecordingFlags recording;  // a program that is run first
  std::string by = "thread", way = "mix";
  std::string from, to, bin;  // empty: the whole run; a bin for each column
  std::optional<size_t> columns;
  bool json = false, csv = false, stdio = false;
  bool live = false;

  // Returns whether text is printed instead of an interactive screen.
  [[nodiscard]] bool wants_text() const {
    return json || csv || stdio || columns || !bin.empty() || window.samples != 0;
  }
};

// A position or length on a time line's axis.
struct Amount {
  uint64_t amount = 0;
  profile::TimeUnit unit = profile::TimeUnit::kNanoseconds;
};

// Parses a number with a unit of time, such as 3.2s or 250us, or cycles, such as 1500 or 1.5M. Returns
// nullopt for other words.
std::optional<Amount> parse_amount(std::string_view word) {
  std::optional<uint64_t> of_time = measure::take_time_unit(word);
  double scale = static_cast<double>(of_time.value_or(1));
  constexpr std::pair<char, double> kPrefixes[] = {{'k', 1e3}, {'M', 1e6}, {'G', 1e9}};
  for (auto [prefix, thousands] : kPrefixes) {
    if (of_time || !word.ends_with(prefix)) continue;
    word.remove_suffix(1);
    scale = thousands;
  }
  double number = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  constexpr double kMost = 1e18;
  number *= scale;
  if (error != std::errc() || end != word.data() + word.size() || number < 0 || number >= kMost)
    return std::nullopt;
  return Amount{static_cast<uint64_t>(std::llround(number)),
                of_time ? profile::TimeUnit::kNanoseconds : profile::TimeUnit::kCycles};
}

std::string check_amount(std::string& word) {
  return parse_amount(word) ? "" : word + " is neither a time such as 3.2s or 250us, nor cycles such as 1.5M";
}

// Returns the amount of `word`, or `other` if it is empty. Fails with kInvalidArgument if the unit differs.
Result<uint64_t> amount_of(const std::string& word, profile::TimeUnit unit, uint64_t other) {
  std::optional<Amount> amount = parse_amount(word);
  if (!amount) return other;
  if (amount->unit == unit) return amount->amount;
  return make_error(
      ErrorCode::kInvalidArgument, "the time line is one of {}: {} {}",
      unit == profile::TimeUnit::kCycles ? "modelled cycles, such as 1.5M" : "times, such as 3.2s", word,
      unit == profile::TimeUnit::kCycles ? "is a time" : "has no unit of time");
}

Status read_window(TimelineFlags& flags, profile::TimeUnit unit) {
  timeline::Window& window = flags.window;
  window.by = *timeline::by_named(flags.by);
  window.columns = flags.columns.value_or(text::timeline_columns(output_style()));
  Result<uint64_t> from = amount_of(flags.from, unit, 0), to = amount_of(flags.to, unit, UINT64_MAX),
                   bin = amount_of(flags.bin, unit, 0);
  for (const Result<uint64_t>* each : {&from, &to, &bin}) {
    if (!*each) return each->error();
  }
  window.from_ns = *from;
  window.to_ns = *to;
  window.bin_ns = *bin;
  return {};
}

Result<int> show_timeline(TimelineFlags flags, int status) {
  const timeline::Window& window = flags.window;
  bool on_screen = has_screen() && !flags.wants_text();
  flags.query.with_cpus = on_screen || flags.by == timeline::name_of(timeline::By::kCpu);
  flags.query.history.way = *timeline::way_named(flags.way);
  flags.query.history.rates = flags.json;
  Result<query::RecordedHistory> recorded =
      query::history_of(flags.query, query::resolver_for(flags.query.reading));
  if (!recorded) return recorded.error();
  if (Status read = read_window(flags, recorded->history.unit()); !read) return read.error();
  Result<query::ShownWindow> found = query::show_window(recorded->history, *recorded->profile, window);
  if (!found) return found.error();
  const auto& [timeline, episodes, over_time] = *found;
  if (on_screen) {
    Status shown = show_on_screen(*recorded, window);
    if (shown) return status_after(interrupts() > 0, status);
    if (shown.error().code != ErrorCode::kUnsupported) return shown.error();
  }
  if (flags.csv) return print(csv::timeline_lines(timeline), status);
  if (flags.json)
    return print(json::timeline_json(*recorded->profile, timeline, episodes, over_time), status);
  text::Style style = output_style();
  return print(recording_header(*recorded->profile, recorded->totals) +
                   text::timeline_view(timeline, episodes, style) +
                   (over_time ? '\n' + text::occupancy_lanes(*over_time, style) : std::string()),
               status);
}

Result<int> watch_processes(TimelineFlags flags) {
  const TargetFlags& target = flags.recording.program.target;
  if (target.pids.empty() && !target.whole_system)
    return make_error(ErrorCode::kInvalidArgument,
                      "--live needs processes (-p PID) or the whole system (-a)");
  if (!has_screen() || flags.wants_text())
    return make_error(
        ErrorCode::kInvalidArgument,
        "--live needs a terminal and no other output format: record the processes (hardmeter record -p PID), and print the time line of the recording");
  if (Status read = read_window(flags, profile::TimeUnit::kNanoseconds); !read) return read.error();
  flags.query.with_cpus = true;
  flags.query.history.way = *timeline::way_named(flags.way);
  ProgramFlags& program = flags.recording.program;
  program.usual_events = kUsualEvent;
  live::LiveTimelineOptions options;
  Result<measure::MeasureOptions> what = read_program_options(program);
  if (!what) return what.error();
  options.live.record.what = *std::move(what);
  options.live.record.sampling = flags.recording.sampling;
  options.query = flags.query;
  if (Status watched = watch_on_screen(options, flags.window, kUsualSpanNs, symbol::FileResolver()); !watched)
    return watched.error();
  return status_after(interrupts() > 0, 0);
}

Result<int> run_timeline(TimelineFlags flags) {
  ProgramFlags& program = flags.recording.program;
  measure::SamplingOptions& sampling = flags.recording.sampling;
  bool is_clock = program.events.empty();
  bool watches = flags.live || !program.target.pids.empty() || program.target.whole_system;
  if (is_clock && sampling.period.empty() && !sampling.frequency_hz)
    sampling.period = program.pmu == "soft" ? kUsualCycles : watches ? kUsualLivePeriod : kUsualPeriod;
  bool runs_program = !program.line->rest().empty();
  if (Status one = check_one_list(program.target.pids, program.line->rest()); !one) return one.error();
  if (runs_program + watches + !flags.input.empty() > 1)
    return make_error(ErrorCode::kInvalidArgument,
                      "give only one of a recording (-i), running processes (--live -p PID) and a program");
  if (watches) return watch_processes(flags);
  if (!runs_program) {
    flags.query.input = flags.input.empty() ? "perf.data" : flags.input;
    flags.query.history.filter.events = program.events;
    return show_timeline(std::move(flags), 0);
  }
  flags.query.input = flags.recording.output;
  return record_first(flags.recording, kUsualEvent, [&](int status) { return show_timeline(flags, status); });
}

void add_what_to_show(CommandLine& line, TimelineFlags& flags) {
  add_recorded_or_run_options(line, flags.input, flags.recording);
  line.set_footer(
      "Shows a recording (-i), running processes (--live), or a program that is run first: hardmeter timeline [OPTIONS] [--] PROGRAM [ARGUMENTS...]. On a terminal it uses the full screen, where ? lists the keys; --stdio and the output options print text instead.");
  TargetFlags& target = flags.recording.program.target;
  line.add_flag("--live", flags.live, "watch running processes (-p) or the whole system (-a) on a terminal");
  line.add_option("-p", target.pids, "running processes, including the processes that they start")
      .separated_by(',')
      .one_at_a_time()
      .positive()
      .type("PID");
  line.add_flag("-a,--all-cpus", target.whole_system, "the whole system");
  line.add_option("-b,--branch-filter", flags.recording.sampling.branches,
                  "record the last branches with each sample: any (the default), call, ret")
      .value_may_be_left_out()
      .check(measure::check_branches, "any,call,ret")
      .type("")
      .show_default("any");
}

}  // namespace

Run add_timeline(CommandLine& line) {
  auto flags = std::make_shared<TimelineFlags>();
  timeline::Window& window = flags->window;
  add_what_to_show(line, *flags);
  line.add_flag("--json", flags->json, "print JSON");
  line.add_flag("--stdio", flags->stdio, "print text even on a terminal");
  line.add_flag(
      "--csv", flags->csv,
      "print comma-separated values: begin_ns, lane, function, ns; if the software PMU ran the program, begin_cycles and cycles replace begin_ns and ns");
  line.add_option("--by", flags->by, "meaning of a row").one_of({"thread", "process", "cpu"}).show_default();
  line.add_option(
          "--from", flags->from,
          "start of the shown range: a time since the first sample (3.2s), or modelled cycles (1.5M) if the software PMU ran the program")
      .check(check_amount, "")
      .type("TIME");
  line.add_option("--to", flags->to, "end of the shown range, in the same unit")
      .check(check_amount, "")
      .type("TIME");
  line.add_option("--columns", flags->columns, "number of cells of time (default: as many as fit)")
      .between(uint64_t{1}, uint64_t{100'000})
      .type("COUNT");
  line.add_option("--bin", flags->bin, "length of a cell instead, such as 10ms")
      .check(check_amount, "")
      .type("TIME");
  line.add_option("--rate", flags->query.history.counts,
                  "add a row with the count of this event in each cell; may be given several times")
      .type("EVENT");
  line.add_option(
          "--way", flags->way,
          "how a sample's branches divide the time since the previous sample: none (all of it to the sampled function); even (equal parts); share (each branch gets its function's share of all samples, the sampled function the rest); ratio (in the ratio of these shares); dwell (in the ratio of the functions' mean times between branches); mix (dwell, half by this sample and half by the previous one, because the order of execution before the oldest branch is unknown); cycles (by the cycles between branches, if the processor recorded them)")
      .one_of({"none", "even", "share", "ratio", "dwell", "mix", "cycles"})
      .show_default();
  line.add_option("--samples", window.samples,
                  "also list this many samples of the window, with their branches in order")
      .type("COUNT");
  line.add_option("--functions", window.functions, "distinguish this many functions; 0 is all")
      .show_default();
  line.add_option("--lanes", window.lanes, "show this many threads, processes or CPUs; 0 is all")
      .show_default();
  add_reading_options(line, flags->query.reading);
  add_task_filter_options(line, flags->query.history.filter);
  line.add_option("-S,--function", flags->query.history.filter.function,
                  "only this function, or those with this part or pattern (parse_*) in their name");
  return [flags] { return run_timeline(*flags); };
}

}  // namespace hm::cli
