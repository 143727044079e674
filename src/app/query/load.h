// SPDX-License-Identifier: MIT
// What every question about a recording begins with.
#pragma once

#include <string>

#include "base/result.h"
#include "profile/needs.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct Reading {
  // Samples of the clock event stay where they fell, and do not go to the instruction that waited.
  bool raw_ip = false;
  // Files of this machine are taken for those that a recording names, also where nothing says that they are
  // the same.
  bool trust_files = false;
};

// `path`: a recording or a dump (whose files are always taken for this machine's); - is standard input.
// `resolver` knows the functions.
[[nodiscard]] Result<profile::Profile> load_profile(const std::string& path, const symbol::Resolver& resolver,
                                                    const profile::Needs& needs, const Reading& reading);

// What the samples' data accesses were, and what they accessed.
inline constexpr profile::Needs kDataObjects{
    .chains = false, .branches = profile::Branches::kNone, .details = true, .objects = true};
// With callers, too.
inline constexpr profile::Needs kCauses{
    .chains = true, .branches = profile::Branches::kNone, .details = true, .objects = true};

}  // namespace hm::query
