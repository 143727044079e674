// SPDX-License-Identifier: MIT
#include "app/query/corun_query.h"
#include "app/query/map_query.h"

#include <algorithm>
#include <memory>

#include "app/measure/sampling_arguments.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/live_map.h"
#include "cli/output.h"
#include "cli/process_names.h"
#include "cli/recording.h"
#include "cli/recording_header.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"
#include "view/csv/corun_csv.h"
#include "view/csv/map_csv.h"
#include "view/csv/sizes_csv.h"
#include "view/json/corun_json.h"
#include "view/json/map_json.h"
#include "view/json/sizes_json.h"
#include "view/text/corun_text.h"
#include "view/text/map_text.h"
#include "view/text/sizes_text.h"

namespace hm::cli {
namespace {

struct MapFlags {
  query::MapOptions query;
  std::string input;  // empty: perf.data
  bool json = false;
  bool csv = false;
  std::optional<uint64_t> columns;
  RecordingFlags recording;  // a program that is run first, or running processes
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

size_t columns_of(const MapFlags& flags) {
  return flags.columns ? static_cast<size_t>(*flags.columns) : columns_for(output_style());
}

Result<int> print_map(const MapFlags& flags, int status) {
  query::MapOptions options = flags.query;
  options.map.columns = columns_of(flags);
  Result<query::Mapped> mapped = query::map_cache(options, query::resolver_for(options.reading));
  if (!mapped) return mapped.error();
  if (flags.csv) return print(csv::map_lines(mapped->map), status);
  return print(flags.json ? json::map_json(mapped->profile, mapped->map)
                          : recording_header(mapped->profile, mapped->totals) +
                                text::map_view(mapped->map, output_style()),
               status);
}

Result<int> print_sizes(const MapFlags& flags, int status) {
  query::SizesOptions options{flags.query.input,
                              flags.query.reading,
                              {flags.query.map.filter, flags.query.map.limit, *sizes::by_named(flags.by)}};
  Result<query::Sized> sized = query::find_sizes(options, query::resolver_for(options.reading));
  if (!sized) return sized.error();
  if (flags.csv) return print(csv::sizes_lines(sized->sizes.counted), status);
  return print(flags.json
                   ? json::sizes_json(sized->profile, sized->sizes)
                   : recording_header(sized->profile, sized->totals) +
                         text::sizes_view(sized->sizes, sized->profile.features.caches, output_style()),
               status);
}

Result<int> print_corun(const MapFlags& flags) {
  query::CorunOptions options{flags.pair, flags.query.reading, flags.query.cache,
                              static_cast<size_t>(flags.caches)};
  Result<query::CorunAnswer> answer = query::predict_corun(options, query::resolver_for(options.reading));
  if (!answer) return answer.error();
  if (flags.csv) return print(csv::corun_lines(answer->corun, answer->names));
  return print(flags.json ? json::corun_json(answer->corun, answer->names)
                          : text::corun_view(answer->corun, answer->names, answer->cache, output_style()));
}

Result<int> print_recorded(const MapFlags& flags, int status) {
  return flags.recording.program.sizes.empty() ? print_map(flags, status) : print_sizes(flags, status);
}

Result<int> watch_processes(MapFlags flags) {
  if (!flags.recording.program.sizes.empty())
    return make_error(
        ErrorCode::kInvalidArgument,
        "map watches running processes through the contents of their TLBs; for --sizes record them: hardmeter record --pmu=soft --sizes -p PID, then hardmeter map --sizes");
  if (flags.json && flags.max_windows == 0)
    return make_error(ErrorCode::kInvalidArgument,
                      "--json prints one result: give the number of its windows with --windows");
  ProgramFlags& program = flags.recording.program;
  program.usual_events = kOfProcesses;
  Result<measure::MeasureOptions> what = read_program_options(program);
  if (!what) return what.error();
  std::optional<measure::Period> window = measure::parse_period(flags.window);
  if (!window || !window->is_time)
    return make_error(ErrorCode::kInvalidArgument, "--window takes a time such as 1s or 500ms, not '{}'",
                      flags.window);
  WatchOptions options;
  options.live.record.what = *std::move(what);
  options.live.record.what.max_ns = window->events;
  options.live.record.what.modes = {true, false, true};  // user mode: only its data have process addresses
  options.live.record.sampling = flags.recording.sampling;
  if (options.live.record.sampling.period.empty()) options.live.record.sampling.period = kLivePeriod;
  options.title = "hardmeter map  " + target_names(program.target);
  options.live.map = flags.query;
  options.columns = [&flags] { return columns_of(flags); };
  options.live.max_windows = std::max(options.live.max_windows, columns_of(flags));
  options.max_windows = flags.max_windows;
  options.quiet = flags.json || flags.csv;
  Result<map::Map> map = watch(options, symbol::FileResolver());
  if (!map) return map.error();
  int status = status_after(interrupts() != 0, 0);
  if (flags.csv) return print(csv::map_lines(*map), status);
  return flags.json ? print(json::map_json(*map), status) : status;
}

Result<int> run_map(MapFlags flags) {
  ProgramFlags& program = flags.recording.program;
  flags.query.input = flags.input.empty() ? "perf.data" : flags.input;
  if (!flags.pair.empty()) return print_corun(flags);
  bool runs_program = !program.line->rest().empty(), watches = !program.target.pids.empty();
  if (Status one = check_one_list(program.target.pids, program.line->rest()); !one) return one.error();
  if (runs_program + watches + !flags.input.empty() > 1)
    return make_error(ErrorCode::kInvalidArgument,
                      "give only one of a recording (-i), running processes (-p) and a program");
  if (!program.geometry.page.empty()) flags.query.page = program.geometry.page;
  if (watches) return watch_processes(flags);
  if (!runs_program) {
    flags.query.map.filter.events = program.events;
    return print_recorded(flags, 0);
  }
  flags.query.input = flags.recording.output;
  return record_first(flags.recording, kOfPrograms,
                      [&](int status) { return print_recorded(flags, status); });
}

void add_what_to_map(CommandLine& line, MapFlags& flags) {
  add_recorded_or_run_options(line, flags.input, flags.recording);
  line.set_footer(
      "Shows a recording (-i), running processes (-p), or a program that is run first: hardmeter map [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  line.add_option("-p", flags.recording.program.target.pids,
                  "running processes, including the processes that they start")
      .separated_by(',')
      .one_at_a_time()
      .positive()
      .type("PID");
  line.add_option("--window", flags.window, "with -p: length of time for one column")
      .type("TIME")
      .show_default();
  line.add_option("--windows", flags.max_windows,
                  "with -p: end after this many columns (default: when the processes end)")
      .positive()
      .type("COUNT");
}

}  // namespace

Run add_map(CommandLine& line) {
  auto flags = std::make_shared<MapFlags>();
  add_what_to_map(line, *flags);
  query::MapOptions& query = flags->query;
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
  line.add_option("--by", flags->by, "with --sizes: a row for each of these")
      .one_of({"function", "line", "object"})
      .show_default();
  line.add_option(
          "--pair", flags->pair,
          "which programs fit together in one cache: takes recordings made with --sizes, one of each program")
      .type("FILE...");
  line.add_option("--caches", flags->caches, "with --pair: distribute the programs over this many caches")
      .between(uint64_t{1}, uint64_t{16})
      .type("COUNT");
  line.add_flag("--virtual", query.map.virtual_addresses,
                "use virtual addresses even if physical addresses were recorded");
  line.add_flag("--from-samples", query.map.samples_alone,
                "use the sampled addresses even if TLB contents were recorded (record --tlb)");
  line.add_option("--columns", flags->columns, "number of columns of time (default: as many as fit)")
      .between(uint64_t{1}, uint64_t{100'000})
      .type("COUNT");
  line.add_option("--limit", query.map.limit, "show at most this many crowded regions or functions; 0 is all")
      .show_default();
  add_format_options(line, flags->json);
  line.add_flag(
      "--csv", flags->csv,
      "print comma-separated values: time_ns, region, ways; with --sizes sets, ways, line_bytes, page_bytes, accesses, misses");
  add_reading_options(line, query.reading);
  add_task_filter_options(line, query.map.filter);
  line.add_option("-S,--function", query.map.filter.function,
                  "only this function, or those with this part or pattern (parse_*) in their name");
  return [flags] { return run_map(*flags); };
}

}  // namespace hm::cli
