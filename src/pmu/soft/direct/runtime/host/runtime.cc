// SPDX-License-Identifier: MIT
// For tests on the host, which take over no process.
#include "pmu/soft/direct/runtime/runtime.h"
#include "pmu/soft/direct/runtime/lock_order.h"

namespace hm::soft::direct {

Runtime& runtime() {
  static Runtime only;
  return only;
}

HeldLocks* held_locks() {
  static thread_local HeldLocks held;
  return &held;
}

}  // namespace hm::soft::direct
