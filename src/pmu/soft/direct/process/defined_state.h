// SPDX-License-Identifier: MIT
// Random numbers and time of a reproducible run (emulate/defined_machine.h).
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

class DefinedState {
 public:
  void seed(uint64_t seed) { state_ = seed; }

  // SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  uint64_t random() {
    constexpr uint64_t kGamma = 0x9e3779b97f4a7c15;
    uint64_t z = __atomic_add_fetch(&state_, kGamma, __ATOMIC_RELAXED);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // For a forked child, whose random numbers differ from its parent's.
  void begin_child() { state_ = random(); }

  // Returns the time since the process began. A slot, an instruction or a data access, takes a nanosecond.
  // Never goes back, although each core counts its own slots.
  uint64_t time_ns(uint64_t slots) {
    uint64_t now = slots + __atomic_load_n(&slept_ns_, __ATOMIC_RELAXED);
    uint64_t latest = __atomic_load_n(&latest_ns_, __ATOMIC_RELAXED);
    while (latest < now && !__atomic_compare_exchange_n(&latest_ns_, &latest, now, false, __ATOMIC_RELAXED,
                                                        __ATOMIC_RELAXED)) {
    }
    return latest < now ? now : latest;
  }
  // The program has waited for a time that it named.
  void add_sleep(uint64_t ns) { __atomic_fetch_add(&slept_ns_, ns, __ATOMIC_RELAXED); }

 private:
  uint64_t state_ = 0;
  uint64_t slept_ns_ = 0;
  uint64_t latest_ns_ = 0;
};

}  // namespace hm::soft::direct
