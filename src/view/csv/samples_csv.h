// SPDX-License-Identifier: MIT
// Samples as comma-separated values (RFC 4180): a header line, then one line for each sample. A field is
// empty if the sample has no value for it.
#pragma once

#include <cstddef>
#include <string>

#include "profile/profile.h"

namespace hm::csv {

[[nodiscard]] std::string samples_head();

// The profile must have details and objects (profile/needs.h). Data sources use perf's terms, latencies are
// in cycles, addresses in hexadecimal. `place` is the instruction's address in its file.
[[nodiscard]] std::string sample_line(const profile::Profile& profile, size_t sample);

}  // namespace hm::csv
