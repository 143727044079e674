// SPDX-License-Identifier: MIT
#include "host/sweep.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "host/chase_ring.h"
#include "host/core_clock.h"
#include "host/page_buffer.h"
#include "host/pinning.h"

namespace hm::host {
namespace {

constexpr uint64_t kFewestSteps = 256;        // per repetition
constexpr uint64_t kWarmUpSteps = 16 * 1024;  // between two readings of the clock
constexpr uint64_t kLongestWarmUpNs = 400'000'000;

// The ring in one kind of pages, and the current node of its chase.
class Chaser {
 public:
  explicit Chaser(PageBuffer buffer)
      : buffer_(std::move(buffer)), ring_(buffer_.bytes()), at_(ring_.start()) {}

  // Returns nullopt if interrupted.
  std::optional<Point> measure(uint64_t size_bytes, const SweepOptions& options) {
    ring_.grow_to(size_bytes);
    double step_ns = warm_up(options);
    auto steps = static_cast<uint64_t>(static_cast<double>(options.repetition_ns) / step_ns);
    steps = (std::max(steps, kFewestSteps) + kChaseUnroll - 1) / kChaseUnroll * kChaseUnroll;
    Point point{size_bytes, {}, core_clock_ghz()};
    std::vector<double> ns;
    for (uint64_t i = 0; i < options.repetitions; ++i) {
      if (options.interrupts() != 0) return std::nullopt;
      ns.push_back(timed_chase(steps));
    }
    point.ns = median_of(std::move(ns));
    return point;
  }

  [[nodiscard]] std::optional<double> huge_share() const { return buffer_.huge_share(); }

 private:
  // Returns nanoseconds per step.
  double timed_chase(uint64_t steps) {
    uint64_t begin_ns = now_ns();
    at_ = chase(at_, steps);
    return static_cast<double>(std::max<uint64_t>(now_ns() - begin_ns, 1)) / static_cast<double>(steps);
  }

  // Visits the ring once to fill the caches. Returns nanoseconds per step at the end.
  double warm_up(const SweepOptions& options) {
    double step_ns = timed_chase(kWarmUpSteps);
    uint64_t begin_ns = now_ns();
    for (uint64_t done = 0; done < ring_.size(); done += kWarmUpSteps) {
      if (now_ns() - begin_ns > kLongestWarmUpNs || options.interrupts() != 0) break;
      step_ns = timed_chase(kWarmUpSteps);
    }
    return step_ns;
  }

  PageBuffer buffer_;
  ChaseRing ring_;
  const ChaseNode* at_;
};

void measure_all(Chaser& small, Chaser& huge, const SweepOptions& options, Sweep& sweep) {
  for (size_t i = 0; i < options.sizes_bytes.size(); ++i) {
    uint64_t size_bytes = options.sizes_bytes[i];
    options.progress({i, options.sizes_bytes.size(), size_bytes});
    std::optional<Point> in_small = small.measure(size_bytes, options);
    std::optional<Point> in_huge = in_small ? huge.measure(size_bytes, options) : std::nullopt;
    if (!in_huge) {
      sweep.interrupted = true;
      return;
    }
    sweep.small_pages.push_back(*in_small);
    sweep.huge_pages.push_back(*in_huge);
  }
}

}  // namespace

std::vector<uint64_t> sweep_sizes(uint64_t largest_bytes, unsigned steps_per_octave) {
  std::vector<uint64_t> sizes;
  for (unsigned step = 0;; ++step) {
    double bytes =
        static_cast<double>(kSmallestBytes) * std::exp2(static_cast<double>(step) / steps_per_octave);
    auto lines = static_cast<uint64_t>(std::llround(bytes / static_cast<double>(kLineBytes)));
    if (lines * kLineBytes > largest_bytes) return sizes;
    sizes.push_back(lines * kLineBytes);
  }
}

std::optional<uint64_t> largest_sweep_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  for (uint64_t kib = 0; file >> name >> kib; file.ignore(64, '\n')) {
    if (name == "MemAvailable:") return kib * 1024 / 4;
  }
  return std::nullopt;
}

Result<Sweep> measure_latency(const SweepOptions& options) {
  Result<int> cpu = pin_to(options.cpu);
  if (!cpu) return cpu.error();
  uint64_t largest_bytes = options.sizes_bytes.empty() ? kSmallestBytes : options.sizes_bytes.back();
  Result<PageBuffer> small = PageBuffer::map(largest_bytes, PageKind::kSmall);
  if (!small) return small.error();
  Result<PageBuffer> huge = PageBuffer::map(largest_bytes, PageKind::kHuge);
  if (!huge) return huge.error();
  Chaser in_small(std::move(*small)), in_huge(std::move(*huge));
  Sweep sweep;
  sweep.cpu = *cpu;
  uint64_t begin_ns = now_ns();
  DisturbanceMeter meter(*cpu);
  measure_all(in_small, in_huge, options, sweep);
  sweep.disturbance = meter.so_far();
  sweep.elapsed_ns = now_ns() - begin_ns;
  sweep.huge_share = in_huge.huge_share();
  return sweep;
}

}  // namespace hm::host
