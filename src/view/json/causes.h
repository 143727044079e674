// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/cause/cause.h"
#include "profile/profile.h"

namespace hm::json {

[[nodiscard]] std::string causes_json(const profile::Profile& profile, const cause::Causes& result);

}  // namespace hm::json
