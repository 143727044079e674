// SPDX-License-Identifier: MIT
// For tests on the host, which take over no process.
#include "pmu/soft/direct/runtime/runtime.h"

namespace hm::soft::direct {

Runtime& runtime() {
  static Runtime only;
  return only;
}

}  // namespace hm::soft::direct
