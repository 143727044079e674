// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "profile/recorded_sizes.h"
#include "symbol/resolver.h"

namespace hm::query {

// A recording of one program with its miss curves.
struct ProgramSizes {
  std::string input;
  profile::Profile profile;
  profile::Sizes sizes;
};

// Fails with kNotFound if a recording has no sizes.
[[nodiscard]] Result<std::vector<ProgramSizes>> load_program_sizes(const std::vector<std::string>& inputs,
                                                                   const Reading& reading,
                                                                   const symbol::Resolver& resolver);

}  // namespace hm::query
