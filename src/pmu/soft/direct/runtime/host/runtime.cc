// SPDX-License-Identifier: MIT
// For tests on the host, where there is no process to be taken over.
#include "pmu/soft/direct/runtime/runtime.h"

namespace hm::soft::direct {

Runtime& runtime() {
  static Runtime only;
  return only;
}

}  // namespace hm::soft::direct
