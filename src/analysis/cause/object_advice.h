// SPDX-License-Identifier: MIT
// Advice on objects that are reached by pointers, from the code and the heap blocks alone.
#pragma once

#include <optional>

#include "analysis/cause/evidence.h"
#include "analysis/cause/pattern.h"

namespace hm::cause {

// Returns nullopt if no pattern of objects behind pointers fits.
[[nodiscard]] std::optional<Advice> advise_on_objects(const Evidence& evidence);

}  // namespace hm::cause
