// SPDX-License-Identifier: MIT
// Machine profiles as JSON: in the user's files, in the program, and as a result of `hardmeter calibrate
// --json`.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "host/calibration/machine_profile.h"

namespace hm::host {

[[nodiscard]] nlohmann::ordered_json to_json(const MachineProfile& profile);

// Fails with kDamaged if the text is not a profile of this version, or if a time or a rate is not a number
// that can be one.
[[nodiscard]] Result<MachineProfile> machine_profile_in(std::string_view text);

}  // namespace hm::host
