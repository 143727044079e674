// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/sizes/size_curves.h"

namespace hm::json {

[[nodiscard]] std::string sizes_json(const profile::Profile& profile, const sizes::Sizes& sizes);

}  // namespace hm::json
