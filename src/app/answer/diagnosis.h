// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "app/measure/diagnosis.h"

namespace hm::answer {

[[nodiscard]] std::string diagnosis_text(const measure::Diagnosis& diagnosis);
// {"schema": 1, "can_record", "findings": [{"subject", "health", "found", "advice", "needed"}...]}. "health"
// is ok, missing or note.
[[nodiscard]] std::string diagnosis_json(const measure::Diagnosis& diagnosis);

}  // namespace hm::answer
