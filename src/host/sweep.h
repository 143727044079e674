// SPDX-License-Identifier: MIT
// Measures a load's latency over growing sizes, in small pages and in huge ones.
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
  size_t done = 0;  // sizes
  size_t all = 0;
  uint64_t size_bytes = 0;  // measured now
};

struct SweepOptions {
  std::optional<int> cpu;                              // the one that this thread runs on, if none is given
  std::vector<uint64_t> sizes_bytes;                   // growing; see sweep_sizes()
  uint64_t repetitions = 24;                           // of a point
  uint64_t repetition_ns = 250'000;                    // short, so that few of them are interrupted
  std::function<int()> interrupts = [] { return 0; };  // ends the sweep where it is not zero
  std::function<void(const SweepProgress&)> progress = [](const SweepProgress&) {};
};

struct Sweep {
  int cpu = 0;
  Curve small_pages;
  Curve huge_pages;
  // Which part of that memory really lay in huge pages, 0 to 1; nothing where the kernel does not tell.
  std::optional<double> huge_share;
  Disturbance disturbance;
  uint64_t elapsed_ns = 0;
  bool interrupted = false;  // the curves end early, both at the same size
};

// From 4 KiB to `largest_bytes`, so many an octave, in whole lines.
[[nodiscard]] std::vector<uint64_t> sweep_sizes(uint64_t largest_bytes, unsigned steps_per_octave);
inline constexpr uint64_t kSmallestBytes = 4096;

// How much of the memory a sweep may visit: it needs twice this, and leaves half of what is available
// (proc_meminfo(5)) to others. Nothing where the kernel does not tell.
[[nodiscard]] std::optional<uint64_t> largest_sweep_bytes();

// Pins the calling thread to the CPU for good. Needs twice the largest size in memory. kInvalidArgument where
// the thread may not run on that CPU; kIo where there is no memory.
Result<Sweep> measure_latency(const SweepOptions& options);

}  // namespace hm::host
