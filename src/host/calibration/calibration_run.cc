// SPDX-License-Identifier: MIT
#include "host/calibration/calibration_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

#include "base/cpu_identity.h"
#include "host/calibration/bandwidth.h"
#include "host/calibration/chains.h"
#include "host/calibration/hazards.h"
#include "host/calibration/level_sizes.h"
#include "host/calibration/page_ring.h"
#include "host/calibration/repeated.h"
#include "host/calibration/rounds.h"
#include "host/calibration/sparse_loads.h"
#include "host/calibration/transfer.h"
#include "host/chase_ring.h"
#include "host/core_clock.h"
#include "host/disturbance.h"
#include "host/host_caches.h"
#include "host/page_buffer.h"
#include "host/pinning.h"
#include "host/sweep.h"

namespace hm::host {
namespace {

constexpr uint64_t kMinMemoryBytes = uint64_t{16} << 20;
constexpr double kEnoughHuge = 0.9;
constexpr uint32_t kPagesInSecondTlb = 256, kPagesBeyondTlbs = 8192;

struct Part {
  std::string name;
  std::function<void()> measure;
};

class Calibration {
 public:
  Calibration(int cpu, std::vector<int> allowed, PageBuffer small, PageBuffer huge)
      : cpu_(cpu), allowed_(std::move(allowed)), small_(std::move(small)), huge_(std::move(huge)) {}

  // Returns false if interrupted.
  bool run(const std::vector<LevelSize>& levels, const CalibrationOptions& options) {
    std::vector<MachineProfile> rounds;
    for (size_t round = 0; round < kRounds; ++round) {
      if (!run_round(levels, options, round)) return false;
      rounds.push_back(std::exchange(profile_, {}));
    }
    profile_ = combined(rounds);
    return true;
  }

  [[nodiscard]] MachineProfile take() { return std::move(profile_); }

 private:
  static constexpr size_t kRounds = 5;

  bool run_round(const std::vector<LevelSize>& levels, const CalibrationOptions& options, size_t round) {
    DisturbanceMeter meter(cpu_);
    uint64_t begin_ns = now_ns();
    std::vector<Part> parts = parts_of(levels);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (options.interrupts() != 0) return false;
      options.progress({round * parts.size() + i, kRounds * parts.size(), parts[i].name});
      clock_.push_back(core_clock_ghz());
      parts[i].measure();
    }
    profile_.core_ghz = median_of(std::exchange(clock_, {}));
    Disturbance disturbance = meter.so_far();
    profile_.preemptions = disturbance.preemptions;
    profile_.stolen_share = disturbance.stolen_share;
    profile_.elapsed_ns = now_ns() - begin_ns;
    return true;
  }

  std::vector<Part> parts_of(const std::vector<LevelSize>& levels) {
    std::vector<Part> parts;
    for (const LevelSize& level : levels)
      parts.push_back({level.name, [this, &level] { measure_level(level); }});
    parts.push_back({"TLBs", [this] { measure_translations(); }});
    for (int64_t stride : {64, 128, 192, 256, 512, 1024, 2048, 4096, 4160, -64, -128})
      parts.push_back({"prefetchers", [this, stride] { measure_walk(huge_, stride, 1); }});
    for (uint32_t streams : {2, 4, 8, 16, 32})
      parts.push_back({"prefetchers", [this, streams] { measure_walk(huge_, kLineBytes, streams); }});
    for (int64_t stride : {64, 128, 256, 512, 1024, 2048, 4096, 4160})
      parts.push_back({"prefetchers", [this, stride] { measure_walk(small_, stride, 1); }});
    parts.push_back(
        {"window", [this] { profile_.sparse_load_ns = time_of_sparse_load(huge_.bytes(), repetitions_); }});
    parts.push_back({"instructions", [this] {
                       profile_.instructions_per_cycle = instructions_per_cycle(repetitions_);
                       profile_.additions_per_cycle = additions_per_cycle(repetitions_);
                       profile_.hazards = measure_hazards(repetitions_);
                     }});
    parts.push_back(
        {"other cores", [this] { profile_.modified_line_ns = time_of_modified_line(cpu_, allowed_); }});
    return parts;
  }

  void measure_level(const LevelSize& size) {
    std::span<std::byte> memory = huge_.bytes().first(size.bytes);
    LevelProfile level{.name = size.name, .measured_bytes = size.bytes};
    ChaseRing ring(memory);
    ring.grow_to(size.bytes);
    for (uint32_t count : kChainCounts) {
      Chains chains(ring, count);
      if (count == 1) (void)chains.run(std::min<uint64_t>(ring.size(), kWarmUpLoads));
      Estimate ns = time_of_step(repetitions_, [&](uint64_t loads) { return chains.run(loads); });
      level.overlap.push_back({count, ns});
    }
    if (size.name == "L3") level.by_size = latencies_by_size(size.cache_bytes);
    level.store_ns = time_of_store(memory, repetitions_);
    level.bandwidth = measure_bandwidth(memory, repetitions_);
    profile_.levels.push_back(std::move(level));
  }

