// SPDX-License-Identifier: MIT
#pragma once

#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::profile {

// Adds the type arguments to the names of Rust's generic functions (symbol::Object::instance_name()):
// "walk<u32>" and "walk<u64>". Other functions keep their names.
void name_instances(const symbol::Resolver& resolver, Profile& profile);

}  // namespace hm::profile
