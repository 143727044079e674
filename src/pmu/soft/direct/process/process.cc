// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {

constinit Process g_process;

Runtime& runtime() { return g_process.runtime; }

HeldLocks* held_locks() {
  if (Thread* thread = thread_of_engine_stack()) return &thread->locks;
  auto sp = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  bool is_arriving = sp >= kEngineBase && sp < kCommonModelsBase;  // on the first stack (switch.S)
  return is_arriving ? &g_process.locks_of_arriving : nullptr;
}

}  // namespace hm::soft::direct
