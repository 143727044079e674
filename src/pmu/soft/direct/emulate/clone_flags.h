// SPDX-License-Identifier: MIT
// Flags of clone(2) that the engine handles.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

inline constexpr uint64_t kCloneVm = 0x100, kCloneSighand = 0x800, kCloneVfork = 0x4000,
                          kCloneThread = 0x10000, kCloneSettls = 0x80000, kCloneClearSighand = 0x1'0000'0000;

}  // namespace hm::soft::direct
