// SPDX-License-Identifier: MIT
// Probes the measurements that this machine supports.
#pragma once

#include "app/measure/diagnosis.h"

namespace hm::measure {

[[nodiscard]] Diagnosis diagnose();

}  // namespace hm::measure