  [[nodiscard]] std::vector<SizeLatency> latencies_by_size(uint64_t cache_bytes) {
    std::vector<SizeLatency> latencies;
    ChaseRing ring(huge_.bytes());
    for (uint64_t eighths : {1, 3, 5, 7}) {
      uint64_t bytes = cache_bytes / 8 * eighths;
      if (bytes > huge_.bytes().size()) break;
      ring.grow_to(bytes);
      Chains chains(ring, 1);
      (void)chains.run(std::min<uint64_t>(ring.size(), kWarmUpLoads));
      Estimate ns = time_of_step(repetitions_, [&](uint64_t loads) { return chains.run(loads); });
      latencies.push_back({bytes, ns});
    }
    return latencies;
  }

  [[nodiscard]] bool has_huge_pages() const { return huge_.huge_share().value_or(0) >= kEnoughHuge; }

  void measure_translations() {
    if (!has_huge_pages()) return;
    profile_.second_tlb_ns = translation_of(kPagesInSecondTlb);
    profile_.page_walk_ns = translation_of(kPagesBeyondTlbs);
  }
  [[nodiscard]] std::optional<Estimate> translation_of(uint32_t pages) {
    if (huge_.bytes().size() < (pages + uint64_t{1}) * 4096) return std::nullopt;
    return difference(time_of_pages(small_, pages), time_of_pages(huge_, pages));
  }
  [[nodiscard]] Estimate time_of_pages(PageBuffer& buffer, uint32_t pages) const {
    PageRing ring(buffer.bytes(), pages);
    (void)ring.run(2 * pages);
    return time_of_step(repetitions_, [&](uint64_t loads) { return ring.run(loads); });
  }

  void measure_walk(PageBuffer& buffer, int64_t stride, uint32_t streams) {
    // More memory than the caches hold; linking all of it would take seconds.
    constexpr uint64_t kMaxBytes = uint64_t{128} << 20;
    std::span<std::byte> memory = buffer.bytes();
    StrideWalk walk(memory.first(std::min<uint64_t>(memory.size(), kMaxBytes)), stride, streams);
    Estimate ns = time_of_step(repetitions_, [&](uint64_t loads) { return walk.run(loads); });
    profile_.walks.push_back({stride, streams, &buffer == &huge_ && has_huge_pages(), ns});
  }

  static constexpr uint64_t kWarmUpLoads = uint64_t{1} << 20;

  int cpu_;
  std::vector<int> allowed_;
  PageBuffer small_, huge_;
  Repetitions repetitions_;
  MachineProfile profile_;
  std::vector<double> clock_;
};

}  // namespace

Result<std::optional<MachineProfile>> calibrate(const CalibrationOptions& options) {
  std::optional<std::string> identity = cpu_identity();
  if (!identity)
    return make_error(ErrorCode::kUnsupported,
                      "cannot calibrate: /proc/cpuinfo names no x86 processor, or is not there");
  std::vector<int> allowed = allowed_cpus();
  Result<int> cpu = pin_to(options.cpu);
  if (!cpu) return cpu.error();
  std::vector<LevelSize> levels = level_sizes(host_caches(*cpu), largest_sweep_bytes().value_or(UINT64_MAX));
  if (levels.front().name != "L1")
    return make_error(
        ErrorCode::kUnsupported,
        "cannot calibrate: the system does not report the sizes of its caches (/sys/devices/system/cpu/cpu{}/cache)",
        *cpu);
  if (levels.back().bytes < kMinMemoryBytes)
    return make_error(ErrorCode::kIo, "cannot calibrate: fewer than {} MiB of memory are free",
                      4 * kMinMemoryBytes >> 20);
  Result<PageBuffer> small = PageBuffer::map(levels.back().bytes, PageKind::kSmall);
  if (!small) return small.error();
  Result<PageBuffer> huge = PageBuffer::map(levels.back().bytes, PageKind::kHuge);
  if (!huge) return huge.error();
  Calibration calibration(*cpu, std::move(allowed), *std::move(small), *std::move(huge));
  if (!calibration.run(levels, options)) return std::optional<MachineProfile>();
  MachineProfile profile = calibration.take();
  profile.cpu_id = *identity;
  profile.cpu_name = cpu_name().value_or("");
  profile.is_virtual = is_virtual_machine();
  profile.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return std::optional(std::move(profile));
}

}  // namespace hm::host
