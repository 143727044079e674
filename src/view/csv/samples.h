// SPDX-License-Identifier: MIT
// Samples as comma-separated values (RFC 4180): a line each, behind one with the columns' names. What a
// sample does not tell is an empty field.
#pragma once

#include <cstddef>
#include <string>

#include "profile/profile.h"

namespace hm::csv {

[[nodiscard]] std::string samples_head();

// The profile has to have details and objects (profile/needs.h). Data sources in perf's words, latencies in
// cycles, addresses in hexadecimal digits; `place` is the instruction's address in its file.
[[nodiscard]] std::string sample_line(const profile::Profile& profile, size_t sample);

}  // namespace hm::csv
