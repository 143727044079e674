// SPDX-License-Identifier: MIT
// Probes what this machine can measure.
#pragma once

#include "app/measure/diagnosis.h"

namespace hm::measure {

[[nodiscard]] Diagnosis diagnose();

}  // namespace hm::measure
