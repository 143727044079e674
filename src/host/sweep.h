// SPDX-License-Identifier: MIT
// Measures the latency of loads over growing sizes, in small pages and in huge pages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "host/curve.h"
#include "host/disturbance.h"

namespace hm::host {

struct SweepProgress {
  size_t done = 0;  // number of sizes
  size_t all = 0;
  uint64_t size_bytes = 0;  // current size
};

struct SweepOptions {
  std::optional<int> cpu;                              // default: the current CPU of this thread
  std::vector<uint64_t> sizes_bytes;                   // ascending; see sweep_sizes()
  uint64_t repetitions = 24;                           // for each point
  uint64_t repetition_ns = 250'000;                    // short, so that few repetitions are interrupted
  std::function<int()> interrupts = [] { return 0; };  // ends the sweep if it returns non-zero
  std::function<void(const SweepProgress&)> progress = [](const SweepProgress&) {};
};

struct Sweep {
  int cpu = 0;
  Curve small_pages;
  Curve huge_pages;
  // Fraction of that memory that was actually in huge pages, 0 to 1. Unset if the kernel does not report it.
  std::optional<double> huge_share;
  Disturbance disturbance;
  uint64_t elapsed_ns = 0;
  bool interrupted = false;  // the curves end early, both at the same size
};

// Returns sizes from 4 KiB to `largest_bytes`, with `steps_per_octave` in each octave, in whole lines.
[[nodiscard]] std::vector<uint64_t> sweep_sizes(uint64_t largest_bytes, unsigned steps_per_octave);
inline constexpr uint64_t kSmallestBytes = 4096;

// Returns the maximum size for a sweep. A sweep needs twice this size, and leaves half of the available
// memory (proc_meminfo(5)) to others. Returns nullopt if the kernel does not report it.
[[nodiscard]] std::optional<uint64_t> largest_sweep_bytes();

// Pins the calling thread to the CPU permanently. Needs memory of twice the largest size. Fails with
// kInvalidArgument if the thread may not run on that CPU, with kIo if there is no memory.
Result<Sweep> measure_latency(const SweepOptions& options);

}  // namespace hm::host
