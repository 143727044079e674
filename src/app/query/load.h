// SPDX-License-Identifier: MIT
// What every question about a recording begins with.
#pragma once

#include <string>

#include "base/result.h"
#include "profile/needs.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// `path`: a recording or a dump; - is standard input. `raw_ip`: samples of the clock event stay where they
// fell, and do not go to the instruction that waited. `resolver` knows the functions.
[[nodiscard]] Result<profile::Profile> load_profile(const std::string& path, const symbol::Resolver& resolver,
                                                    const profile::Needs& needs, bool raw_ip);

// With what the samples' data accesses were, and what they accessed.
inline constexpr profile::Needs kPlacesAndData{
    .chains = false, .branches = false, .details = true, .objects = true};

}  // namespace hm::query
