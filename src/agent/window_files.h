// SPDX-License-Identifier: MIT
// Files with the last measurement in the agent's folder, besides its batch: one to serve on request, one to
// send to a receiver.
#pragma once

#include <cstdint>
#include <string>

#include "agent/rows.h"
#include "base/result.h"
#include "profile/profile.h"
#include "store/batch.h"
#include "symbol/resolver.h"

namespace hm::agent {

[[nodiscard]] std::string pprof_file(const std::string& folder);
[[nodiscard]] std::string otlp_file(const std::string& folder);

// Removes the files of an earlier agent, which may have had other settings.
void remove_window_files(const std::string& folder);

// Replace a file atomically. `began_s` is since 1970. The profile has no samples of idle processors.
[[nodiscard]] Status write_window_pprof(const std::string& folder, const profile::Profile& profile,
                                        const symbol::Resolver& resolver, const Privacy& privacy,
                                        double began_s, uint64_t lasts_ns);
[[nodiscard]] Status write_window_otlp(const std::string& folder, const std::string& request);

}  // namespace hm::agent
