// SPDX-License-Identifier: MIT
// What this machine can measure: probed once, told plainly.
#pragma once

#include "app/measure/diagnosis.h"

namespace hm::measure {

[[nodiscard]] Diagnosis diagnose();

}  // namespace hm::measure
