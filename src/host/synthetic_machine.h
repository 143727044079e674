// SPDX-License-Identifier: MIT
// Curves of machines whose levels are known, for tests.
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
  double sharpness = 24;          // how suddenly a full cache stops to serve: 2 is like random replacement
  double tlb_reach_bytes = 1e18;  // beyond which page walks cost up to `walk_ns`
  double walk_ns = 0;
  double noise = 0;  // each point is slower by up to this part of itself
};

// The share of loads that a level of `capacity` serves; half where all of it is needed.
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
