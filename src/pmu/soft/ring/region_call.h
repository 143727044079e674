// SPDX-License-Identifier: MIT
// How a program marks the begin and end of a region to be measured: libhardmeter makes this system call,
// which the kernel rejects and an engine handles. Freestanding plain data.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/magic.h"

namespace hm::soft {

// prctl(kRegionOption, address of a RegionCall): no kernel has this option.
inline constexpr uint64_t kRegionOption = 0x48524d31;

enum class RegionOperation : uint32_t {
  kAsk = 0,    // only requests the answer
  kBegin = 1,  // collect the calling thread from now on; regions nest
  kEnd = 2,
};

enum class RegionAnswer : uint32_t {
  kNoEngine = 0,  // there is no engine
  kObeyed = 1,    // the engine collects only regions
  kIgnored = 2,   // the user of the recorder chose otherwise
};

inline constexpr uint32_t kMaxRegionName = 64;

struct RegionCall {
  uint32_t magic;  // kRegionTag
  RegionOperation operation;
  RegionAnswer answer;        // written by the engine
  char name[kMaxRegionName];  // NUL-terminated, truncated if longer
};

// A program with this symbol uses libhardmeter.
inline constexpr char kRegionFunction[] = "hardmeter_start";

}  // namespace hm::soft
