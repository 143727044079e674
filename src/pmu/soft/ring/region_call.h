// SPDX-License-Identifier: MIT
// How a program marks where a region that it wants to have measured begins and ends: libhardmeter makes this
// system call, which the kernel refuses and an engine obeys. Freestanding plain data.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/magic.h"

namespace hm::soft {

// prctl(kRegionOption, address of a RegionCall): an option that no kernel has.
inline constexpr uint64_t kRegionOption = 0x48524d31;

enum class RegionOperation : uint32_t {
  kAsk = 0,    // only asks for the answer
  kBegin = 1,  // the calling thread is collected from now on; regions nest
  kEnd = 2,
};

enum class RegionAnswer : uint32_t {
  kNoEngine = 0,  // there is no engine
  kObeyed = 1,    // only regions are collected
  kIgnored = 2,   // the user of the recorder has said what to collect
};

inline constexpr uint32_t kMaxRegionName = 64;

struct RegionCall {
  uint32_t magic;  // kRegionTag
  RegionOperation operation;
  RegionAnswer answer;        // the engine's
  char name[kMaxRegionName];  // ended by a zero, cut where it is longer
};

// The symbol by which a program that uses libhardmeter is recognised before it runs.
inline constexpr char kRegionFunction[] = "hardmeter_start";

}  // namespace hm::soft
