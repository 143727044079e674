// SPDX-License-Identifier: MIT
// What the launcher writes for the engine into the target's memory: the target's registers when it was taken
// over.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/magic.h"

namespace hm::soft::direct {

// Where the engine is linked: between what programs and the system use on their own, clear of the sanitizers'
// shadows.
inline constexpr uint64_t kEngineBase = 0x6f0000000000;
// Behind it, at the same address in all processes, the models that they share.
inline constexpr uint64_t kCommonModelsBase = kEngineBase + (uint64_t{1} << 30);
inline constexpr uint64_t kEngineEnd = kEngineBase + (uint64_t{1} << 32);

struct StartInfo {
  uint64_t magic;
  uint64_t registers[16];  // by their numbers in instructions
  uint64_t ip;
  uint64_t flags;
  uint64_t fs_base;
  char session_folder[256];
};
// And the size, which another version's is not.
inline constexpr uint64_t kStartMagic = uint64_t{sizeof(StartInfo)} << 32 | kStartTag;

}  // namespace hm::soft::direct
