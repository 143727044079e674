// SPDX-License-Identifier: MIT
#include "app/measure/latency_measurement.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <thread>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/status_line.h"
#include "host/latency_watch.h"
#include "host/pinning.h"
#include "pmu/shell_status.h"
#include "view/json/latency_json.h"
#include "view/text/latency_text.h"
#include "view/text/latency_watch_text.h"

namespace hm::cli {
namespace {

struct LatencyFlags {
  measure::LatencyOptions what;
  bool json = false;
  bool watch = false;
  std::optional<double> delay_s;
  std::optional<uint64_t> max_readings;  // 0: until it is interrupted
};

Result<host::MemoryCosts> measure_costs(measure::LatencyOptions options) {
  StatusLine line;
  count_interrupts();
  options.interrupts = interrupts;
  options.progress = [&](const host::SweepProgress& progress) {
    line.show({fmt::format("{} %", 100 * progress.done / progress.all),
               fmt::format("{} KiB", progress.size_bytes / 1024),
               "Ctrl-C ends and shows the results so far"});
  };
  return measure::measure_latency(options);
}

Result<int> print_latency(const LatencyFlags& flags) {
  if (flags.delay_s || flags.max_readings)
    return make_error(
        ErrorCode::kInvalidArgument,
        "--delay and --iterations repeat the readings of --watch: add --watch, or leave them out");
  Result<host::MemoryCosts> costs = measure_costs(flags.what);
  if (!costs) return costs.error();
  return print(flags.json ? json::latency_json(*costs) : text::latency_report(*costs, output_style()),
               costs->sweep.interrupted ? pmu::kInterruptedStatus : 0);
}

// Waits, or until the user interrupts.
void wait_for(std::chrono::duration<double> time) {
  constexpr std::chrono::milliseconds kGlance(50);
  auto end = std::chrono::steady_clock::now() + time;
  while (interrupts() == 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kGlance);
}

std::string reading_json(const std::vector<host::WatchedLevel>& levels, std::time_t when,
                         const std::vector<double>& ns) {
  nlohmann::ordered_json json{{"time_s", when}, {"ns", nlohmann::ordered_json::object()}};
  for (size_t i = 0; i < levels.size(); ++i) json["ns"][levels[i].name] = ns[i];
  return compact_json(json) + '\n';
}

Result<int> watch_latency(const LatencyFlags& flags) {
  if (!flags.what.max_size.empty() || flags.what.quick)
    return make_error(ErrorCode::kInvalidArgument,
                      "--watch measures one size for each level: omit --max-size and --quick");
  constexpr double kUsualDelay = 1;
  double delay_s = flags.delay_s.value_or(kUsualDelay);
  uint64_t max_readings = flags.max_readings.value_or(0);
  count_interrupts();
  Result<int> cpu = host::pin_to(flags.what.cpu);
  if (!cpu) return cpu.error();
  std::vector<host::WatchedLevel> levels =
      host::watched_levels(host::host_caches(*cpu), host::largest_sweep_bytes().value_or(UINT64_MAX));
  Result<host::LatencyWatch> watch = host::LatencyWatch::begin(levels);
  if (!watch) return watch.error();
  text::LatencyRows rows(levels);
  if (Status written = flags.json ? Status() : write_output(rows.head(*cpu)); !written)
    return written.error();
  for (uint64_t i = 0; interrupts() == 0 && (max_readings == 0 || i < max_readings); ++i) {
    if (i != 0) wait_for(std::chrono::duration<double>(delay_s));
    if (interrupts() != 0) break;
    std::vector<double> ns = watch->read();
    std::time_t now = std::time(nullptr);
    Status written = write_output(flags.json ? reading_json(levels, now, ns) : rows.row(now, ns));
    if (!written) return written.error();
  }
  return flags.json ? Result<int>(0) : print(rows.conclusion(), 0);
}

}  // namespace

Run add_latency(CommandLine& line) {
  auto flags = std::make_shared<LatencyFlags>();
  line.add_option("--cpu", flags->what.cpu, "measure on this CPU (default: the current one)").type("N");
  line.add_option("--max-size", flags->what.max_size,
                  "largest amount of memory to measure, such as 256M (default: four last-level caches)")
      .type("SIZE");
  line.add_flag("--quick", flags->what.quick, "fewer sizes and shorter repetitions: takes some seconds");
  line.add_flag(
      "--watch", flags->watch,
      "measure half of each cache and memory again and again; programs that share them make them slower");
  line.add_option("-d,--delay", flags->delay_s, "with --watch: seconds between two readings")
      .between(0.05, 3600.0)
      .show_default("1");
  line.add_option("-n,--iterations", flags->max_readings,
                  "with --watch: end after this many readings; 0 is never")
      .show_default("0");
  add_format_options(line, flags->json);
  return [flags] { return flags->watch ? watch_latency(*flags) : print_latency(*flags); };
}

}  // namespace hm::cli
