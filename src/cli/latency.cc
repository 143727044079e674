// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/byte_size.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/status_line.h"
#include "host/memory_costs.h"
#include "view/json/latency.h"
#include "view/text/latency.h"

namespace hm::cli {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kTimesTheLastCache = 4;

struct LatencyOptions {
  std::optional<int> cpu;
  std::string max_size;
  bool quick = false;
  bool json = false;
};

// Some times the last cache; a guess where the system tells of none, and within reason where it is huge.
uint64_t default_largest_bytes() {
  uint64_t last_cache = 0;
  for (const host::HostCache& cache : host::host_caches(0)) {
    last_cache = std::max(last_cache, cache.size_bytes());
  }
  if (last_cache == 0) return 256 * kMiB;
  return std::clamp(kTimesTheLastCache * last_cache, 64 * kMiB, 1024 * kMiB);
}

Result<uint64_t> largest_bytes(const LatencyOptions& chosen) {
  std::optional<uint64_t> room = host::largest_sweep_bytes();
  if (chosen.max_size.empty()) return std::min(default_largest_bytes(), room.value_or(UINT64_MAX));
  std::optional<uint64_t> wanted = parse_byte_size(chosen.max_size);
  if (!wanted || *wanted < 4 * host::kSmallestBytes)
    return make_error(ErrorCode::kInvalidArgument, "--max-size {}: give a size from 16K on, such as 256M",
                      chosen.max_size);
  if (room && *wanted > *room)
    return make_error(
        ErrorCode::kInvalidArgument,
        "--max-size {} needs twice that in memory; at most {} MiB are to be had without harm to others",
        chosen.max_size, *room / kMiB);
  return *wanted;
}

void show(StatusLine& line, const host::SweepProgress& progress) {
  line.show({fmt::format("{} %", 100 * progress.done / progress.all),
             fmt::format("{} KiB", progress.size_bytes / 1024), "Ctrl-C ends it with what there is"});
}

Result<host::Sweep> sweep(const LatencyOptions& chosen, uint64_t largest) {
  StatusLine line;
  host::SweepOptions options;
  options.cpu = chosen.cpu;
  options.sizes_bytes = host::sweep_sizes(largest, chosen.quick ? 4 : 8);
  if (chosen.quick) options.repetition_ns = 100'000;
  options.interrupts = interrupts;
  options.progress = [&](const host::SweepProgress& progress) { show(line, progress); };
  return host::measure_latency(options);
}

Result<int> run_latency(const LatencyOptions& chosen) {
  Result<uint64_t> largest = largest_bytes(chosen);
  if (!largest) return largest.error();
  count_interrupts();
  Result<host::Sweep> measured = sweep(chosen, *largest);
  if (!measured) return measured.error();
  int cpu = measured->cpu;
  host::MemoryCosts costs =
      host::memory_costs(std::move(*measured), host::host_caches(cpu), host::is_virtual_machine());
  std::string out = chosen.json ? json::latency_json(costs) : text::latency_report(costs, output_style());
  if (Status written = write_output(out); !written) return written.error();
  return costs.sweep.interrupted ? kInterruptedStatus : 0;
}

}  // namespace

Run add_latency(CommandLine& line) {
  auto options = std::make_shared<LatencyOptions>();
  line.add_option("--cpu", options->cpu, "measure on this CPU (the one it runs on)").type("N");
  line.add_option("--max-size", options->max_size,
                  "the most memory to visit, such as 256M (four last-level caches)")
      .type("SIZE");
  line.add_flag("--quick", options->quick, "fewer sizes, shorter repetitions: some seconds");
  add_format_options(line, options->json);
  return [options] { return run_latency(*options); };
}

}  // namespace hm::cli
