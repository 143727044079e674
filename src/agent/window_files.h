// SPDX-License-Identifier: MIT
// What is kept of the last measurement beside its batch, in the agent's folder: for who asks for it, and for
// who it is sent to.
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

// Those of an earlier agent, which may have had other settings.
void remove_window_files(const std::string& folder);

// A file is whole or the one before. `began_s`: since 1970. Without samples of idle processors.
[[nodiscard]] Status write_window_pprof(const std::string& folder, const profile::Profile& profile,
                                        const symbol::Resolver& resolver, const Privacy& privacy,
                                        double began_s, uint64_t lasts_ns);
[[nodiscard]] Status write_window_otlp(const std::string& folder, const std::string& request);

}  // namespace hm::agent
