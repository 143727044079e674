// SPDX-License-Identifier: MIT
// Where a user's machine profile is kept.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "host/calibration/machine_profile.h"

namespace hm::host {

// Returns $XDG_CONFIG_HOME/hardmeter/machine.json, or the same in ~/.config; empty if neither variable is
// set.
[[nodiscard]] std::string saved_profile_path();

// Replaces the file at once, so that it is never half written. Creates its folder. Fails with kIo.
[[nodiscard]] Status save_profile(const MachineProfile& profile, const std::string& path);

// Fails with kNotFound if there is no such file, with kDamaged if it holds no profile. The message begins
// with the path.
[[nodiscard]] Result<MachineProfile> read_profile(const std::string& path);

// Returns a sentence if the profile is of another processor than this machine's.
[[nodiscard]] std::optional<std::string> mismatch(const MachineProfile& profile);

}  // namespace hm::host
