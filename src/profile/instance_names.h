// SPDX-License-Identifier: MIT
#pragma once

#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::profile {

// Gives the functions of an object that have one name the type arguments in their debug information:
// "walk<u32>" and "walk<u64>". Rust's legacy mangling leaves them out. Other functions keep their names.
void name_instances(const symbol::Resolver& resolver, Profile& profile);

}  // namespace hm::profile
