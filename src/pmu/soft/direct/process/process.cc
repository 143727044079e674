// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {

constinit Process g_process;

Runtime& runtime() { return g_process.runtime; }

}  // namespace hm::soft::direct
