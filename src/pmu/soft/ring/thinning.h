// SPDX-License-Identifier: MIT
// Sampling periods that grow with the samples that an event has, so that a recording grows with the logarithm
// of the run. Each sample carries its own period, so that sums of periods stay unbiased estimates.
// Freestanding.
#pragma once

#include <stdint.h>

#include "event/event_id.h"

namespace hm::soft {

// An event has this many samples at its first period. Then the period doubles, and doubles again after each
// kSamplesPerDoubling further samples. The shares of a run of any length are as accurate as with 3 *
// kSamplesPerDoubling samples of equal periods: (sum w)^2 / sum w^2 of the periods w = 1, 2, 4, ... An event
// has at most 20,000 samples until 32 million of its first periods have passed, and kSamplesPerDoubling more
// for each doubling of that. A bound for runs of all lengths would have to remove samples that are already in
// the file, and a file is only appended to.
inline constexpr uint64_t kSamplesOfFirstPeriod = 6'000;
inline constexpr uint64_t kSamplesPerDoubling = 1'000;
inline constexpr unsigned kMaxDoublings = 40;

// Returns how often the period of an event with `samples` samples has doubled.
constexpr unsigned doublings_after(uint64_t samples) {
  if (samples < kSamplesOfFirstPeriod) return 0;
  uint64_t doublings = 1 + (samples - kSamplesOfFirstPeriod) / kSamplesPerDoubling;
  return doublings < kMaxDoublings ? static_cast<unsigned>(doublings) : kMaxDoublings;
}

// A part of Session, written by all profiled processes.
struct Thinning {
  uint32_t on;       // fixed before the first process starts; 0: periods do not grow
  uint32_t threads;  // number of threads that have begun to count
  uint64_t samples[event::kEventCount];
};

// Counts a sample of the event. Returns the number of samples that the event had before.
inline uint64_t count_sample(Thinning& thinning, unsigned event) {
  return __atomic_fetch_add(&thinning.samples[event], 1, __ATOMIC_RELAXED);
}

}  // namespace hm::soft
