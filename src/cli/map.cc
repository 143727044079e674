// SPDX-License-Identifier: MIT
#include "app/query/map.h"
#include "app/query/corun.h"

#include <algorithm>
#include <memory>

#include "app/measure/sampling_words.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/live_map.h"
#include "cli/output.h"
#include "cli/process_names.h"
#include "cli/recording.h"
#include "cli/recording_header.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"
#include "view/csv/corun.h"
#include "view/csv/map.h"
#include "view/csv/sizes.h"
#include "view/json/corun.h"
#include "view/json/map.h"
#include "view/json/sizes.h"
#include "view/text/corun.h"
#include "view/text/map.h"
#include "view/text/sizes.h"

namespace hm::cli {
namespace {

struct MapWords {
  query::MapOptions query;
  std::string input;  // empty: perf.data
  bool json = false;
  bool csv = false;
  std::optional<uint64_t> columns;
  RecordingWords recording;  // a program that is run first, or running processes
  std::string window = "1s";
  uint64_t max_windows = 0;       // 0: no limit
  std::string by = "function";    // rows of --sizes
  std::vector<std::string> pair;  // recordings of two programs that will share a cache
  uint64_t caches = 0;
};

constexpr std::string_view kOfPrograms = "memory_moves", kOfProcesses = "clock", kLivePeriod = "1ms";

// Leaves room beside the map for the regions' numbers and means.
size_t columns_for(const text::Style& style) {
  constexpr size_t kMargin = 20, kFewest = 16, kMost = 100, kAnyWidth = 64;
  return style.width == 0 ? kAnyWidth
                          : std::clamp(style.width - std::min(style.width, kMargin), kFewest, kMost);
}

size_t columns_of(const MapWords& words) {
  return words.columns ? static_cast<size_t>(*words.columns) : columns_for(output_style());
}

Result<int> print_map(const MapWords& words, int status) {
  query::MapOptions options = words.query;
  options.map.columns = columns_of(words);
  Result<query::Mapped> mapped = query::map_cache(options, query::resolver_for(options.reading));
  if (!mapped) return mapped.error();
  if (words.csv) return print(csv::map_lines(mapped->map), status);
  return print(words.json ? json::map_json(mapped->profile, mapped->map)
                          : recording_header(mapped->profile, mapped->totals) +
                                text::map_view(mapped->map, output_style()),
               status);
}

Result<int> print_sizes(const MapWords& words, int status) {
  query::SizesOptions options{words.query.input,
                              words.query.reading,
                              {words.query.map.filter, words.query.map.limit, *sizes::by_named(words.by)}};
  Result<query::Sized> sized = query::find_sizes(options, query::resolver_for(options.reading));
  if (!sized) return sized.error();
  if (words.csv) return print(csv::sizes_lines(sized->sizes.counted), status);
  return print(words.json
                   ? json::sizes_json(sized->profile, sized->sizes)
                   : recording_header(sized->profile, sized->totals) +
                         text::sizes_view(sized->sizes, sized->profile.features.caches, output_style()),
               status);
}

Result<int> print_corun(const MapWords& words) {
  query::CorunOptions options{words.pair, words.query.reading, words.query.cache,
                              static_cast<size_t>(words.caches)};
  Result<query::CorunAnswer> answer = query::predict_corun(options, query::resolver_for(options.reading));
  if (!answer) return answer.error();
  if (words.csv) return print(csv::corun_lines(answer->corun, answer->names));
  return print(words.json ? json::corun_json(answer->corun, answer->names)
                          : text::corun_view(answer->corun, answer->names, answer->cache, output_style()));
}

Result<int> print_recorded(const MapWords& words, int status) {
  return words.recording.program.sizes.empty() ? print_map(words, status) : print_sizes(words, status);
}

Result<int> watch_processes(MapWords words) {
  if (!words.recording.program.sizes.empty())
    return make_error(
        ErrorCode::kInvalidArgument,
        "map watches running processes through the contents of their TLBs; for --sizes record them: hardmeter record --pmu=soft --sizes -p PID, then hardmeter map --sizes");
  if (words.json && words.max_windows == 0)
    return make_error(ErrorCode::kInvalidArgument,
                      "--json prints one result: give the number of its windows with --windows");
  ProgramWords& program = words.recording.program;
  program.usual_events = kOfProcesses;
  Result<measure::MeasureOptions> what = read_program_options(program);
  if (!what) return what.error();
  std::optional<measure::Period> window = measure::parse_period(words.window);
  if (!window || !window->is_time)
    return make_error(ErrorCode::kInvalidArgument, "--window takes a time such as 1s or 500ms, not '{}'",
                      words.window);
  WatchOptions options;
  options.live.record.what = *std::move(what);
  options.live.record.what.max_ns = window->events;
  options.live.record.what.modes = {true, false, true};  // user mode: only its data have process addresses
  options.live.record.sampling = words.recording.sampling;
  if (options.live.record.sampling.period.empty()) options.live.record.sampling.period = kLivePeriod;
  options.title = "hardmeter map  " + target_names(program.target);
  options.live.map = words.query;
  options.columns = [&words] { return columns_of(words); };
  options.live.max_windows = std::max(options.live.max_windows, columns_of(words));
  options.max_windows = words.max_windows;
  options.quiet = words.json || words.csv;
  Result<map::Map> map = watch(options, symbol::FileResolver());
  if (!map) return map.error();
  int status = status_after(interrupts() != 0, 0);
  if (words.csv) return print(csv::map_lines(*map), status);
  return words.json ? print(json::map_json(*map), status) : status;
}

Result<int> run_map(MapWords words) {
  ProgramWords& program = words.recording.program;
  words.query.input = words.input.empty() ? "perf.data" : words.input;
  if (!words.pair.empty()) return print_corun(words);
  bool runs_program = !program.line->rest().empty(), watches = !program.target.pids.empty();
  if (Status one = check_one_list(program.target.pids, program.line->rest()); !one) return one.error();
  if (runs_program + watches + !words.input.empty() > 1)
    return make_error(ErrorCode::kInvalidArgument,
                      "give only one of a recording (-i), running processes (-p) and a program");
  if (!program.geometry.page.empty()) words.query.page = program.geometry.page;
  if (watches) return watch_processes(words);
  if (!runs_program) {
    words.query.map.filter.events = program.events;
    return print_recorded(words, 0);
  }
  words.query.input = words.recording.output;
  return record_first(words.recording, kOfPrograms,
                      [&](int status) { return print_recorded(words, status); });
}

void add_what_to_map(CommandLine& line, MapWords& words) {
  add_recorded_or_run_options(line, words.input, words.recording);
  line.set_footer(
      "Shows a recording (-i), running processes (-p), or a program that is run first: hardmeter map [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  line.add_option("-p", words.recording.program.target.pids,
                  "running processes, including the processes that they start")
      .separated_by(',')
      .one_at_a_time()
      .positive()
      .type("PID");
  line.add_option("--window", words.window, "with -p: length of time for one column")
      .type("TIME")
      .show_default();
  line.add_option("--windows", words.max_windows,
                  "with -p: end after this many columns (default: when the processes end)")
      .positive()
      .type("COUNT");
}

}  // namespace

Run add_map(CommandLine& line) {
  auto words = std::make_shared<MapWords>();
  add_what_to_map(line, *words);
  query::MapOptions& query = words->query;
  line.add_option("--level", query.cache.level, "which cache of the machine: l1i, l1d, l2 or l3")
      .one_of({"l1i", "l1d", "l2", "l3"})
      .show_default();
  line.add_option("--cache", query.cache.cache, "another cache, such as 1M,16,64: size, ways, line size")
      .type("SIZE,WAYS,LINE");
  line.add_flag("--sets", query.sets, "show single sets instead of regions of pages");
  line.add_option(
          "--pages", query.map.pages,
          "number of distinct, most recently sampled pages (with --sets: lines) that count as in use (default: twice the capacity of the cache)")
      .between(uint64_t{1}, uint64_t{1} << 24)
      .type("COUNT");
  line.add_option("--by", words->by, "with --sizes: a row for each of these")
      .one_of({"function", "line", "object"})
      .show_default();
  line.add_option(
          "--pair", words->pair,
          "which programs fit together in one cache: takes recordings made with --sizes, one of each program")
      .type("FILE...");
  line.add_option("--caches", words->caches, "with --pair: distribute the programs over this many caches")
      .between(uint64_t{1}, uint64_t{16})
      .type("COUNT");
  line.add_flag("--virtual", query.map.virtual_addresses,
                "use virtual addresses even if physical addresses were recorded");
  line.add_flag("--from-samples", query.map.samples_alone,
                "use the sampled addresses even if TLB contents were recorded (record --tlb)");
  line.add_option("--columns", words->columns, "number of columns of time (default: as many as fit)")
      .between(uint64_t{1}, uint64_t{100'000})
      .type("COUNT");
  line.add_option("--limit", query.map.limit, "show at most this many crowded regions or functions; 0 is all")
      .show_default();
  add_format_options(line, words->json);
  line.add_flag(
      "--csv", words->csv,
      "print comma-separated values: time_ns, region, ways; with --sizes sets, ways, line_bytes, page_bytes, accesses, misses");
  add_reading_options(line, query.reading);
  add_task_filter_options(line, query.map.filter);
  line.add_option("-S,--function", query.map.filter.function,
                  "only this function, or those with this part or pattern (parse_*) in their name");
  return [words] { return run_map(*words); };
}

}  // namespace hm::cli
