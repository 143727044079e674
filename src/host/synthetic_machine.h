// SPDX-License-Identifier: MIT
// Latency curves of machines with known levels, for tests.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "host/curve.h"
#include "host/sweep.h"

namespace hm::host {

inline constexpr double kKiB = 1 << 10;
inline constexpr double kMiB = 1 << 20;

struct SyntheticLevel {
  double ns;
  double capacity_bytes;
};

struct SyntheticMachine {
  std::vector<SyntheticLevel> caches;
  double memory_ns;
  double sharpness = 24;  // steepness of the miss ratio at a cache's capacity: 2 is like random replacement
  double tlb_reach_bytes = 1e18;  // beyond this size page walks cost up to `walk_ns`
  double walk_ns = 0;
  double noise = 0;  // each point is slower by a random fraction up to this
};

// Returns the fraction of loads that hit a level of `capacity`; one half if the size equals the capacity.
inline double share_served(double size, double capacity, double sharpness) {
  return 1 / (1 + std::pow(size / capacity, sharpness));
}

inline Curve curve_of(const SyntheticMachine& machine, uint64_t largest_bytes,
                      unsigned steps_per_octave = 8) {
  Curve curve;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> slower(0, machine.noise);
  for (uint64_t size_bytes : sweep_sizes(largest_bytes, steps_per_octave)) {
    auto size = static_cast<double>(size_bytes);
    double ns = 0, reaching = 1;
    for (const SyntheticLevel& cache : machine.caches) {
      double served = share_served(size, cache.capacity_bytes, machine.sharpness);
      ns += reaching * served * cache.ns;
      reaching *= 1 - served;
    }
    ns += reaching * machine.memory_ns;
    ns += machine.walk_ns * (1 - share_served(size, machine.tlb_reach_bytes, 2));
    ns *= 1 + slower(random);
    curve.push_back({size_bytes, {ns, ns, ns}, 3.0});
  }
  return curve;
}

}  // namespace hm::host
